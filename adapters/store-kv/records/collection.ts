import { EspalierError } from '../../../core/kernel/errors.ts';
import { expectMutable, workspaceOf } from '../../../core/model/collections.ts';
import type { AnyCollection, ListRange } from '../../../core/ports/collection.ts';
import { ENTRY_COST, WRITE_COST } from '../engine/costs.ts';
import { idKey } from '../engine/key.ts';
import { chunks, type Kv, type KvRange, type KvValue, prefixRange, scan } from '../engine/kv.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';
import type { WorkspaceKeys } from '../structure/workspace-keys.ts';
import {
  entriesOf,
  type IndexLayout,
  type Layout,
  listSuffix,
  orderSuffix,
  recordAt,
  type KeyScope,
  scopeKey,
  type StoredRecord,
  uniqueSuffix,
  upToDate,
} from './layout.ts';

/** A collection over ordered keys, as declared by its layout. */
export class KvCollection<T extends StoredRecord = StoredRecord> implements AnyCollection<T> {
  readonly #kv: Kv;
  readonly #workspaceKeys: WorkspaceKeys;
  readonly #layout: Layout;
  readonly #yielder: Yielder;

  /** @param yielder yields during long transactions */
  constructor(kv: Kv, workspaceKeys: WorkspaceKeys, layout: Layout, yielder: Yielder) {
    this.#kv = kv;
    this.#workspaceKeys = workspaceKeys;
    this.#layout = layout;
    this.#yielder = yielder;
  }

  async get(...address: readonly string[]): Promise<T | null> {
    const scope = this.#known(this.#layout.recordScope, address[0]);
    return scope === null ? null : this.#at(scope, idKey(address.at(-1) ?? ''));
  }

  async many(...address: readonly [...scope: string[], ids: readonly string[]]): Promise<ReadonlyMap<string, T>> {
    const scope = this.#known(this.#layout.recordScope, address[0] as string);
    const found = new Map<string, T>();
    for (const id of scope === null ? [] : (address.at(-1) as readonly string[])) {
      const record = this.#at(scope!, idKey(id));
      if (record !== null) found.set(id, record);
      const pause = this.#yielder.step(this.#layout.spec.readCost);
      if (pause !== null) await pause;
    }
    return found;
  }

  async by(values: object): Promise<T | null> {
    const { uniques, indexScope, key } = this.#layout;
    const unique = uniques.find(({ fields }) => fields.every((name) => name in values));
    const scope = this.#known(indexScope, workspaceOf(values));
    if (unique === undefined || scope === null) return null;
    const found = this.#kv.get(unique.prefix + scope + uniqueSuffix(unique, values));
    if (found === undefined) return null;
    return unique === key ? this.#upToDate(found) : this.#at(scope, found as string);
  }

  async list(name: string, values: object, within: ListRange): Promise<readonly T[]> {
    const { index, scope, range } = this.#rangeOf(name, values, within);
    const found: T[] = [];
    if (range === null || within.limit <= 0) return found;
    for (const [, value] of scan(this.#kv, range, within.descending, within.limit)) {
      const record = index.isOfRecords ? this.#upToDate(value) : this.#at(scope, value as string);
      if (record !== null) found.push(record);
      if (found.length >= within.limit) break;
      const pause = this.#yielder.step(this.#layout.spec.readCost);
      if (pause !== null) await pause;
    }
    return found;
  }

  async count(name: string, values: object, within: ListRange): Promise<number> {
    const { range } = this.#rangeOf(name, values, within);
    let count = 0;
    if (range === null || within.limit <= 0) return count;
    for (const entries of chunks(this.#kv, range, false, within.limit)) {
      count += entries.length;
      if (count >= within.limit) return within.limit;
      const pause = this.#yielder.step(entries.length * ENTRY_COST);
      if (pause !== null) await pause;
    }
    return count;
  }

  async insert(record: T): Promise<void> {
    const pause = this.#yielder.step(WRITE_COST);
    if (pause !== null) await pause;
    this.#put(record, null);
  }

  async replace(record: T): Promise<void> {
    expectMutable(this.#layout.spec);
    const pause = this.#yielder.step(WRITE_COST);
    if (pause !== null) await pause;
    this.#put(record, this.#stored(record));
  }

  async remove(record: T): Promise<void> {
    expectMutable(this.#layout.spec);
    const pause = this.#yielder.step(WRITE_COST);
    if (pause !== null) await pause;
    const stored = this.#stored(record);
    if (stored !== null) for (const key of this.#entries(stored).keys()) this.#kv.remove(key);
  }

  #put(record: T, before: T | null): void {
    const entries = this.#entries(record);
    const old = before === null ? null : this.#entries(before);
    const inIndexes = this.#claimed(this.#layout.indexScope, record);
    for (const unique of this.#layout.uniques) {
      const suffix = uniqueSuffix(unique, record);
      const key = unique.prefix + inIndexes + suffix;
      if (suffix === null || old?.has(key) === true || this.#kv.get(key) === undefined) continue;
      throw new EspalierError(unique.code, unique.detail);
    }
    if (old !== null) for (const key of old.keys()) if (!entries.has(key)) this.#kv.remove(key);
    for (const [key, value] of entries) this.#kv.put(key, value);
  }

  #entries(record: T): Map<string, KvValue> {
    return entriesOf(this.#layout, record, (scope) => this.#claimed(scope, record));
  }

  #rangeOf(name: string, values: object, { after, descending = false }: ListRange) {
    const index = this.#layout.indexes.get(name) as IndexLayout;
    const scope = this.#known(index.scope, workspaceOf(values));
    if (scope === null) return { index, scope: '', range: null };
    const list = index.prefix + scope + listSuffix(index, values);
    return { index, scope, range: behind(prefixRange(list), list, this.#afterSuffix(index, after), descending) };
  }

  #afterSuffix(index: IndexLayout, after: unknown): string {
    if (after === null || after === undefined) return '';
    if (typeof after === 'string') return idKey(after);
    const { key } = this.#layout;
    return index.isOfRecords && key !== undefined ? (uniqueSuffix(key, after) ?? '') : orderSuffix(index, after);
  }

  #stored(record: T): T | null {
    const scope = this.#known(this.#layout.recordScope, record.workspaceId);
    return scope === null ? null : this.#at(scope, idKey(record.id));
  }

  /** @param pointer the value of an index entry */
  #at(scope: string, pointer: string): T | null {
    return recordAt(this.#kv, this.#layout, scope, pointer) as T | null;
  }

  #upToDate(stored: KvValue): T {
    return upToDate(this.#layout, stored) as T;
  }

  /** Null for a workspace that never had any record. */
  #known(scope: KeyScope, workspaceId: string | null | undefined): string | null {
    return scopeKey(scope, workspaceId, this.#workspaceKeys);
  }

  #claimed(scope: KeyScope, { workspaceId }: T): string {
    if (scope === 'short-name' && typeof workspaceId === 'string') return this.#workspaceKeys.allocate(workspaceId);
    return this.#known(scope, workspaceId) as string;
  }
}

/** The part of a list after a suffix; for '' all of the list. */
function behind(range: KvRange, list: string, suffix: string, descending: boolean): KvRange {
  if (suffix === '') return range;
  return descending ? { from: range.from, to: list + suffix } : { from: prefixRange(list + suffix).to, to: range.to };
}
