/** Ids that one query names, at most: a command is encoded, and its answer made into records, while others wait. */
const MOST_IDS = 1_000;

/** Ids as queries may name them. */
export function* inParts(ids: readonly string[]): IterableIterator<readonly string[]> {
  for (let from = 0; from < ids.length; from += MOST_IDS) yield ids.slice(from, from + MOST_IDS);
}
