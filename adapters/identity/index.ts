export { apiTokens, isToken } from './api-tokens.ts';
export type { Identity } from './identity.ts';
