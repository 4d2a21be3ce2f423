import type { ArgSpec } from './option.ts';

// Arguments that several nouns take.

export const PAGE = {
  spec: '<page>',
  summary: 'name, path (Engineering/Launch, or /Launch at the top) or id',
} as const satisfies ArgSpec;
export const TASK = { spec: '<task>', summary: '#number, exact title or id' } as const satisfies ArgSpec;
export const MEMBER_ARG = { spec: '<member>', summary: 'e-mail address, name, id or me' } as const satisfies ArgSpec;
