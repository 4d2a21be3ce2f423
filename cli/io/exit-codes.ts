import type { ErrorCode } from '../../core/kernel/errors.ts';

/** What a shell expects of a program that a signal has ended: 128 and the number of the signal. */
export const EXIT_OF_SIGNAL = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** The exit codes of the program. Stable: scripts depend on them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  conflict: 5,
  /** The code after Ctrl-C; other signals have codes of their own. */
  interrupted: EXIT_OF_SIGNAL.SIGINT,
} as const;

export type Exit = keyof typeof EXIT;

/** Each exit code with the words of its name. */
export function exitCodes(): readonly (readonly [code: string, words: string])[] {
  const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const { interrupted: _, ...others } = EXIT;
  const signals = Object.entries(EXIT_OF_SIGNAL).map(([name, code]) => [`interrupted by ${name}`, code] as const);
  const named = Object.entries(others).map(([name, code]) => [words(name), code] as const);
  return [...named, ...signals].map(([text, code]) => [String(code), text]);
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
