import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Member } from '../../../core/model/member.ts';
import type { StructureRepository } from '../../../core/ports/store.ts';
import { buildStructure, changeStructure } from '../../../core/tree/build.ts';
import { removalOf } from '../../../core/tree/removal.ts';
import type { Structure, StructureChange } from '../../../core/model/structure.ts';
import type { Workspace } from '../../../core/model/workspace.ts';
import type { VersionedCache } from '../cache/versioned-cache.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import { within } from '../query/query.ts';
import { fromDoc, toDoc, toPageDoc, toStructureDoc } from '../query/documents.ts';
import { changesSince, everythingOf } from './load-structure.ts';
import { removePages, removeDescendants } from './subtree-removal.ts';
import { EMPTY_STATE, type WorkspaceState } from './workspace-state.ts';

/** A structure further behind than this is loaded anew. */
const MOST_REVISIONS = 500;

export class MongodbStructures implements StructureRepository {
  readonly #documents: DocumentWriter;
  readonly #cache: VersionedCache<Structure>;
  /** For the cache, once the transaction is committed or the read validated. */
  readonly #loaded: { readonly structure: Structure; readonly weight: number }[] = [];

  constructor(documents: DocumentWriter, cache: VersionedCache<Structure>) {
    this.#documents = documents;
    this.#cache = cache;
  }

  async get(workspaceId: string): Promise<Structure | null> {
    const state = await this.#documents.workspaceState(workspaceId);
    if (state === null || !state.exists) return null;
    const changed = this.#documents.transactionCache.get(keyOf(workspaceId)) as Structure | undefined;
    if (changed !== undefined) return changed;
    const cached = this.#cache.at(workspaceId, state.revision);
    if (cached !== undefined) return cached;
    const { structure, weight } =
      (await this.#bringUpToDate(workspaceId, state)) ?? (await this.#load(workspaceId, state));
    if (this.#documents.writing) this.#documents.transactionCache.set(keyOf(workspaceId), structure);
    this.#loaded.push({ structure, weight });
    return structure;
  }

  async insert(workspace: Workspace, owner: Member): Promise<Structure> {
    const { id } = workspace;
    const before = (await this.#documents.workspaceState(id)) ?? EMPTY_STATE;
    const revision = before.revision + 1;
    await this.#documents.setWorkspaceState(id, { ...before, revision, createdAtRevision: revision, exists: true });
    await this.#documents.insert('workspaces', toDoc(workspace));
    await this.#documents.insert('members', toStructureDoc(owner, revision));
    return this.#keep(buildStructure(workspace, revision, [owner], []), 2);
  }

  async change(structure: Structure, change: StructureChange): Promise<Structure> {
    const { id } = structure.workspace;
    const state = await this.#documents.workspaceState(id);
    if (state === null || !state.exists || state.revision !== structure.revision) {
      throw new EspalierError('store-busy', 'The structure has changed since it was read.');
    }
    const revision = state.revision + 1;
    await this.#documents.setWorkspaceState(id, { ...state, revision });
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
    const state = (await this.#documents.workspaceState(id)) ?? EMPTY_STATE;
    await this.#documents.setWorkspaceState(id, { ...state, revision: state.revision + 1, exists: false });
    await this.#documents.remove('workspaces', id);
    for (const from of ['members', 'pages', 'invitations'] as const) {
      await this.#documents.writeUnindexed(from, { deleteMany: { filter: within(id) } }, id);
    }
    this.#documents.transactionCache.set(keyOf(id), undefined);
  }

  /** Puts what was loaded and changed into the cache. To be called after the commit, or when a read is validated. */
  fillCache(): void {
    for (const { structure, weight } of this.#loaded) {
      this.#cache.set(structure.workspace.id, structure.revision, structure, weight);
    }
  }

  #keep(structure: Structure, weight: number): Structure {
    this.#documents.transactionCache.set(keyOf(structure.workspace.id), structure);
    this.#loaded.push({ structure, weight });
    return structure;
  }

  async #bringUpToDate(workspaceId: string, state: WorkspaceState) {
    const before = this.#cache.before(workspaceId, state.revision);
    if (before === undefined || before.revision < state.createdAtRevision) return null;
    const steps = state.revision - before.revision;
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
      // Their descendants are gone too, and may not be marked yet: build the tree anew.
      const built = buildStructure(structure.workspace, state.revision, structure.members(), structure.pages());
      return { structure: built, weight };
    }
    while (structure.revision < state.revision) structure = changeStructure(structure, {});
    return { structure, weight };
  }

  async #load(workspaceId: string, state: WorkspaceState) {
    const { workspace, members, pages } = await everythingOf(this.#documents, workspaceId);
    if (workspace === null) throw new Error(`The workspace ${workspaceId} has lost its record.`);
    const structure = buildStructure(fromDoc(workspace), state.revision, members, pages);
    return { structure, weight: members.length + pages.length };
  }
}

function keyOf(workspaceId: string): string {
  return `structure ${workspaceId}`;
}
