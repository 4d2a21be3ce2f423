import { EspalierError } from '../../core/kernel/errors.ts';
import type { Member } from '../../core/model/member.ts';
import type { StructureRepository } from '../../core/ports/store.ts';
import { buildStructure, changeStructure } from '../../core/tree/build.ts';
import { removalOf } from '../../core/tree/removal.ts';
import type { Structure, StructureChange } from '../../core/model/structure.ts';
import type { Workspace } from '../../core/model/workspace.ts';
import { NO_SPACE, type Space, type WriteAccess, within } from './access.ts';
import { fromDoc, toDoc, toPageDoc, toStructureDoc } from './documents.ts';
import type { StructureCache } from './structure-cache.ts';
import { changesSince, everythingOf } from './structure-load.ts';
import { removePages, sweepBelow } from './sweeps.ts';

/** Structures further behind than this, or for longer, are loaded anew. */
const MOST_REVISIONS = 500;
const LONGEST = 3_600_000;

export class MongodbStructures implements StructureRepository {
  readonly #access: WriteAccess;
  readonly #cache: StructureCache;
  /** For the cache, once it is certain that they stay. */
  readonly #loaded: { readonly structure: Structure; readonly weight: number }[] = [];

  constructor(access: WriteAccess, cache: StructureCache) {
    this.#access = access;
    this.#cache = cache;
  }

  async get(workspaceId: string): Promise<Structure | null> {
    const space = await this.#access.space(workspaceId);
    if (space === null || !space.open) return null;
    const changed = this.#access.derived.get(keyOf(workspaceId)) as Structure | undefined;
    if (changed !== undefined) return changed;
    const cached = this.#cache.get(workspaceId, space.revision);
    if (cached !== undefined) return cached;
    const { structure, weight } = (await this.#broughtUp(workspaceId, space)) ?? (await this.#load(workspaceId, space));
    if (this.#access.writing) this.#access.derived.set(keyOf(workspaceId), structure);
    this.#loaded.push({ structure, weight });
    return structure;
  }

  async insert(workspace: Workspace, owner: Member): Promise<Structure> {
    const { id } = workspace;
    const before = (await this.#access.space(id)) ?? NO_SPACE;
    const revision = before.revision + 1;
    await this.#access.setSpace(id, { ...before, revision, born: revision, open: true });
    await this.#access.insert('workspaces', toDoc(workspace));
    await this.#access.insert('members', toStructureDoc(owner, revision));
    return this.#keep(buildStructure(workspace, revision, [owner], []), 2);
  }

  async change(structure: Structure, change: StructureChange): Promise<Structure> {
    const { id } = structure.workspace;
    const space = await this.#access.space(id);
    if (space === null || !space.open || space.revision !== structure.revision) {
      throw new EspalierError('store-busy', 'The structure has changed since it was read.');
    }
    const revision = space.revision + 1;
    await this.#access.setSpace(id, { ...space, revision });
    const { workspace, members = [], pages = [] } = change;
    const removal = removalOf(structure, change);
    if (workspace !== undefined) await this.#access.replace('workspaces', toDoc(workspace));
    for (const member of members) await this.#access.replace('members', toStructureDoc(member, revision));
    await removePages(this.#access, id, removal, revision);
    for (const page of pages) await this.#access.replace('pages', toPageDoc(page, revision));
    const weight = this.#cache.weightOf(id) + members.length + pages.length - removal.ids.size;
    return this.#keep(changeStructure(structure, change), Math.max(1, weight));
  }

  sweep(workspaceId: string, removedPageId: string, limit: number): Promise<boolean> {
    return sweepBelow(this.#access, workspaceId, removedPageId, limit);
  }

  async remove(structure: Structure): Promise<void> {
    const { id } = structure.workspace;
    const space = (await this.#access.space(id)) ?? NO_SPACE;
    await this.#access.setSpace(id, { ...space, revision: space.revision + 1, open: false });
    await this.#access.remove('workspaces', id);
    for (const from of ['members', 'pages', 'invitations'] as const) {
      await this.#access.other(from, { deleteMany: { filter: within(id) } }, id);
    }
    this.#access.derived.set(keyOf(id), undefined);
  }

  /** Hands what was loaded and changed to the cache. To be called when what was read cannot be undone. */
  settle(): void {
    for (const { structure, weight } of this.#loaded) this.#cache.put(structure, weight);
  }

  #keep(structure: Structure, weight: number): Structure {
    this.#access.derived.set(keyOf(structure.workspace.id), structure);
    this.#loaded.push({ structure, weight });
    return structure;
  }

  async #broughtUp(workspaceId: string, space: Space) {
    const before = this.#cache.before(workspaceId, space.revision, LONGEST);
    if (before === undefined || before.revision < space.born) return null;
    const steps = space.revision - before.revision;
    if (steps > MOST_REVISIONS) return null;
    const { workspace, members, pages, removedPages } = await changesSince(this.#access, workspaceId, before.revision);
    if (workspace === null) return null;
    const weight = this.#cache.weightOf(workspaceId) + pages.length;
    let structure = changeStructure(before, { workspace: fromDoc(workspace), members, pages, removedPages });
    if (removedPages.length > 0) {
      // With them went what is below, of which nothing is said here.
      const [everybody, whatIsLeft] = [structure.members(), structure.pages()];
      return { structure: buildStructure(structure.workspace, space.revision, everybody, whatIsLeft), weight };
    }
    while (structure.revision < space.revision) structure = changeStructure(structure, {});
    return { structure, weight };
  }

  async #load(workspaceId: string, space: Space) {
    const { workspace, members, pages } = await everythingOf(this.#access, workspaceId);
    if (workspace === null) throw new Error(`The workspace ${workspaceId} has lost its record.`);
    const structure = buildStructure(fromDoc(workspace), space.revision, members, pages);
    return { structure, weight: members.length + pages.length };
  }
}

function keyOf(workspaceId: string): string {
  return `structure ${workspaceId}`;
}
