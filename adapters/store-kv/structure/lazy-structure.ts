import { memberFrom, type Member, type StoredMember } from '../../../core/model/member.ts';
import { pageFrom, type Page, type StoredPage } from '../../../core/model/page.ts';
import type { Structure } from '../../../core/model/structure.ts';
import type { Workspace } from '../../../core/model/workspace.ts';
import { idKey, NO_ID } from '../engine/key.ts';
import { type KvReader, scan, prefixRange } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

/**
 * Reads single records on first touch, so that a process which asks about one task does not load its
 * workspace. Turns to the whole when all members or pages are asked for.
 */
export class LazyStructure implements Structure {
  readonly workspace: Workspace;
  readonly revision: number;
  readonly #kv: KvReader;
  readonly #space: string;
  readonly #load: () => Structure;
  readonly #pages = new Map<string, Page | undefined>();
  readonly #children = new Map<string, readonly Page[]>();
  #whole: Structure | null = null;

  constructor(kv: KvReader, space: string, workspace: Workspace, revision: number, load: () => Structure) {
    this.#kv = kv;
    this.#space = space;
    this.workspace = workspace;
    this.revision = revision;
    this.#load = load;
  }

  members(): Iterable<Member> {
    return this.#all().members();
  }

  member(id: string): Member | undefined {
    if (this.#whole !== null) return this.#whole.member(id);
    return this.#storedMember(idKey(id));
  }

  memberOfUser(userId: string): Member | undefined {
    if (this.#whole !== null) return this.#whole.memberOfUser(userId);
    const id = this.#kv.get(PREFIX.membership + idKey(userId) + idKey(this.workspace.id));
    return id === undefined ? undefined : this.#storedMember(id as string);
  }

  #storedMember(key: string): Member | undefined {
    const stored = this.#kv.get(PREFIX.member + this.#space + key) as StoredMember | undefined;
    return stored === undefined ? undefined : memberFrom(stored);
  }

  pages(): Iterable<Page> {
    return this.#all().pages();
  }

  page(id: string): Page | undefined {
    if (this.#whole !== null) return this.#whole.page(id);
    if (!this.#pages.has(id)) this.#climb(id);
    return this.#pages.get(id);
  }

  /**
   * Finds out whether a page is there: whether all that it hangs on are stored, its parents and of pages of tasks the
   * boards (`core/tree/reach.ts`).
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
      if (page.parentId !== null) waiting.push(page.parentId);
      if (page.boardId !== null) waiting.push(page.boardId);
    }
    for (const [reached, page] of met) this.#pages.set(reached, page);
  }

  #storedPage(key: string): Page | undefined {
    const stored = this.#kv.get(PREFIX.page + this.#space + key) as StoredPage | undefined;
    return stored === undefined ? undefined : pageFrom(stored);
  }

  children(parentId: string | null): readonly Page[] {
    if (this.#whole !== null) return this.#whole.children(parentId);
    if (parentId !== null && this.page(parentId) === undefined) return [];
    const parent = parentId === null ? NO_ID : idKey(parentId);
    const known = this.#children.get(parent);
    if (known !== undefined) return known;
    const pages: Page[] = [];
    for (const [, id] of scan(this.#kv, prefixRange(PREFIX.pageOfParent + this.#space + parent))) {
      const page = this.#storedPage(id as string);
      if (page === undefined || (page.boardId !== null && this.page(page.id) === undefined)) continue;
      this.#pages.set(page.id, page);
      pages.push(page);
    }
    this.#children.set(parent, pages);
    return pages;
  }

  removedTasks(): Iterable<string> {
    return this.#all().removedTasks();
  }

  isRemovedTask(id: string): boolean {
    if (this.#whole !== null) return this.#whole.isRemovedTask(id);
    return this.page(id) === undefined && this.#storedPage(idKey(id)) !== undefined;
  }

  #all(): Structure {
    this.#whole ??= this.#load();
    return this.#whole;
  }
}
