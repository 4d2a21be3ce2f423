import { expect } from 'chai';

/** What an error must be: of a class, with these properties, or as a function checks. */
type Expected =
  | (abstract new (...args: never[]) => Error)
  | ((error: never) => unknown)
  | Readonly<Record<string, unknown>>;

/** The promise is rejected, with such an error. */
export async function rejects(
  work: Promise<unknown> | (() => Promise<unknown>),
  expected?: Expected,
  message?: string,
): Promise<void> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    check(error, expected, message);
    return;
  }
  expect.fail(`${message ?? 'The promise'}: it was to be rejected, and was not.`);
}

/** The function throws such an error. */
export function throws(work: () => unknown, expected?: Expected, message?: string): void {
  try {
    work();
  } catch (thrown) {
    check(thrown, expected, message);
    return;
  }
  expect.fail(`${message ?? 'The function'}: it was to throw, and did not.`);
}

function check(thrown: unknown, expected: Expected | undefined, message: string | undefined): void {
  if (expected === undefined) return;
  if (typeof expected !== 'function') expect(thrown, message).to.deep.include(expected);
  else if (expected.prototype instanceof Error) expect(thrown, message).to.be.instanceOf(expected);
  else if ((expected as (error: unknown) => unknown)(thrown) === false) throw thrown;
}
