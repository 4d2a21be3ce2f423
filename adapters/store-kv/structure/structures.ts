import { type Cleared, clearedAtStart } from '../../../core/kernel/removed.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { memberFrom, type Member, type StoredMember } from '../../../core/model/workspace/member.ts';
import { pageFrom, type Page, type StoredPage } from '../../../core/model/workspace/page.ts';
import type { ListRange } from '../../../core/ports/collection.ts';
import type { Membership, StructureRepository } from '../../../core/ports/structures.ts';
import { inSteps } from '../../../core/kernel/stepwise.ts';
import { buildStructure, changeStructure, structureSteps } from '../../../core/tree/build.ts';
import type { Structure, StructureChange } from '../../../core/model/workspace/structure.ts';
import { removalOf } from '../../../core/tree/removal.ts';
import type { Workspace } from '../../../core/model/workspace/workspace.ts';
import type { Collections } from '../../../core/ports/collection.ts';
import { WRITE_COST } from '../engine/costs.ts';
import { idKey } from '../engine/key.ts';
import { type Kv, type KvValue, scan, prefixRange } from '../engine/kv.ts';
import { LazyStructure, WholeStructureNeeded } from './lazy-structure.ts';
import type { KvWorkspaceState, WorkspaceKeys } from './workspace-keys.ts';
import { StoredMembers } from './stored-members.ts';
import { StoredPages } from './stored-pages.ts';
import type { StructureCache } from './structure-cache.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';

/** Workspaces of up to this many pages and members are loaded whole at once. */
const SMALL = 64;

export class KvStructures implements StructureRepository {
  readonly #kv: Kv;
  readonly #workspaceKeys: WorkspaceKeys;
  readonly #collections: () => Pick<Collections, 'workspaces' | 'invitations'>;
  readonly #cache: StructureCache;
  readonly #mayLoad: boolean;
  readonly #yielder: Yielder;
  #ownMembers: StoredMembers | undefined;
  #ownPages: StoredPages | undefined;
  /** Structures changed by this transaction; null if not in memory as a whole. */
  readonly #changed = new Map<string, { readonly structure: Structure; readonly weight: number } | null>();

  /** The structure that the caller has from an earlier snapshot. */
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

  get #members(): StoredMembers {
    return (this.#ownMembers ??= new StoredMembers(this.#kv, this.#workspaceKeys, this.#yielder));
  }

  get #pages(): StoredPages {
    return (this.#ownPages ??= new StoredPages(this.#kv, this.#workspaceKeys, this.#yielder));
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
    // The transaction has changed it, so only this transaction can load it.
    if (changed === null) return this.#loadInSteps(workspaceId, state);
    if (!this.#cache.askedAgain(workspaceId)) return this.#lazy(workspaceId, state.revision);
    if (!this.#mayLoad) throw new WholeStructureNeeded(workspaceId);
    return this.#cache.loadOnce(workspaceId, state.revision, () => this.#loadInSteps(workspaceId, state));
  }

  async insert(workspace: Workspace, owner: Member): Promise<Structure> {
    await this.#collections().workspaces.insert(workspace);
    const state = this.#raise(workspace.id, true);
    this.#members.put(owner);
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
    for (const member of change.members ?? []) this.#members.put(member);
    const removal = removalOf(structure, change);
    for (const page of removal.roots) this.#pages.remove(this.#workspaceKeys.allocate(id), page);
    for (const page of change.pages ?? []) {
      this.#pages.put(page);
      const pause = this.#yielder.step(WRITE_COST);
      if (pause !== null) await pause;
    }
    if (structure instanceof LazyStructure) {
      this.#changed.set(id, null);
      return this.#lazy(id, state.revision);
    }
    const next = await inSteps(changeStructure.inSteps(structure, change), this.#yielder);
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

  async clear(workspaceId: string, _from: string | null, limit: number): Promise<Cleared> {
    const workspaceKey = this.#workspaceKeys.allocate(workspaceId);
    const first = (prefix: string, count: number) => this.#kv.range(prefixRange(prefix + workspaceKey), count, false);
    const members = first(PREFIX.member, limit);
    for (const [key, value] of members) {
      this.#kv.remove(key);
      this.#kv.remove(PREFIX.membership + idKey((value as StoredMember).userId) + idKey(workspaceId));
    }
    const pages = first(PREFIX.page, limit - members.length);
    for (const [, value] of pages) this.#pages.remove(workspaceKey, pageFrom(value as StoredPage));
    const removed = members.length + pages.length;
    return clearedAtStart({ removed, more: removed === limit });
  }

  async stage(_workspaceId: string, { members = [], pages = [] }: StructureChange): Promise<void> {
    for (const member of members) this.#members.put(member);
    for (const page of pages) this.#pages.put(page);
    const pause = this.#yielder.step(WRITE_COST * (members.length + pages.length));
    if (pause !== null) await pause;
  }

  restage(workspaceId: string, pages: readonly Page[]): Promise<void> {
    return this.stage(workspaceId, { pages });
  }

  async open({ workspace }: Structure): Promise<void> {
    await this.#collections().workspaces.insert(workspace);
    this.#raise(workspace.id, true);
    this.#changed.set(workspace.id, null);
  }

  ofUser(userId: string, { after = null, limit = Infinity }: Partial<ListRange<string>> = {}): Promise<Membership[]> {
    return this.#members.ofUser(userId, { after, limit });
  }

  ownedBy(userId: string, range: ListRange<string>): Promise<string[]> {
    return this.#members.ownedBy(userId, range);
  }

  owners(workspaceIds: readonly string[]): Promise<readonly Member[]> {
    return this.#members.owners(workspaceIds);
  }

  countOfUser(userId: string, limit: number): Promise<number> {
    return this.#members.countOfUser(userId, limit);
  }

  storedBelow(workspaceId: string, parentIds: readonly string[], limit: number): Promise<readonly Page[]> {
    return this.#pages.below(workspaceId, parentIds, limit);
  }

  storedChildren(workspaceId: string, parentId: string, after: Page | null, limit: number): Promise<readonly Page[]> {
    return this.#pages.children(workspaceId, parentId, after, limit);
  }

  stored(workspaceId: string, ids: readonly string[]): Promise<readonly Page[]> {
    return this.#pages.byIds(workspaceId, ids);
  }

  async forget(workspaceId: string, pages: readonly Page[]): Promise<void> {
    const workspaceKey = this.#workspaceKeys.allocate(workspaceId);
    for (const page of pages) this.#pages.remove(workspaceKey, page);
  }

  /** Caches changed structures, and drops those whose change is not in memory. Called after the commit. */
  settle(cache: StructureCache): void {
    for (const [workspaceId, changed] of this.#changed) {
      if (changed === null) cache.drop(workspaceId);
      else cache.put(changed.structure, changed.weight);
    }
  }

  #raise(workspaceId: string, open: boolean): KvWorkspaceState {
    this.#workspaceKeys.allocate(workspaceId);
    const before = this.#workspaceKeys.get(workspaceId) as KvWorkspaceState;
    const state: KvWorkspaceState = { ...before, revision: before.revision + 1, open };
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
  async #loadInSteps(workspaceId: string, state: KvWorkspaceState): Promise<Structure> {
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

  #load(workspaceId: string, state: KvWorkspaceState): Structure {
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
}

/**
 * Whether it is the whole structure of that revision: a structure that reads on demand is only valid in its own
 * snapshot.
 */
function isOf(structure: Structure, workspaceId: string, revision: number): boolean {
  return (
    structure.workspace.id === workspaceId && structure.revision === revision && !(structure instanceof LazyStructure)
  );
}
