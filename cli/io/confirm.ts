import type { CommandCall } from '../call.ts';
import { option, type OptionValues } from '../option.ts';
import { ask } from './ask.ts';
import { Failure, usage } from './failure.ts';
import { isInteractive, type Io } from './io.ts';

/** An option of every destructive verb. */
export const YES = option('-y, --yes', 'skip confirmation');

/** An option of verbs that put what they delete in the trash. */
export const PERMANENTLY = option('--permanently', 'delete permanently, skip the trash');

/**
 * At a terminal, asks for confirmation of a change of many records. Elsewhere no confirmation is needed.
 *
 * @throws a failure unless confirmed
 */
export async function confirmMany(
  { options, io }: CommandCall<OptionValues<[typeof YES]>>,
  what: string,
): Promise<void> {
  if (options.yes || !isInteractive(io)) return;
  await requireConfirmation(io, what);
}

/**
 * Asks for confirmation at a terminal.
 *
 * @param isFinal whether it cannot be undone
 * @throws a failure unless it is given
 */
export async function confirm(
  call: CommandCall<OptionValues<[typeof YES]>>,
  what: string,
  isFinal = true,
): Promise<void> {
  if (call.options.yes) return;
  const { io } = call;
  const warning = isFinal ? `${what} cannot be undone` : `${what} can be undone from the trash, unless that is off`;
  if (!isInteractive(io)) throw usage(`${warning}. Use --yes to confirm.`);
  await requireConfirmation(io, warning);
}

async function requireConfirmation(io: Io, what: string): Promise<void> {
  const answer = await ask(io, `${what}. Continue? [y/N]`);
  if (!/^y(es)?$/i.test(answer)) throw new Failure('failed', 'Cancelled.');
}
