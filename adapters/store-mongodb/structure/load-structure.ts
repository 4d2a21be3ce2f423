import type { Member } from '../../../core/model/member.ts';
import type { Page } from '../../../core/model/page.ts';
import { fromMemberDoc, fromPageDoc } from '../query/documents.ts';
import type { DocumentReader } from '../query/document-writer.ts';
import { type Doc, within } from '../query/query.ts';

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
  return {
    workspace,
    members: members.map(fromMemberDoc),
    pages: pages.filter(isThere).map(fromPageDoc),
    removedPages: pages.filter((doc) => !isThere(doc)).map((doc) => doc._id),
  };
}

/** Whether it is no mark of a removed page. */
export function isThere(doc: Doc): boolean {
  return doc['removedAt'] === undefined;
}
