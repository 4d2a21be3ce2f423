export { anyOf } from './any-of.ts';
export { apiTokens, isToken } from './api-tokens.ts';
