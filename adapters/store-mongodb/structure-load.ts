import type { Member } from '../../core/model/member.ts';
import type { Page } from '../../core/model/page.ts';
import { type Access, type Doc, within } from './access.ts';
import { fromPageDoc, fromStructureDoc } from './documents.ts';

interface Loaded {
  readonly workspace: Doc | null;
  readonly members: readonly Member[];
  readonly pages: readonly Page[];
  readonly removedPages: readonly string[];
}

export function everythingOf(access: Access, workspaceId: string): Promise<Loaded> {
  return since(access, workspaceId, -1);
}

/** What was written behind a revision. */
export function changesSince(access: Access, workspaceId: string, revision: number): Promise<Loaded> {
  return since(access, workspaceId, revision);
}

async function since(access: Access, workspaceId: string, revision: number): Promise<Loaded> {
  const filter = { ...within(workspaceId), revision: { $gt: revision } };
  const [workspace, members, pages] = await Promise.all([
    access.byId('workspaces', workspaceId),
    access.ask({ from: 'members', filter, workspaceId }),
    access.ask({ from: 'pages', filter, workspaceId }),
  ]);
  return {
    workspace,
    members: members.map((doc) => fromStructureDoc<Member>(doc)),
    pages: pages.filter(isThere).map(fromPageDoc),
    removedPages: pages.filter((doc) => !isThere(doc)).map((doc) => doc._id),
  };
}

function isThere(doc: Doc): boolean {
  return doc['removedAt'] === undefined;
}
