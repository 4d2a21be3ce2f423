import type { Slice } from '../core/kernel/record.ts';

/** The most items of one slice of a list. */
export const MAX_LIMIT = 500;

/** The position and size of a slice of a list. */
export interface SliceRequest {
  readonly limit?: number;
  readonly cursor?: string;
}

/** All items of a list. @param cursor where to begin; default: with the first */
export async function* allItems<T>(
  list: (part: SliceRequest) => Promise<Slice<T>>,
  cursor?: string,
): AsyncIterableIterator<T> {
  for await (const items of allSlices(list, cursor)) yield* items;
}

/** The same in slices of the largest size. */
export async function* allSlices<T>(
  list: (part: SliceRequest) => Promise<Slice<T>>,
  cursor?: string,
): AsyncIterableIterator<readonly T[]> {
  for (
    let part: SliceRequest | null = { limit: MAX_LIMIT, ...(cursor === undefined ? {} : { cursor }) };
    part !== null;
  ) {
    const { items, next }: Slice<T> = await list(part);
    yield items;
    part = next === null ? null : { limit: MAX_LIMIT, cursor: next };
  }
}
