import type { Call } from '../call.ts';
import { option, type Given } from '../option.ts';
import { ask } from './ask.ts';
import { Failure, usage } from './failure.ts';
import { isInteractive } from './io.ts';

/** An option of every destructive verb. */
export const YES = option('-y, --yes', 'do it without asking');

/** Asks for confirmation at a terminal. @throws a failure unless it is given */
export async function confirm(call: Call<Given<[typeof YES]>>, what: string): Promise<void> {
  if (call.options.yes) return;
  const { io } = call;
  if (!isInteractive(io)) throw usage(`${what} cannot be undone: add --yes.`);
  const answer = await ask(io, `${what} cannot be undone. Go on? [y/N]`);
  if (!/^y(es)?$/i.test(answer)) throw new Failure('failed', 'Nothing was done.');
}
