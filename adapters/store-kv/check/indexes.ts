import type { IndexFault, IndexReads } from '../../../core/ports/store.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';
import { idOfKey } from '../engine/key.ts';
import { type KvReader, prefixRange, scan } from '../engine/kv.ts';
import { scopeIn } from '../records/layout.ts';
import { NO_WORKSPACE, type WorkspaceKeys } from '../structure/workspace-keys.ts';
import { countEntries } from '../task/count-entries.ts';
import { IN_KEY } from '../task/index-keys.ts';
import type { IndexedKind, IndexedRecord, CheckedIndex } from './indexed-record.ts';

/** The units of work to compare one record, each key of which is looked up. */
const COMPARE_COST = 8;

/** Compares the records of each kind with the entries of indexes that lead to them. */
export class KvIndexes implements IndexReads {
  readonly #kv: KvReader;
  readonly #workspaceKeys: WorkspaceKeys;
  readonly #kinds: readonly IndexedKind[];
  readonly #yielder: Yielder;

  constructor(kv: KvReader, workspaceKeys: WorkspaceKeys, kinds: readonly IndexedKind[], yielder: Yielder) {
    this.#kv = kv;
    this.#workspaceKeys = workspaceKeys;
    this.#kinds = kinds.filter(({ indexes }) => indexes.size > 0);
    this.#yielder = yielder;
  }

  async check(): Promise<readonly IndexFault[]> {
    const faults: IndexFault[] = [];
    for (const kind of this.#kinds) {
      const found = await this.#lookUp(kind, faults);
      for (const [prefix, index] of kind.indexes) {
        // If an index has as many entries as were found for records, it has no others.
        const isWhole =
          index.isPartial !== true &&
          (await countEntries(this.#kv, prefixRange(prefix), this.#yielder)) === (found.get(prefix) ?? 0);
        if (!isWhole) await this.#findStray(kind, prefix, index, faults);
      }
    }
    return faults;
  }

  /** Looks up the entries of each record. @returns how many were found, by the prefix of the index */
  async #lookUp(kind: IndexedKind, faults: IndexFault[]): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    const prefixes = [...kind.indexes.keys()];
    for (const entry of scan(this.#kv, prefixRange(kind.records))) {
      const record = kind.stored(entry);
      if (!record.entries.has(entry[0])) faults.push(faultOf(record, 'is stored at the key of another record'));
      for (const [key, value] of record.entries) {
        const prefix = prefixes.find((one) => key.startsWith(one));
        if (prefix === undefined) continue;
        const found = this.#kv.get(key);
        if (found !== undefined && (found === value || value === IN_KEY))
          counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
        else faults.push(faultOf(record, `is missing from the index ${kind.indexes.get(prefix)!.name}`));
      }
      const pause = this.#yielder.step(COMPARE_COST);
      if (pause !== null) await pause;
    }
    return counts;
  }

  async #findStray(
    kind: IndexedKind,
    prefix: string,
    { name, scope }: CheckedIndex,
    faults: IndexFault[],
  ): Promise<void> {
    for (const entry of scan(this.#kv, prefixRange(prefix))) {
      const record = kind.indexed(entry, prefix);
      const isKnown = record?.entries.has(entry[0]) === true || kind.isBeingCleared?.(entry, prefix) === true;
      if (!isKnown && record !== undefined) faults.push(faultOf(record, `is at a wrong place in the index ${name}`));
      else if (!isKnown) {
        const workspaceId = this.#workspaceOf(scopeIn(scope, entry[0], prefix));
        faults.push({ workspaceId, id: workspaceId ?? '', detail: `has an entry in the index ${name} of no record` });
      }
      const pause = this.#yielder.step(COMPARE_COST);
      if (pause !== null) await pause;
    }
  }

  #workspaceOf(scope: string): string | null {
    if (scope === '') return null;
    return scope.length > NO_WORKSPACE.length ? idOfKey(scope) : this.#workspaceKeys.idOf(scope);
  }
}

function faultOf({ id, workspaceId }: IndexedRecord, detail: string): IndexFault {
  return { id, workspaceId, detail };
}
