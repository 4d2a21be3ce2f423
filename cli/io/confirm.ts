import { createInterface } from 'node:readline';
import type { Call } from '../call.ts';
import { option, type Given } from '../option.ts';
import { Failure, usage } from './failure.ts';
import { isInteractive, stopped } from './io.ts';
import { oneLine, safe } from './safe-text.ts';

/** Of every verb that destroys. */
export const YES = option('-y, --yes', 'do it without asking');

/** Asks the person there, if one is. @throws a failure when nobody says yes */
export async function confirm(call: Call<Given<[typeof YES]>>, what: string): Promise<void> {
  if (call.options.yes) return;
  const { io } = call;
  if (!isInteractive(io)) throw usage(`${what} cannot be undone: add --yes.`);
  io.stderr.write(safe`${oneLine(what)} cannot be undone. Go on? [y/N] `);
  // It gives no output: the terminal shows what is typed.
  const reader = createInterface({ input: io.stdin as unknown as NodeJS.ReadableStream });
  try {
    const answer = new Promise<string>((resolve) => {
      reader.once('line', resolve);
      reader.once('close', () => resolve(''));
    });
    const given = await Promise.race([answer, stopped(io)]);
    if (!/^y(es)?$/i.test(given.trim())) throw new Failure('failed', 'Nothing was done.');
  } finally {
    reader.close();
  }
}
