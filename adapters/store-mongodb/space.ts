import type { Doc, Space } from './access.ts';

export function toSpace(doc: Doc | null): Space | null {
  if (doc === null) return null;
  const { revision, open, born, nums, tally } = doc as unknown as Partial<Space>;
  return { revision: revision ?? 0, open: open ?? false, born: born ?? 0, nums: nums ?? 0, tally: tally ?? null };
}
