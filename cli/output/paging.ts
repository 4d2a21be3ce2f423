import type { Slice } from '../../core/kernel/record.ts';
import { allSlices, MAX_LIMIT, type SliceRequest } from '../all-items.ts';
import { wholeNumber, type CommandCall } from '../call.ts';
import { Failure, usage } from '../io/failure.ts';
import { option, type OptionValues } from '../option.ts';

export const PAGING = [
  option('--limit <number>', 'maximum results (1-500, default: 100)'),
  option('--cursor <cursor>', 'continue from this cursor'),
  option('--all', 'list all results'),
];

/** Prints one slice of a list, or all of it with `--all`; then prints whether there is more. */
export async function printPages<T>(
  call: CommandCall<OptionValues<typeof PAGING>>,
  list: (part: SliceRequest) => Promise<Slice<T>>,
  print: (items: readonly T[]) => Promise<void>,
): Promise<void> {
  const limit = wholeNumber('limit', call.options.limit);
  if (limit !== undefined && (limit < 1 || limit > MAX_LIMIT))
    throw usage('--limit must be 1 to 500; use --all for all results.');
  const cursors = await cursorsOf(call);
  const cursor = call.options.cursor;
  const first = {
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor: cursors.read(cursor) }),
  };
  if (call.options.all !== true) {
    const { items, next } = await list(first);
    await print(items);
    if (next !== null) call.out.note(`There are more: use --all or --cursor ${cursors.shown(next)}`);
    return;
  }
  const slices = allSlices(list, first.cursor);
  if (call.out.isByRecord) return printSlices(call, slices, print);
  const all: T[] = [];
  for await (const items of slices) all.push(...items);
  await print(all);
}

/**
 * Prints each slice as it arrives: no output waits for the end of a long list, and reading ends when the output is
 * closed.
 */
async function printSlices<T>(
  { io }: CommandCall,
  slices: AsyncIterable<readonly T[]>,
  print: (items: readonly T[]) => Promise<void>,
): Promise<void> {
  for await (const items of slices) {
    if (io.stop.aborted) throw new Failure('interrupted', 'Interrupted.');
    await print(items);
    await io.stdout.flushed();
  }
}

/** Encodes the cursors of a local store as a service does: in a form that needs no quotes in a shell. */
async function cursorsOf(call: CommandCall) {
  const { local } = await call.connection();
  const same = (cursor: string): string => cursor;
  if (local === null) return { shown: same, read: same };
  const { decodeCursor, encodeCursor } = await import('../../adapters/http/response/paging.ts');
  return { shown: encodeCursor, read: decodeCursor };
}
