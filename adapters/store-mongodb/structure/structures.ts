import type { Document, Filter } from 'mongodb';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Cleared } from '../../../core/kernel/removed.ts';
import { mapItems } from '../../../core/kernel/stepwise.ts';
import type { Member } from '../../../core/model/workspace/member.ts';
import type { Page } from '../../../core/model/workspace/page.ts';
import { OWNER } from '../../../core/model/access/role.ts';
import type { ListRange } from '../../../core/ports/collection.ts';
import type { Membership, StructureRepository } from '../../../core/ports/structures.ts';
import { buildStructure, changeStructure } from '../../../core/tree/build.ts';
import { removalOf } from '../../../core/tree/removal.ts';
import type { Structure, StructureChange } from '../../../core/model/workspace/structure.ts';
import type { Workspace } from '../../../core/model/workspace/workspace.ts';
import { EventLoopYielder } from '../../event-loop/yielder.ts';
import type { VersionedCache } from '../caches.ts';
import {
  type DocumentWriter,
  fromDoc,
  fromMemberDoc,
  fromPageDoc,
  toDoc,
  toPageDoc,
  toStructureDoc,
} from '../query/documents.ts';
import { type Doc, follows, type Query } from '../query/query.ts';
import { isThere, loadStructure, structureSince } from './load-structure.ts';
import { keepStructure, structureIn } from './transaction-structures.ts';

export class MongodbStructures implements StructureRepository {
  readonly #documents: DocumentWriter;
  readonly #cache: VersionedCache<Structure>;

  constructor(documents: DocumentWriter, cache: VersionedCache<Structure>) {
    this.#documents = documents;
    this.#cache = cache;
  }

  async get(workspaceId: string, held?: Structure): Promise<Structure | null> {
    const state = await this.#documents.workspaceState(workspaceId);
    if (!state.exists) return null;
    const changed = structureIn(this.#documents, workspaceId);
    if (changed !== undefined) return changed;
    const isHeld = held?.workspace.id === workspaceId && held.revision === state.revision;
    const known = isHeld ? held : this.#cache.at(workspaceId, state.revision);
    if (known !== undefined) return this.#keep(known, null);
    const before = this.#cache.before(workspaceId, state.revision);
    const since = before === undefined ? null : await structureSince(this.#documents, before, state);
    if (since !== null) return this.#keep(since.structure, this.#cache.weightOf(workspaceId) + since.weight);
    const { structure, weight } = await loadStructure(this.#documents, workspaceId, state);
    return this.#keep(structure, weight);
  }

  async insert(workspace: Workspace, owner: Member): Promise<Structure> {
    const revision = await this.#open(workspace);
    await this.#documents.insert('members', toStructureDoc(owner, revision));
    return this.#keep(buildStructure(workspace, revision, [owner], []), 2);
  }

  async change(structure: Structure, change: StructureChange): Promise<Structure> {
    const { id } = structure.workspace;
    const state = await this.#documents.workspaceState(id);
    if (state.revision !== structure.revision) {
      throw new EspalierError('store-busy', 'The structure has changed since it was read.');
    }
    const revision = state.revision + 1;
    const settledAtRevision = change.settled === true ? revision : state.settledAtRevision;
    const { workspace, members = [], pages = [], restoredPages = [] } = change;
    // Documents of pages below a restored page are not written: other processes load the structure anew.
    const createdAtRevision = restoredPages.length > 0 ? revision : state.createdAtRevision;
    await this.#documents.changeWorkspaceState(id, { revision, createdAtRevision, settledAtRevision });
    const removal = removalOf(structure, change);
    if (workspace !== undefined) await this.#documents.replace('workspaces', toDoc(workspace));
    for (const member of members) await this.#documents.replace('members', toStructureDoc(member, revision));
    await removePages(this.#documents, id, removal.roots, revision);
    for (const page of pages) await this.#documents.replace('pages', toPageDoc(page, revision));
    const grown = members.length + pages.length + restoredPages.length - removal.ids.size;
    const weight = this.#cache.weightOf(id) + grown;
    return this.#keep(changeStructure(structure, change), Math.max(1, weight));
  }

  async remove({ workspace: { id } }: Structure): Promise<void> {
    const { revision } = await this.#documents.workspaceState(id);
    await this.#documents.changeWorkspaceState(id, { revision: revision + 1, exists: false });
    await this.#documents.remove('workspaces', id);
    keepStructure(this.#documents, id, undefined);
  }

  /** Removes first the members, then the pages by their parents. */
  async clear(workspaceId: string, from: string | null, limit: number): Promise<Cleared> {
    const isAtStart = from === null || from === '';
    const members = isAtStart ? await this.#removeFound({ from: 'members', workspaceId, filter: {}, limit }) : [];
    if (members.length === limit) return { removed: limit, next: '' };
    const pages = await this.#removeFound({
      from: 'pages',
      workspaceId,
      filter: isAtStart ? {} : { parentId: { $gte: from } },
      sort: { parentId: 1 },
      limit: limit - members.length,
    });
    const removed = members.length + pages.length;
    return { removed, next: removed < limit ? null : ((pages.at(-1)!['parentId'] as string | null) ?? '') };
  }

  async #removeFound(query: Query): Promise<readonly Doc[]> {
    const docs = await this.#documents.query({ ...query, project: { parentId: 1 } });
    for (const { _id } of docs) await this.#documents.remove(query.from, _id, query.workspaceId);
    return docs;
  }

  /**
   * Staged records are loaded with the workspace once it is opened, whatever their revision. Records of another
   * workspace are never replaced.
   */
  async stage(_workspaceId: string, { members = [], pages = [] }: StructureChange): Promise<void> {
    for (const member of members) await this.#documents.insert('members', toStructureDoc(member, 0));
    for (const page of pages) await this.#documents.insert('pages', toPageDoc(page, 0));
  }

  /** Like staged pages, no process reads them as changes to the structure. */
  async restage(_workspaceId: string, pages: readonly Page[]): Promise<void> {
    for (const page of pages) await this.#documents.replace('pages', toPageDoc(page, 0));
  }

  async open({ workspace }: Structure): Promise<void> {
    await this.#open(workspace);
  }

  storedBelow(workspaceId: string, parentIds: readonly string[], limit: number): Promise<readonly Page[]> {
    return this.#pages(workspaceId, { parentId: { $in: [...parentIds] } }, limit);
  }

  async storedChildren(
    workspaceId: string,
    parentId: string,
    after: Page | null,
    limit: number,
  ): Promise<readonly Page[]> {
    const from = { orderKey: after?.orderKey, _id: after?.id };
    const bounds = Object.entries(from).map(([path, value]) => ({ path, value, descending: false }));
    const filter = { parentId: { $eq: parentId }, ...(after && follows(bounds)) };
    const sort = { orderKey: 1, _id: 1 } as const;
    const docs = await this.#documents.query({ from: 'pages', workspaceId, filter, sort, limit });
    return docs.map(fromPageDoc);
  }

  stored(workspaceId: string, ids: readonly string[]): Promise<readonly Page[]> {
    return this.#pages(workspaceId, { _id: { $in: [...ids] } }, ids.length);
  }

  async forget(workspaceId: string, pages: readonly Page[]): Promise<void> {
    const { revision } = await this.#documents.workspaceState(workspaceId);
    await removePages(this.#documents, workspaceId, pages, revision);
  }

  async #pages(workspaceId: string, filter: Filter<Doc>, limit: number): Promise<readonly Page[]> {
    if (limit <= 0) return [];
    return (await this.#documents.query({ from: 'pages', workspaceId, filter, limit }))
      .filter(isThere)
      .map(fromPageDoc);
  }

  async ofUser(userId: string, range: ListRange<string> = ALL): Promise<readonly Membership[]> {
    const docs = await this.#membershipsOf(userId, range);
    const membershipIn = ({ workspaces, ...member }: Doc): Membership => {
      return { workspace: fromDoc<Workspace>((workspaces as [Doc])[0]), member: fromMemberDoc(member) };
    };
    return mapItems(docs, new EventLoopYielder(), membershipIn);
  }

  async ownedBy(userId: string, range: ListRange<string>): Promise<readonly string[]> {
    const docs = await this.#membershipsOf(userId, range, { role: { $eq: OWNER } }, ONLY_IDS);
    return docs.map((doc) => doc['workspaceId'] as string);
  }

  async owners(workspaceIds: readonly string[]): Promise<readonly Member[]> {
    if (workspaceIds.length === 0) return [];
    const filter = { workspaceId: { $in: [...workspaceIds] }, role: { $eq: OWNER }, active: { $eq: true } };
    return (await this.#documents.query({ from: 'members', filter })).map(fromMemberDoc);
  }

  async countOfUser(userId: string, limit: number): Promise<number> {
    await this.#documents.lock({ name: `workspaces/${userId}` });
    return (await this.#membershipsOf(userId, { after: null, limit }, {}, ONLY_IDS)).length;
  }

  /**
   * Active members with their workspace, by its id. Members of a workspace that is gone may wait to be removed, and do
   * not count. The slice is cut before workspaces are looked up, as a lookup reads the workspace of every member.
   */
  async #membershipsOf(
    userId: string,
    { after, limit }: ListRange<string>,
    filter: Filter<Doc> = {},
    stages: readonly Document[] = [],
  ): Promise<readonly Doc[]> {
    const found: Doc[] = [];
    for (let last = after; ;) {
      const most = limit - found.length;
      const following = last == null ? {} : { workspaceId: { $gt: last } };
      const docs = await this.#documents.query({
        from: 'members',
        filter: { userId: { $eq: userId }, active: { $eq: true }, ...following, ...filter },
        sort: { workspaceId: 1 },
        ...(most === Infinity ? {} : { limit: most }),
        stagesAfter: [WITH_WORKSPACE, ...stages],
        alsoReads: ['workspaces'],
      });
      for (const doc of docs) if ((doc['workspaces'] as readonly Doc[]).length > 0) found.push(doc);
      if (docs.length < most || found.length === limit) return found;
      last = docs.at(-1)!['workspaceId'] as string;
    }
  }

  /** Makes a workspace exist. @returns its first revision */
  async #open(workspace: Workspace): Promise<number> {
    const { id } = workspace;
    const revision = (await this.#documents.workspaceState(id)).revision + 1;
    await this.#documents.changeWorkspaceState(id, { revision, createdAtRevision: revision, exists: true });
    await this.#documents.insert('workspaces', toDoc(workspace));
    return revision;
  }

  /** @param weight null: it is cached already */
  #keep(structure: Structure, weight: number | null): Structure {
    keepStructure(this.#documents, structure.workspace.id, { structure, weight });
    return structure;
  }
}

const ALL: ListRange<string> = { after: null, limit: Infinity };
const WITH_WORKSPACE = {
  $lookup: { from: 'workspaces', localField: 'workspaceId', foreignField: '_id', as: 'workspaces' },
};
const ONLY_IDS = [{ $project: { workspaceId: 1, 'workspaces._id': 1 } }];

/**
 * Removes pages, leaving marks in their place: a process with an older cached structure drops the pages by these marks.
 * The pages and tasks below them are unreachable (`core/tree/reach.ts`), and are removed in later steps.
 *
 * @param revision the first revision without the pages
 */
async function removePages(
  documents: DocumentWriter,
  workspaceId: string,
  pages: readonly Pick<Page, 'id'>[],
  revision: number,
): Promise<void> {
  for (const { id } of pages) {
    await documents.replace('pages', { _id: id, workspaceId, revision, removedAt: new Date() });
  }
}
