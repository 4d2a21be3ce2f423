import { memberFrom, type Member, type StoredMember } from '../../../core/model/workspace/member.ts';
import { pageFrom, type Page, type StoredPage } from '../../../core/model/workspace/page.ts';
import type { Structure } from '../../../core/model/workspace/structure.ts';
import type { Workspace } from '../../../core/model/workspace/workspace.ts';
import { idKey, NO_ID } from '../engine/key.ts';
import { type KvReader, scan, prefixRange } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

/** Thrown to end work that needs a whole structure in memory. See `runWithWholeStructures`. */
export class WholeStructureNeeded extends Error {
  readonly workspaceId: string;

  constructor(workspaceId: string) {
    super('The structure is needed as a whole.');
    this.workspaceId = workspaceId;
  }
}

/** The most pages that are read one by one: the children of a page, or a page with its ancestors. */
const MAX_AT_ONCE = 1_000;

/**
 * A structure that reads records on demand, so that a process that reads one task does not load the whole workspace.
 *
 * @throws WholeStructureNeeded from methods that would read more: the work is then retried with the whole structure in
 * memory
 */
export class LazyStructure implements Structure {
  readonly isPartial = true;
  readonly workspace: Workspace;
  readonly revision: number;
  readonly #kv: KvReader;
  readonly #workspaceKey: string;
  readonly #pages = new Map<string, Page | undefined>();
  readonly #children = new Map<string, readonly Page[]>();

  constructor(kv: KvReader, workspaceKey: string, workspace: Workspace, revision: number) {
    this.#kv = kv;
    this.#workspaceKey = workspaceKey;
    this.workspace = workspace;
    this.revision = revision;
  }

  members(): Iterable<Member> {
    throw this.#tooMuch();
  }

  member(id: string): Member | undefined {
    return this.#storedMember(idKey(id));
  }

  memberOfUser(userId: string): Member | undefined {
    const id = this.#kv.get(PREFIX.membership + idKey(userId) + idKey(this.workspace.id));
    return id === undefined ? undefined : this.#storedMember(id as string);
  }

  #storedMember(key: string): Member | undefined {
    const stored = this.#kv.get(PREFIX.member + this.#workspaceKey + key) as StoredMember | undefined;
    return stored === undefined ? undefined : memberFrom(stored);
  }

  pages(): Iterable<Page> {
    throw this.#tooMuch();
  }

  page(id: string): Page | undefined {
    if (!this.#pages.has(id)) this.#climb(id);
    return this.#pages.get(id);
  }

  /**
   * Loads a page with all pages that its reachability depends on: its ancestors, and the boards of pages of tasks
   * (`core/tree/reach.ts`). If one of them is not stored, the page is unreachable.
   */
  #climb(id: string): void {
    const met = new Map<string, Page>();
    const waiting = [id];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (met.has(at)) continue;
      const page = this.#pages.has(at) ? this.#pages.get(at) : this.#storedPage(idKey(at));
      if (page === undefined) {
        this.#pages.set(id, undefined);
        return;
      }
      met.set(at, page);
      if (this.#pages.has(at)) continue;
      if (met.size > MAX_AT_ONCE) throw this.#tooMuch();
      if (page.parentId !== null) waiting.push(page.parentId);
      if (page.boardId !== null) waiting.push(page.boardId);
    }
    for (const [reached, page] of met) this.#pages.set(reached, page);
  }

  #storedPage(key: string): Page | undefined {
    const stored = this.#kv.get(PREFIX.page + this.#workspaceKey + key) as StoredPage | undefined;
    return stored === undefined ? undefined : pageFrom(stored);
  }

  children(parentId: string | null): readonly Page[] {
    if (parentId !== null && this.page(parentId) === undefined) return [];
    const parent = parentId === null ? NO_ID : idKey(parentId);
    const known = this.#children.get(parent);
    if (known !== undefined) return known;
    const pages: Page[] = [];
    for (const [, id] of scan(this.#kv, prefixRange(PREFIX.pageOfParent + this.#workspaceKey + parent))) {
      const page = this.#storedPage(id as string);
      if (page === undefined || (page.boardId !== null && this.page(page.id) === undefined)) continue;
      this.#pages.set(page.id, page);
      if (pages.push(page) > MAX_AT_ONCE) throw this.#tooMuch();
    }
    this.#children.set(parent, pages);
    return pages;
  }

  taskPages(): readonly Page[] {
    throw this.#tooMuch();
  }

  removedTasks(): ReadonlySet<string> {
    throw this.#tooMuch();
  }

  isRemovedTask(id: string): boolean {
    return this.page(id) === undefined && this.#storedPage(idKey(id)) !== undefined;
  }

  #tooMuch(): WholeStructureNeeded {
    return new WholeStructureNeeded(this.workspace.id);
  }
}
