import { boardWithRecords, join } from '../../fixtures/world/workspace.ts';
import type { Api } from './support.ts';

/** A small workspace with everything in it, to ask about. */
export interface SampleWorkspace {
  /** Service administrator and owner. */
  readonly ada: Actor;
  /** Member. */
  readonly bob: Actor;
  /** Guest, who sees nothing. */
  readonly gus: Actor;
  /** Not in the workspace. */
  readonly eve: { readonly id: string; readonly token: string };
  /** By the names of path parameters. */
  readonly ids: Readonly<Record<IdName, string>>;
  /** A status that completes tasks, and a second task. */
  readonly doneId: string;
  readonly otherTaskId: string;
  /** A folder. */
  readonly folderId: string;
  /** Behind which some of it was made. */
  readonly cursor: string;
}

interface Actor {
  readonly id: string;
  readonly token: string;
  readonly memberId: string;
}

type IdName =
  | 'workspaceId'
  | 'pageId'
  | 'boardId'
  | 'statusId'
  | 'tagId'
  | 'taskId'
  | 'fromTaskId'
  | 'type'
  | 'commentId'
  | 'itemId'
  | 'trashId'
  | 'memberId'
  | 'invitationId'
  | 'userId'
  | 'tokenId';

export async function newSampleWorkspace(api: Api): Promise<SampleWorkspace> {
  const { espalier } = api;
  const [adaUser, bobUser, gusUser, eve] = [
    await api.user('Ada', { administrator: true }),
    await api.user('Bob'),
    await api.user('Gus'),
    await api.user('Eve'),
  ];
  const ada = espalier.as(adaUser);
  const workspace = await ada.workspaces.create({ name: 'Acme', description: 'Anvils' });
  const here = { workspaceId: workspace.id };
  const bob = { ...bobUser, memberId: await join(ada, here, espalier.as(bobUser), 20) };
  const gus = { ...gusUser, memberId: await join(ada, here, espalier.as(gusUser), 10) };
  let cursor = '';
  await ada.workspaces.get(here, { onCursor: (now) => void (cursor = now) });
  const folder = await ada.pages.create({ ...here, name: 'Docs', type: 'folder' });
  const { boardId, statusId, doneId, tagId, taskId, commentId } = await boardWithRecords(ada, here, {
    board: { name: 'Sprint' },
    tag: { color: 'red' },
    task: { title: 'Fix it', assignees: [bob.memberId], plannedStartDate: '2026-03-01' },
  });
  const { id: itemId } = await ada.checklists.create({ ...here, taskId, text: 'Reproduce it' });
  const other = await ada.tasks.create({ ...here, boardId, title: 'Write it down' });
  for (const type of ['parent', 'blocks'] as const) {
    await ada.tasks.link({ ...here, fromTaskId: other.id, type, taskId });
  }
  const gone = await ada.pages.create({ ...here, name: 'Old', type: 'folder' });
  await ada.access.grant({ ...here, pageId: gone.id, memberId: bob.memberId, access: 100 });
  await ada.pages.delete({ ...here, pageId: gone.id });
  await ada.access.grant({ ...here, pageId: boardId, memberId: bob.memberId, access: 300 });
  const invitation = await ada.invitations.create(here);
  const { id: tokenId } = await ada.tokens.create({ name: 'spare' });
  return {
    ada: { ...adaUser, memberId: workspace.memberId },
    bob,
    gus,
    eve,
    ids: {
      ...here,
      pageId: boardId,
      boardId,
      statusId,
      tagId,
      taskId,
      fromTaskId: other.id,
      type: 'blocks',
      commentId,
      itemId,
      trashId: gone.id,
      memberId: bob.memberId,
      invitationId: invitation.id,
      userId: bob.id,
      tokenId,
    },
    doneId,
    otherTaskId: other.id,
    folderId: folder.id,
    cursor,
  };
}
