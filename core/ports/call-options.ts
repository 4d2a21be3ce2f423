import { A_BOOLEAN, A_FUNCTION, A_STRING, type OptionRule, requireOptions } from '../kernel/options.ts';
import type { Call } from './context.ts';

/** The caller is no option: a session has one. */
const OPTIONS: Readonly<Record<Exclude<keyof Call, 'caller'>, OptionRule>> = {
  requestId: A_STRING,
  ifVersion: [isVersions, 'must be a list of versions, such as [3], or of records as they were read'],
  idempotencyKey: [isKey, 'must be { key, digest }: a key of 1 to 255 visible ASCII characters, a digest of the input'],
  onCursor: A_FUNCTION,
  beforeLargeAnswer: A_FUNCTION,
  onPassed: A_FUNCTION,
  leavesComments: A_BOOLEAN,
  signal: [isSignal, 'must be an AbortSignal'],
};

/**
 * Checks the options of a call before it begins. An option that was silently ignored could run a call twice, take it
 * for another one, or overwrite a later version.
 *
 * @throws `invalid-input` for an option that is unknown, or of another form
 */
export function requireCallOptions(options: unknown = {}): void {
  requireOptions(options, OPTIONS);
}

/** Whether a text may be an idempotency key: 1 to 255 visible ASCII characters. */
export function isIdempotencyKey(text: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(text);
}

function isVersions(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isVersion);
}

function isVersion(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Number.isSafeInteger(value);
  const { version, boardHidden = false } = value as Readonly<Record<string, unknown>>;
  return Number.isSafeInteger(version) && typeof boardHidden === 'boolean';
}

function isKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { key, digest } = value as Readonly<Record<string, unknown>>;
  return typeof key === 'string' && isIdempotencyKey(key) && typeof digest === 'string';
}

function isSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { aborted, addEventListener } = value as Readonly<Record<string, unknown>>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}
