import { createInterface } from 'node:readline/promises';
import type { Call } from '../call.ts';
import { Failure, usage } from './failure.ts';
import { isInteractive } from './io.ts';
import { option } from '../verb.ts';

/** Of every verb that destroys. */
export const YES = option('-y, --yes', 'do it without asking');

/** Asks the person there, if one is. @throws a failure when nobody says yes */
export async function confirm(call: Call, what: string): Promise<void> {
  if (call.flag('yes')) return;
  if (!isInteractive(call.io)) throw usage(`${what} cannot be undone: add --yes.`);
  const { stdin, stderr } = call.io;
  const reader = createInterface({
    input: stdin as unknown as NodeJS.ReadableStream,
    output: stderr as unknown as NodeJS.WritableStream,
  });
  try {
    const answer = await reader.question(`${what} cannot be undone. Go on? [y/N] `, { signal: call.io.stop });
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('failed', 'Nothing was done.');
  } finally {
    reader.close();
  }
}
