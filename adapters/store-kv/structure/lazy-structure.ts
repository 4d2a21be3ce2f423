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

  /** Below a page that was removed there are pages until they are swept: for nobody. */
  #climb(id: string): void {
    const path: Page[] = [];
    let at: string | null = id;
    while (at !== null && !this.#pages.has(at)) {
      const page = this.#storedPage(idKey(at));
      if (page === undefined) break;
      path.push(page);
      at = page.parentId;
    }
    const reached = at === null || this.#pages.get(at) !== undefined;
    this.#pages.set(id, undefined);
    if (reached) for (const page of path) this.#pages.set(page.id, page);
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
      if (page !== undefined) pages.push(page);
    }
    this.#children.set(parent, pages);
    return pages;
  }

  #all(): Structure {
    this.#whole ??= this.#load();
    return this.#whole;
  }
}
