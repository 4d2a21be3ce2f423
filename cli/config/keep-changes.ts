import { EspalierError } from '../../core/kernel/errors.ts';
import { type KeepChanges, requireKeepChanges } from '../../core/model/log/kept-changes.ts';
import { usage } from '../io/failure.ts';
import { secondsIn } from './duration.ts';

const FOREVER = 'forever';

/**
 * Reads how much of change logs is kept: a time, a number of changes, or both, like `30d,1000000`. `forever` means no
 * bound on either.
 *
 * @param from name of the option, for errors
 * @throws a usage failure for anything else
 */
export function parseKeepChanges(text: string, from: string): KeepChanges {
  const fail = () =>
    usage(
      `${from} must look like 30d,1000000, not ${JSON.stringify(text)}.`,
      `Use a time in s, m, h or d, a number of changes, or both; ${FOREVER} means no limit.`,
    );
  if (text.trim() === FOREVER) return { milliseconds: null, count: null };
  const parts = /^\s*(\d{1,12}[smhd]|forever)?\s*,?\s*(\d{1,15}|forever)?\s*$/.exec(text);
  const [, time, count] = parts ?? [];
  const given = [time, count].filter((part) => part !== undefined);
  if (given.length === 0 || text.includes(',') !== (given.length === 2)) throw fail();
  const keep: KeepChanges = {
    ...(time !== undefined && { milliseconds: time === FOREVER ? null : secondsIn(time) * 1_000 }),
    ...(count !== undefined && { count: count === FOREVER ? null : Number(count) }),
  };
  try {
    requireKeepChanges(keep);
  } catch (error) {
    if (error instanceof EspalierError) throw fail();
    throw error;
  }
  return keep;
}
