import type { Slice } from '../../core/kernel/record.ts';
import type { Call } from '../call.ts';
import { usage } from '../io/failure.ts';
import { option } from '../verb.ts';

export const PAGING = [
  option('--limit <number>', 'how many at most (1-500, default 100)'),
  option('--cursor <cursor>', 'go on where a list before ended'),
  option('--all', 'all of them'),
];

const LARGEST = 500;

/** One part of a list as asked for, or all parts with `--all`. Tells of what is left. */
export async function pageThrough<T>(
  call: Call,
  list: (part: { limit?: number; cursor?: string }) => Promise<Slice<T>>,
): Promise<readonly T[]> {
  const limit = call.integer('limit');
  if (limit !== undefined && (limit < 1 || limit > LARGEST))
    throw usage('--limit takes 1 to 500; --all takes them all.');
  const cursor = call.text('cursor');
  const first = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) };
  if (!call.flag('all')) {
    const { items, next } = await list(first);
    if (next !== null) call.out.note(`There are more: --all, or --cursor ${next}`);
    return items;
  }
  const all: T[] = [];
  for (let part: typeof first | null = { ...first, limit: LARGEST }; part !== null;) {
    const { items, next }: Slice<T> = await list(part);
    all.push(...items);
    part = next === null ? null : { limit: LARGEST, cursor: next };
  }
  return all;
}
