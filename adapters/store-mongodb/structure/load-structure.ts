import { inSteps, type Stepwise } from '../../../core/kernel/stepwise.ts';
import type { Member } from '../../../core/model/member.ts';
import type { Page } from '../../../core/model/page.ts';
import { fromMemberDoc, fromPageDoc } from '../query/documents.ts';
import { type Doc, type DocumentReader, within } from '../query/query.ts';
import { Yielder } from '../../event-loop/yield.ts';

interface Loaded {
  readonly workspace: Doc | null;
  readonly members: readonly Member[];
  readonly pages: readonly Page[];
  readonly removedPages: readonly string[];
}

export function everythingOf(documents: DocumentReader, workspaceId: string): Promise<Loaded> {
  return since(documents, workspaceId, -1);
}

/** What was written after a revision. */
export function changesSince(documents: DocumentReader, workspaceId: string, revision: number): Promise<Loaded> {
  return since(documents, workspaceId, revision);
}

async function since(documents: DocumentReader, workspaceId: string, revision: number): Promise<Loaded> {
  const filter = { ...within(workspaceId), revision: { $gt: revision } };
  const [workspace, members, pages] = await Promise.all([
    documents.byId('workspaces', workspaceId),
    documents.query({ from: 'members', filter, workspaceId }),
    documents.query({ from: 'pages', filter, workspaceId }),
  ]);
  return inSteps(recordsIn(workspace, members, pages), new Yielder());
}

function* recordsIn(workspace: Doc | null, memberDocs: readonly Doc[], pageDocs: readonly Doc[]): Stepwise<Loaded> {
  const members: Member[] = [];
  for (const doc of memberDocs) {
    members.push(fromMemberDoc(doc));
    yield;
  }
  const pages: Page[] = [];
  const removedPages: string[] = [];
  for (const doc of pageDocs) {
    if (isThere(doc)) pages.push(fromPageDoc(doc));
    else removedPages.push(doc._id);
    yield;
  }
  return { workspace, members, pages, removedPages };
}

/** Whether it is no mark of a removed page. */
export function isThere(doc: Doc): boolean {
  return doc['removedAt'] === undefined;
}
