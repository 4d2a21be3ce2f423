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
  | 'commentId'
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
  const join = async (user: { id: string; token: string }, role: 10 | 20) => {
    const { id } = await ada.invitations.create({ ...here, role });
    return { ...user, memberId: (await espalier.as(user).invitations.join({ invitationId: id })).id };
  };
  const bob = await join(bobUser, 20);
  const gus = await join(gusUser, 10);
  const folder = await ada.pages.create({ ...here, name: 'Docs', type: 'folder' });
  const board = await ada.boards.create({ ...here, name: 'Sprint' });
  const onBoard = { ...here, boardId: board.id };
  const status = await ada.statuses.create({ ...onBoard, name: 'To do' });
  const done = await ada.statuses.create({ ...onBoard, name: 'Done', done: true });
  const tag = await ada.tags.create({ ...onBoard, name: 'bug', color: 'red' });
  const draft = { ...onBoard, tags: [tag.id], assignees: [bob.memberId] };
  const task = await ada.tasks.create({ ...draft, title: 'Fix it', plannedStartDate: '2026-03-01' });
  const other = await ada.tasks.create({ ...onBoard, title: 'Write it down' });
  const comment = await ada.comments.create({ ...here, taskId: task.id, content: 'Soon.' });
  await ada.access.grant({ ...here, pageId: board.id, memberId: bob.memberId, access: 300 });
  const invitation = await ada.invitations.create(here);
  const { id: tokenId } = await ada.tokens.create({ name: 'spare' });
  return {
    ada: { ...adaUser, memberId: workspace.memberId },
    bob,
    gus,
    eve,
    ids: {
      ...here,
      pageId: board.id,
      boardId: board.id,
      statusId: status.id,
      tagId: tag.id,
      taskId: task.id,
      commentId: comment.id,
      memberId: bob.memberId,
      invitationId: invitation.id,
      userId: bob.id,
      tokenId,
    },
    doneId: done.id,
    otherTaskId: other.id,
    folderId: folder.id,
  };
}
