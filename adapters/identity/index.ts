export { anyOf } from './any-of.ts';
export { apiTokens, isToken } from './api-tokens.ts';
export { hostIdentity } from './host-identity.ts';
