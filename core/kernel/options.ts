import { invalid } from './errors.ts';

/** What an option must be, and the detail of the error where it is not. */
export type OptionRule = readonly [test: (value: unknown) => boolean, detail: string];

/**
 * Checks options before anything begins. No schema describes them, as they hold functions. An undefined option counts
 * as absent.
 *
 * @param required names of options that must be given
 * @param at a JSON Pointer to the options; empty if they are the whole input
 * @throws `invalid-input` for an option that is unknown, not what its rule says, or required and absent
 */
export function requireOptions(
  given: unknown,
  rules: Readonly<Record<string, OptionRule>>,
  required: readonly string[] = [],
  at = '',
): void {
  requireObject(given, at);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) throw invalid(`${at}/${name}`, `is not an option: use ${Object.keys(rules).join(', ')}`);
    const [test, detail] = rule;
    if (!test(value)) throw invalid(`${at}/${name}`, detail);
  }
  const missing = required.find((name) => (given as Readonly<Record<string, unknown>>)[name] === undefined);
  if (missing !== undefined) throw invalid(`${at}/${missing}`, 'is required');
}

/** @throws `invalid-input` for options that are no object */
export function requireObject(given: unknown, at = ''): asserts given is object {
  if (typeof given !== 'object' || given === null) throw invalid(at, 'must be an object of options');
}

export const A_FUNCTION: OptionRule = [(value) => typeof value === 'function', 'must be a function'];
export const A_STRING: OptionRule = [(value) => typeof value === 'string', 'must be a string'];
export const A_BOOLEAN: OptionRule = [(value) => typeof value === 'boolean', 'must be true or false'];
export const AN_OBJECT: OptionRule = [(value) => typeof value === 'object' && value !== null, 'must be an object'];
export const STRINGS: OptionRule = [
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  'must be a list of strings',
];

/** A number in a range; infinite where that has no end. */
export function numberFrom(least: number, most = Infinity): OptionRule {
  const range = most === Infinity ? `from ${least}` : `from ${least} to ${most}`;
  return [(value) => typeof value === 'number' && value >= least && value <= most, `must be a number ${range}`];
}

/** An object with these functions. @param such what the object is, with an example */
export function withFunctions(such: string, ...names: readonly string[]): OptionRule {
  const has = (value: object) => names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function');
  return [(value) => typeof value === 'object' && value !== null && has(value), `must be ${such}`];
}
