import { EspalierError } from '../../../core/kernel/errors.ts';
import { memberFrom, type Member, type StoredMember } from '../../../core/model/workspace/member.ts';
import { pageFrom, storedPage, type Page, type StoredPage } from '../../../core/model/workspace/page.ts';
import { OWNER } from '../../../core/model/access/role.ts';
import type { Part } from '../../../core/ports/collection.ts';
import type { Membership, StructureRepository } from '../../../core/ports/store.ts';
import { inSteps } from '../../../core/kernel/stepwise.ts';
import { buildStructure, changeStructure, structureSteps } from '../../../core/tree/build.ts';
import type { Structure, StructureChange } from '../../../core/model/workspace/structure.ts';
import { removalOf } from '../../../core/tree/removal.ts';
import type { Workspace } from '../../../core/model/workspace/workspace.ts';
import type { Collections } from '../../../core/ports/collection.ts';
import { idKey, integerKey, NO_ID } from '../engine/key.ts';
import { type Kv, type KvValue, scan, prefixRange, resumeFrom } from '../engine/kv.ts';
import { LazyStructure, WholeStructureNeeded } from './lazy-structure.ts';
import type { WorkspaceState, WorkspaceKeys } from './workspace-keys.ts';
import type { StructureCache } from './structure-cache.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import type { Yielder } from '../../event-loop/yield.ts';

/** A page or member takes as long to write as some reads. */
const WRITTEN = 4;

/** Records that are read to tell whether and as what a user is in a workspace. */
const READS_OF_MEMBERSHIP = 4;

/** Workspaces of up to this many pages and members are loaded whole at once. */
const SMALL = 64;

export class KvStructures implements StructureRepository {
  readonly #kv: Kv;
  readonly #workspaceKeys: WorkspaceKeys;
  readonly #collections: () => Pick<Collections, 'workspaces' | 'invitations'>;
  readonly #cache: StructureCache;
  readonly #mayLoad: boolean;
  readonly #yielder: Yielder;
  /** Structures changed by this transaction; null if not in memory as a whole. */
  readonly #changed = new Map<string, { readonly structure: Structure; readonly weight: number } | null>();

  /** Given by the caller, who has it from an earlier snapshot. */
  #held: Structure | null = null;

  constructor(
    kv: Kv,
    workspaceKeys: WorkspaceKeys,
    collections: () => Pick<Collections, 'workspaces' | 'invitations'>,
    cache: StructureCache,
    mayLoad: boolean,
    yielder: Yielder,
  ) {
    this.#mayLoad = mayLoad;
    this.#yielder = yielder;
    this.#kv = kv;
    this.#workspaceKeys = workspaceKeys;
    this.#collections = collections;
    this.#cache = cache;
  }

  async get(workspaceId: string, held?: Structure): Promise<Structure | null> {
    const state = this.#workspaceKeys.get(workspaceId);
    if (state === undefined || !state.open) return null;
    const changed = this.#changed.get(workspaceId);
    if (changed) return changed.structure;
    if (changed === undefined && held !== undefined && isOf(held, workspaceId, state.revision)) this.#held = held;
    if (this.#held !== null && isOf(this.#held, workspaceId, state.revision)) return this.#held;
    const cached = this.#cache.get(workspaceId, state.revision);
    if (cached !== undefined && changed === undefined) return cached;
    if (this.#isSmall(workspaceId)) return this.#load(workspaceId, state);
    // Changed by this transaction, so no other can load it: it is loaded within the transaction.
    if (changed === null) return this.#loadInSteps(workspaceId, state);
    if (!this.#cache.askedAgain(workspaceId)) return this.#lazy(workspaceId, state.revision);
    if (!this.#mayLoad) throw new WholeStructureNeeded(workspaceId);
    return this.#cache.loadOnce(workspaceId, state.revision, () => this.#loadInSteps(workspaceId, state));
  }

  async insert(workspace: Workspace, owner: Member): Promise<Structure> {
    await this.#collections().workspaces.insert(workspace);
    const state = this.#raise(workspace.id, true);
    this.#putMember(owner);
    const structure = buildStructure(workspace, state.revision, [owner], []);
    this.#changed.set(workspace.id, { structure, weight: 2 });
    return structure;
  }

  async change(structure: Structure, change: StructureChange): Promise<Structure> {
    const { id } = structure.workspace;
    const before = this.#workspaceKeys.get(id);
    if (before === undefined || !before.open || before.revision !== structure.revision) {
      throw new EspalierError('store-busy', 'The structure has changed since it was read.');
    }
    const state = this.#raise(id, true);
    if (change.workspace !== undefined) await this.#collections().workspaces.replace(change.workspace);
    for (const member of change.members ?? []) this.#putMember(member);
    const removal = removalOf(structure, change);
    for (const page of removal.roots) this.#removePage(this.#workspaceKeys.allocate(id), page);
    for (const page of change.pages ?? []) this.#putPage(page);
    if (structure instanceof LazyStructure) {
      this.#changed.set(id, null);
      return this.#lazy(id, state.revision);
    }
    const next = changeStructure(structure, change);
    const { members = [], pages = [], restoredPages = [] } = change;
    const grown = members.length + pages.length + restoredPages.length - removal.ids.size;
    const weight = this.#changed.get(id)?.weight ?? this.#cache.weightOf(id);
    this.#changed.set(id, { structure: next, weight: Math.max(1, weight + grown) });
    return next;
  }

  async remove({ workspace }: Structure): Promise<void> {
    await this.#collections().workspaces.remove(workspace);
    this.#raise(workspace.id, false);
    this.#changed.set(workspace.id, null);
  }

  async clear(
    workspaceId: string,
    limit: number,
  ): Promise<{ readonly pages: readonly Page[]; readonly more: boolean }> {
    const workspaceKey = this.#workspaceKeys.allocate(workspaceId);
    const { invitations } = this.#collections();
    const sent = await invitations.list('ofWorkspace', { workspaceId }, { limit });
    for (const invitation of sent) await invitations.remove(invitation);
    let left = limit - sent.length;
    const of = (prefix: string) => this.#kv.range(prefixRange(prefix + workspaceKey), left, false);
    const members = of(PREFIX.member);
    for (const [key, value] of members) {
      this.#kv.remove(key);
      this.#kv.remove(PREFIX.membership + idKey((value as StoredMember).userId) + idKey(workspaceId));
    }
    left -= members.length;
    const pages = of(PREFIX.page).map(([, value]) => pageFrom(value as StoredPage));
    for (const page of pages) this.#removePage(workspaceKey, page);
    return { pages, more: pages.length === left };
  }

  async stage(_workspaceId: string, { members = [], pages = [] }: StructureChange): Promise<void> {
    for (const member of members) this.#putMember(member);
    for (const page of pages) this.#putPage(page);
    const pause = this.#yielder.step(WRITTEN * (members.length + pages.length));
    if (pause !== null) await pause;
  }

  async open({ workspace }: Structure): Promise<void> {
    await this.#collections().workspaces.insert(workspace);
    this.#raise(workspace.id, true);
    this.#changed.set(workspace.id, null);
  }

  async ofUser(userId: string, { after = null, limit = Infinity }: Partial<Part<string>> = {}): Promise<Membership[]> {
    const found: Membership[] = [];
    const yielder = this.#yielder;
    for (const one of this.#membershipsOf(userId, after)) {
      if (found.length >= limit) break;
      if (one !== null) found.push(one);
      const pause = yielder.step(READS_OF_MEMBERSHIP);
      if (pause !== null) await pause;
    }
    return found;
  }

  async ownedBy(userId: string, { after, limit }: Part<string>): Promise<string[]> {
    const found: string[] = [];
    const yielder = this.#yielder;
    for (const one of this.#membershipsOf(userId, after)) {
      if (found.length >= limit) break;
      if (one?.member.role === OWNER) found.push(one.workspace.id);
      const pause = yielder.step(READS_OF_MEMBERSHIP);
      if (pause !== null) await pause;
    }
    return found;
  }

  async owners(workspaceIds: readonly string[]): Promise<readonly Member[]> {
    const owners: Member[] = [];
    const yielder = this.#yielder;
    for (const id of workspaceIds) {
      for (const [, value] of scan(this.#kv, prefixRange(PREFIX.member + this.#workspaceKeys.allocate(id)))) {
        const member = memberFrom(value as StoredMember);
        if (member.active && member.role === OWNER) owners.push(member);
        const pause = yielder.step();
        if (pause !== null) await pause;
      }
    }
    return owners;
  }

  async countOfUser(userId: string, limit: number): Promise<number> {
    let count = 0;
    const yielder = this.#yielder;
    for (const one of this.#membershipsOf(userId)) {
      if (one !== null) count += 1;
      if (count >= limit) break;
      const pause = yielder.step(READS_OF_MEMBERSHIP);
      if (pause !== null) await pause;
    }
    return count;
  }

  /** Null for a workspace that no longer exists, or that the user has left. */
  *#membershipsOf(userId: string, after: string | null = null): IterableIterator<Membership | null> {
    const prefix = PREFIX.membership + idKey(userId);
    const all = prefixRange(prefix);
    const range = after === null ? all : resumeFrom(all, prefix + idKey(after), false);
    for (const [key, memberId] of scan(this.#kv, range)) {
      const workspace = this.#kv.get(PREFIX.workspace + key.slice(prefix.length)) as Workspace | undefined;
      const workspaceKey = workspace === undefined ? null : this.#workspaceKeys.key(workspace.id);
      const stored =
        workspaceKey === null ? undefined : this.#kv.get(PREFIX.member + workspaceKey + (memberId as string));
      const member = stored as StoredMember | undefined;
      yield workspace !== undefined && member?.active === true ? { workspace, member: memberFrom(member) } : null;
    }
  }

  async storedBelow(workspaceId: string, parentIds: readonly string[], limit: number): Promise<readonly Page[]> {
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

  async storedChildren(
    workspaceId: string,
    parentId: string,
    after: Page | null,
    limit: number,
  ): Promise<readonly Page[]> {
    const workspaceKey = this.#workspaceKeys.key(workspaceId);
    if (workspaceKey === null) return [];
    const prefix = PREFIX.pageOfParent + workspaceKey;
    const all = prefixRange(prefix + idKey(parentId));
    const range = after === null ? all : resumeFrom(all, prefix + placeOf(after), false);
    const ids = this.#kv.range(range, limit, false).map(([, id]) => id as string);
    return this.#stored(workspaceKey, ids);
  }

  async stored(workspaceId: string, ids: readonly string[]): Promise<readonly Page[]> {
    const workspaceKey = this.#workspaceKeys.key(workspaceId);
    return workspaceKey === null ? [] : this.#stored(workspaceKey, ids.map(idKey));
  }

  async forget(workspaceId: string, pages: readonly Page[]): Promise<void> {
    const workspaceKey = this.#workspaceKeys.allocate(workspaceId);
    for (const page of pages) this.#removePage(workspaceKey, page);
  }

  /** Caches changed structures. Called after the commit. */
  settle(cache: StructureCache): void {
    for (const changed of this.#changed.values()) if (changed !== null) cache.put(changed.structure, changed.weight);
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

  #raise(workspaceId: string, open: boolean): WorkspaceState {
    this.#workspaceKeys.allocate(workspaceId);
    const before = this.#workspaceKeys.get(workspaceId) as WorkspaceState;
    const state: WorkspaceState = { ...before, revision: before.revision + 1, open };
    this.#workspaceKeys.put(workspaceId, state);
    return state;
  }

  #isSmall(workspaceId: string): boolean {
    const workspaceKey = this.#workspaceKeys.allocate(workspaceId);
    const hasFew = (prefix: string) =>
      this.#kv.range(prefixRange(prefix + workspaceKey), SMALL + 1, false).length <= SMALL;
    return hasFew(PREFIX.page) && hasFew(PREFIX.member);
  }

  #lazy(workspaceId: string, revision: number): Structure {
    return new LazyStructure(
      this.#kv,
      this.#workspaceKeys.allocate(workspaceId),
      this.#workspace(workspaceId),
      revision,
    );
  }

  /** Like {@link #load}, in steps: a large workspace takes seconds to decode. */
  async #loadInSteps(workspaceId: string, state: WorkspaceState): Promise<Structure> {
    const key = this.#workspaceKeys.allocate(workspaceId);
    const yielder = this.#yielder;
    const records = async <T>(prefix: string, read: (value: KvValue) => T): Promise<T[]> => {
      const all: T[] = [];
      for (const [, value] of scan(this.#kv, prefixRange(prefix))) {
        all.push(read(value));
        const pause = yielder.step();
        if (pause !== null) await pause;
      }
      return all;
    };
    const members = await records(PREFIX.member + key, (value) => memberFrom(value as StoredMember));
    const pages = await records(PREFIX.page + key, (value) => pageFrom(value as StoredPage));
    const steps = structureSteps(this.#workspace(workspaceId), state.revision, members, pages);
    return this.#keep(await inSteps(steps, yielder), members.length + pages.length);
  }

  #load(workspaceId: string, state: WorkspaceState): Structure {
    const key = this.#workspaceKeys.allocate(workspaceId);
    const members = Array.from(scan(this.#kv, prefixRange(PREFIX.member + key)), ([, value]) =>
      memberFrom(value as StoredMember),
    );
    const pages = Array.from(scan(this.#kv, prefixRange(PREFIX.page + key)), ([, value]) =>
      pageFrom(value as StoredPage),
    );
    const structure = buildStructure(this.#workspace(workspaceId), state.revision, members, pages);
    return this.#keep(structure, members.length + pages.length);
  }

  /** A structure changed here must not be cached before the commit. */
  #keep(structure: Structure, weight: number): Structure {
    const { id } = structure.workspace;
    if (this.#changed.has(id)) this.#changed.set(id, { structure, weight });
    else this.#cache.put(structure, weight);
    return structure;
  }

  #workspace(workspaceId: string): Workspace {
    return this.#kv.get(PREFIX.workspace + idKey(workspaceId)) as Workspace;
  }

  #putMember(member: Member): void {
    const id = idKey(member.id);
    this.#kv.put(PREFIX.member + this.#workspaceKeys.allocate(member.workspaceId) + id, member);
    this.#kv.put(PREFIX.membership + idKey(member.userId) + idKey(member.workspaceId), id);
  }

  #putPage(page: Page): void {
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
  #removePage(workspaceKey: string, page: Pick<Page, 'id' | 'parentId' | 'orderKey'>): void {
    this.#kv.remove(PREFIX.pageOfParent + workspaceKey + placeOf(page));
    this.#kv.remove(PREFIX.page + workspaceKey + idKey(page.id));
  }
}

/** The key of a page in the index of children: parent, order key, id. */
function placeOf(page: Pick<Page, 'id' | 'parentId' | 'orderKey'>): string {
  return (page.parentId === null ? NO_ID : idKey(page.parentId)) + integerKey(page.orderKey) + idKey(page.id);
}

/** Whether it is the structure of that revision, as a whole: one that reads on demand belongs to its snapshot. */
function isOf(structure: Structure, workspaceId: string, revision: number): boolean {
  return (
    structure.workspace.id === workspaceId && structure.revision === revision && !(structure instanceof LazyStructure)
  );
}
