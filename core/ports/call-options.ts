import { invalid } from '../kernel/errors.ts';
import type { Call } from './context.ts';

/** The caller is no option: a session has one. */
type Option = Exclude<keyof Call, 'caller'>;

type Given = Readonly<Record<string, unknown>>;

const isFunction = (value: unknown) => typeof value === 'function';

/** What each option of a call must be, beside its test. */
const OPTIONS: Readonly<Record<Option, readonly [test: (value: unknown) => boolean, detail: string]>> = {
  requestId: [(value) => typeof value === 'string', 'must be a string'],
  ifVersion: [isVersions, 'must be a list of versions, such as [3]'],
  idempotencyKey: [isKey, 'must be { key, digest }: a key of 1 to 255 visible ASCII characters, a digest of the input'],
  onCursor: [isFunction, 'must be a function'],
  beforeLargeAnswer: [isFunction, 'must be a function'],
  leavesComments: [(value) => typeof value === 'boolean', 'must be boolean'],
  signal: [isSignal, 'must be an AbortSignal'],
};

/**
 * Checks the options of a call before it begins. What is passed over in silence would have a call happen twice, take it for another
 * one, or overwrite a later version.
 *
 * @throws `invalid-input` for an option that is unknown, or of another form
 */
export function requireCallOptions(options: unknown = {}): void {
  if (typeof options !== 'object' || options === null) throw invalid('', 'has options that are no object');
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(OPTIONS, name)) throw invalid(`/${name}`, 'is not a known option of a call');
    const [test, detail] = OPTIONS[name as Option];
    if (!test(value)) throw invalid(`/${name}`, detail);
  }
}

function isVersions(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => Number.isSafeInteger(one));
}

const KEY = /^[\x21-\x7e]{1,255}$/;

function isKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { key, digest } = value as Given;
  return typeof key === 'string' && KEY.test(key) && typeof digest === 'string';
}

function isSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { aborted, addEventListener } = value as Given;
  return typeof aborted === 'boolean' && isFunction(addEventListener);
}
