import type { ErrorCode } from '../../core/kernel/errors.ts';

/** The exit codes of the program. Stable: scripts depend on them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  conflict: 5,
  interrupted: 130,
} as const;

export type Exit = keyof typeof EXIT;

/** Each exit code with the words of its name. */
export function exitCodes(): readonly (readonly [code: string, words: string])[] {
  const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return Object.entries(EXIT).map(([name, code]) => [String(code), words(name)]);
}

/** The exit code of each error of the engine. */
export const EXIT_OF: Readonly<Record<ErrorCode, Exit>> = {
  'invalid-input': 'usage',
  unauthenticated: 'denied',
  'issuer-unavailable': 'failed',
  forbidden: 'denied',
  'impersonation-off': 'denied',
  'own-email': 'denied',
  'not-found': 'notFound',
  'version-mismatch': 'conflict',
  'count-mismatch': 'conflict',
  'unusable-reference': 'usage',
  'too-many': 'usage',
  'invitation-unusable': 'conflict',
  'cursor-expired': 'conflict',
  'snapshot-incomplete': 'failed',
  'alias-taken': 'conflict',
  'already-member': 'conflict',
  'board-without-status': 'conflict',
  'column-crowded': 'conflict',
  'copy-failed': 'conflict',
  'email-taken': 'conflict',
  'external-id-taken': 'conflict',
  'guard-refused': 'conflict',
  'has-parent': 'conflict',
  'hidden-content': 'conflict',
  'identity-taken': 'conflict',
  'key-reused': 'conflict',
  'last-administrator': 'conflict',
  'last-owner': 'conflict',
  'limit-reached': 'conflict',
  'link-cycle': 'conflict',
  'owner-access': 'conflict',
  'page-cycle': 'conflict',
  'page-has-content': 'conflict',
  'quota-exceeded': 'conflict',
  'replay-hidden': 'conflict',
  'secret-not-kept': 'conflict',
  'being-removed': 'conflict',
  'board-in-trash': 'conflict',
  'status-not-empty': 'conflict',
  'tag-name-taken': 'conflict',
  'task-has-page': 'conflict',
  'workspace-exists': 'conflict',
  'store-busy': 'failed',
  'store-unavailable': 'failed',
};
