import { inSteps, type Stepwise } from '../../../core/kernel/stepwise.ts';
import type { Member } from '../../../core/model/workspace/member.ts';
import type { Page } from '../../../core/model/workspace/page.ts';
import type { Structure } from '../../../core/model/workspace/structure.ts';
import type { Workspace } from '../../../core/model/workspace/workspace.ts';
import { changeStructure, structureSteps } from '../../../core/tree/build.ts';
import { entryCount } from '../../../core/tree/totals.ts';
import { EventLoopYielder } from '../../event-loop/yielder.ts';
import { fromDoc, fromMemberDoc, fromPageDoc, type StructureState, type DocumentReader } from '../query/documents.ts';
import { type Doc, queryById } from '../query/query.ts';

/** A structure, and how much heavier it is than the one it was derived from. */
export interface LoadedStructure {
  readonly structure: Structure;
  readonly weight: number;
}

/** A structure further behind than this is loaded anew. */
const MAX_REVISIONS = 500;

/** Loads all of a structure. O(members and pages) in steps. */
export async function loadStructure(
  documents: DocumentReader,
  workspaceId: string,
  { revision }: StructureState,
): Promise<LoadedStructure> {
  const { workspace, members, pages } = await writtenSince(documents, workspaceId, -1);
  if (workspace === null) throw new Error(`The workspace ${workspaceId} has lost its record.`);
  const structure = await inSteps(structureSteps(workspace, revision, members, pages), new EventLoopYielder());
  return { structure, weight: members.length + pages.length };
}

/** Updates a structure of an older revision. Null if it must be loaded anew. */
export async function structureSince(
  documents: DocumentReader,
  before: Structure,
  { revision, createdAtRevision, settledAtRevision }: StructureState,
): Promise<LoadedStructure | null> {
  if (before.revision < createdAtRevision || revision - before.revision > MAX_REVISIONS) return null;
  const since = await writtenSince(documents, before.workspace.id, before.revision);
  const { workspace, members, pages, removedPages } = since;
  if (workspace === null) return null;
  const isSettled = settledAtRevision > before.revision;
  const changes = { workspace, members, pages };
  let structure = changeStructure(before, { ...changes, removedPages });
  if (removedPages.length > 0) {
    // Pages below removed ones may have no marks yet, so the tree is built anew.
    const removedTasks = isSettled ? [] : structure.removedTasks();
    const steps = structureSteps(structure.workspace, revision, structure.members(), structure.pages(), removedTasks);
    return { structure: await inSteps(steps, new EventLoopYielder()), weight: pages.length };
  }
  if (isSettled) structure = changeStructure(before, { ...changes, settled: true });
  while (structure.revision < revision) structure = changeStructure(structure, {});
  return { structure, weight: pages.length };
}

interface RecordsSince {
  readonly workspace: Workspace | null;
  readonly members: readonly Member[];
  readonly pages: readonly Page[];
  readonly removedPages: readonly string[];
}

/** The workspace, and the pages and members that were written after a revision. */
async function writtenSince(documents: DocumentReader, workspaceId: string, revision: number): Promise<RecordsSince> {
  const filter = { revision: { $gt: revision } };
  const [workspace, members, pages] = await Promise.all([
    documents.one(queryById('workspaces', workspaceId)),
    documents.query({ from: 'members', workspaceId, filter }),
    documents.query({ from: 'pages', workspaceId, filter }),
  ]);
  return inSteps(recordsIn(workspace, members, pages), new EventLoopYielder());
}

/** The number of access entries that take as long to read as a page without entries. */
const ENTRIES = 16;

function* recordsIn(
  workspace: Doc | null,
  memberDocs: readonly Doc[],
  pageDocs: readonly Doc[],
): Stepwise<RecordsSince> {
  const members: Member[] = [];
  for (const doc of memberDocs) {
    members.push(fromMemberDoc(doc));
    yield;
  }
  const pages: Page[] = [];
  const removedPages: string[] = [];
  for (const doc of pageDocs) {
    yield;
    if (!isThere(doc)) {
      removedPages.push(doc._id);
      continue;
    }
    const page = fromPageDoc(doc);
    pages.push(page);
    const entries = entryCount(page);
    for (let read = ENTRIES; read < entries; read += ENTRIES) yield;
  }
  return { workspace: workspace && fromDoc<Workspace>(workspace), members, pages, removedPages };
}

/** Whether it is a page or member, and not the mark of a removed page. */
export function isThere(doc: Doc): boolean {
  return doc['removedAt'] === undefined;
}
