import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Member } from '../../../core/model/member.ts';
import type { StructureRepository } from '../../../core/ports/store.ts';
import { buildStructure, changeStructure } from '../../../core/tree/build.ts';
import { removalOf } from '../../../core/tree/removal.ts';
import type { Structure, StructureChange } from '../../../core/model/structure.ts';
import type { Workspace } from '../../../core/model/workspace.ts';
import { EMPTY_STATE, type WorkspaceState, type DocumentWriter, within } from '../query/query.ts';
import { fromDoc, toDoc, toPageDoc, toStructureDoc } from '../query/documents.ts';
import type { StructureCache } from '../cache/structure-cache.ts';
import { changesSince, everythingOf } from './load-structure.ts';
import { removePages, removeDescendants } from './subtree-removal.ts';

/** Structures further behind than this, or for longer, are loaded anew. */
const MOST_REVISIONS = 500;
const LONGEST = 3_600_000;

export class MongodbStructures implements StructureRepository {
  readonly #documents: DocumentWriter;
  readonly #cache: StructureCache;
  /** For the cache, once it is certain that they stay. */
  readonly #loaded: { readonly structure: Structure; readonly weight: number }[] = [];

  constructor(documents: DocumentWriter, cache: StructureCache) {
    this.#documents = documents;
    this.#cache = cache;
  }

  async get(workspaceId: string): Promise<Structure | null> {
    const space = await this.#documents.space(workspaceId);
    if (space === null || !space.open) return null;
    const changed = this.#documents.transactionCache.get(keyOf(workspaceId)) as Structure | undefined;
    if (changed !== undefined) return changed;
    const cached = this.#cache.get(workspaceId, space.revision);
    if (cached !== undefined) return cached;
    const { structure, weight } = (await this.#broughtUp(workspaceId, space)) ?? (await this.#load(workspaceId, space));
    if (this.#documents.writing) this.#documents.transactionCache.set(keyOf(workspaceId), structure);
    this.#loaded.push({ structure, weight });
    return structure;
  }

  async insert(workspace: Workspace, owner: Member): Promise<Structure> {
    const { id } = workspace;
    const before = (await this.#documents.space(id)) ?? EMPTY_STATE;
    const revision = before.revision + 1;
    await this.#documents.setWorkspaceState(id, { ...before, revision, born: revision, open: true });
    await this.#documents.insert('workspaces', toDoc(workspace));
    await this.#documents.insert('members', toStructureDoc(owner, revision));
    return this.#keep(buildStructure(workspace, revision, [owner], []), 2);
  }

  async change(structure: Structure, change: StructureChange): Promise<Structure> {
    const { id } = structure.workspace;
    const space = await this.#documents.space(id);
    if (space === null || !space.open || space.revision !== structure.revision) {
      throw new EspalierError('store-busy', 'The structure has changed since it was read.');
    }
    const revision = space.revision + 1;
    await this.#documents.setWorkspaceState(id, { ...space, revision });
    const { workspace, members = [], pages = [] } = change;
    const removal = removalOf(structure, change);
    if (workspace !== undefined) await this.#documents.replace('workspaces', toDoc(workspace));
    for (const member of members) await this.#documents.replace('members', toStructureDoc(member, revision));
    await removePages(this.#documents, id, removal, revision);
    for (const page of pages) await this.#documents.replace('pages', toPageDoc(page, revision));
    const weight = this.#cache.weightOf(id) + members.length + pages.length - removal.ids.size;
    return this.#keep(changeStructure(structure, change), Math.max(1, weight));
  }

  sweep(workspaceId: string, removedPageId: string, limit: number): Promise<boolean> {
    return removeDescendants(this.#documents, workspaceId, removedPageId, limit);
  }

  async remove(structure: Structure): Promise<void> {
    const { id } = structure.workspace;
    const space = (await this.#documents.space(id)) ?? EMPTY_STATE;
    await this.#documents.setWorkspaceState(id, { ...space, revision: space.revision + 1, open: false });
    await this.#documents.remove('workspaces', id);
    for (const from of ['members', 'pages', 'invitations'] as const) {
      await this.#documents.other(from, { deleteMany: { filter: within(id) } }, id);
    }
    this.#documents.transactionCache.set(keyOf(id), undefined);
  }

  /** Hands what was loaded and changed to the cache. To be called when what was read cannot be undone. */
  settle(): void {
    for (const { structure, weight } of this.#loaded) this.#cache.put(structure, weight);
  }

  #keep(structure: Structure, weight: number): Structure {
    this.#documents.transactionCache.set(keyOf(structure.workspace.id), structure);
    this.#loaded.push({ structure, weight });
    return structure;
  }

  async #broughtUp(workspaceId: string, space: WorkspaceState) {
    const before = this.#cache.before(workspaceId, space.revision, LONGEST);
    if (before === undefined || before.revision < space.born) return null;
    const steps = space.revision - before.revision;
    if (steps > MOST_REVISIONS) return null;
    const { workspace, members, pages, removedPages } = await changesSince(
      this.#documents,
      workspaceId,
      before.revision,
    );
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

  async #load(workspaceId: string, space: WorkspaceState) {
    const { workspace, members, pages } = await everythingOf(this.#documents, workspaceId);
    if (workspace === null) throw new Error(`The workspace ${workspaceId} has lost its record.`);
    const structure = buildStructure(fromDoc(workspace), space.revision, members, pages);
    return { structure, weight: members.length + pages.length };
  }
}

function keyOf(workspaceId: string): string {
  return `structure ${workspaceId}`;
}
