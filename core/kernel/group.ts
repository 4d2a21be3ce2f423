import { forEachItemStepwise, type Stepwise } from './stepwise.ts';

/** Lists by group, in a `Map` or the like. */
interface Lists<K, V> {
  get(group: K): V[] | undefined;
  set(group: K, list: V[]): unknown;
}

/** Adds a value to the list of its group. */
export function addToList<K, V>(lists: Lists<K, V>, group: K, value: V): void {
  const list = lists.get(group);
  if (list === undefined) lists.set(group, [value]);
  else list.push(value);
}

/** Adds a value to the set of its group. */
export function addToSet<K, V>(sets: Map<K, Set<V>>, group: K, value: V): void {
  const set = sets.get(group);
  if (set === undefined) sets.set(group, new Set([value]));
  else set.add(value);
}

/** Items by group, in the order given. O(items). */
export function groupBy<K, V>(items: Iterable<V>, groupOf: (item: V) => K): Map<K, V[]> {
  const lists = new Map<K, V[]>();
  for (const item of items) addToList(lists, groupOf(item), item);
  return lists;
}

/** Like {@link groupBy}, in steps. Items whose group is null are left out. */
export function* groupByStepwise<K, V>(
  items: Iterable<V>,
  groupOf: (item: V) => K | null,
): Stepwise<ReadonlyMap<K, readonly V[]>> {
  const lists = new Map<K, V[]>();
  yield* forEachItemStepwise(items, (item) => {
    const group = groupOf(item);
    if (group !== null) addToList(lists, group, item);
  });
  return lists;
}
