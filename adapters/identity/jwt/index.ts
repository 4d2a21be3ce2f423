export type { JwtIssuer, JwtKeys } from './issuer.ts';
export { jwtIdentity } from './jwt-identity.ts';
