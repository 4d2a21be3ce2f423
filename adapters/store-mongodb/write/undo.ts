/** Changes in memory that can be taken back as far as the last mark. */
export class UndoLog {
  #steps: (() => void)[] = [];

  mark(): void {
    this.#steps = [];
  }

  back(): void {
    for (const step of this.#steps.toReversed()) step();
    this.#steps = [];
  }

  did(takeBack: () => void): void {
    this.#steps.push(takeBack);
  }

  set<K, V>(map: Map<K, V>, key: K, value: V): void {
    const before = map.get(key);
    const had = map.has(key);
    map.set(key, value);
    this.did(() => void (had ? map.set(key, before as V) : map.delete(key)));
  }

  delete<K, V>(map: Map<K, V>, key: K): void {
    const before = map.get(key);
    if (map.delete(key)) this.did(() => void map.set(key, before as V));
  }
}
