import { pageFrom, storedPage, type Page, type StoredPage } from '../../../core/model/workspace/page.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';
import { idKey, integerKey, NO_ID } from '../engine/key.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import { type Kv, prefixRange, resumeFrom } from '../engine/kv.ts';
import type { WorkspaceKeys } from './workspace-keys.ts';

/** Pages by workspace, with an index of the children of each. */
export class StoredPages {
  readonly #kv: Kv;
  readonly #workspaceKeys: WorkspaceKeys;
  readonly #yielder: Yielder;

  constructor(kv: Kv, workspaceKeys: WorkspaceKeys, yielder: Yielder) {
    this.#kv = kv;
    this.#workspaceKeys = workspaceKeys;
    this.#yielder = yielder;
  }

  put(page: Page): void {
    const workspaceKey = this.#workspaceKeys.allocate(page.workspaceId);
    const id = idKey(page.id);
    const before = this.#kv.get(PREFIX.page + workspaceKey + id) as StoredPage | undefined;
    const place = placeOf(page);
    if (before === undefined || placeOf(before) !== place) {
      if (before !== undefined) this.#kv.remove(PREFIX.pageOfParent + workspaceKey + placeOf(before));
      this.#kv.put(PREFIX.pageOfParent + workspaceKey + place, id);
    }
    this.#kv.put(PREFIX.page + workspaceKey + id, storedPage(page));
  }

  /** Its descendants stay stored, unreachable, until `forget`. */
  remove(workspaceKey: string, page: Pick<Page, 'id' | 'parentId' | 'orderKey'>): void {
    this.#kv.remove(PREFIX.pageOfParent + workspaceKey + placeOf(page));
    this.#kv.remove(PREFIX.page + workspaceKey + idKey(page.id));
  }

  async below(workspaceId: string, parentIds: readonly string[], limit: number): Promise<readonly Page[]> {
    const workspaceKey = this.#workspaceKeys.key(workspaceId);
    if (workspaceKey === null) return [];
    const ids: string[] = [];
    const yielder = this.#yielder;
    for (const parentId of parentIds) {
      const below = prefixRange(PREFIX.pageOfParent + workspaceKey + idKey(parentId));
      for (const [, id] of this.#kv.range(below, limit - ids.length, false)) ids.push(id as string);
      if (ids.length >= limit) break;
      const pause = yielder.step();
      if (pause !== null) await pause;
    }
    return this.#stored(workspaceKey, ids);
  }

  async children(workspaceId: string, parentId: string, after: Page | null, limit: number): Promise<readonly Page[]> {
    const workspaceKey = this.#workspaceKeys.key(workspaceId);
    if (workspaceKey === null) return [];
    const prefix = PREFIX.pageOfParent + workspaceKey;
    const all = prefixRange(prefix + idKey(parentId));
    const range = after === null ? all : resumeFrom(all, prefix + placeOf(after), false);
    const ids = this.#kv.range(range, limit, false).map(([, id]) => id as string);
    return this.#stored(workspaceKey, ids);
  }

  async byIds(workspaceId: string, ids: readonly string[]): Promise<readonly Page[]> {
    const workspaceKey = this.#workspaceKeys.key(workspaceId);
    return workspaceKey === null ? [] : this.#stored(workspaceKey, ids.map(idKey));
  }

  async #stored(workspaceKey: string, keys: readonly string[]): Promise<Page[]> {
    const pages: Page[] = [];
    const yielder = this.#yielder;
    for (const key of keys) {
      const stored = this.#kv.get(PREFIX.page + workspaceKey + key) as StoredPage | undefined;
      if (stored !== undefined) pages.push(pageFrom(stored));
      const pause = yielder.step();
      if (pause !== null) await pause;
    }
    return pages;
  }
}

/** The key of a page in the index of children: parent, order key, id. */
export function placeOf(page: Pick<Page, 'id' | 'parentId' | 'orderKey'>): string {
  return (page.parentId === null ? NO_ID : idKey(page.parentId)) + integerKey(page.orderKey) + idKey(page.id);
}
