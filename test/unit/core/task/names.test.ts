import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { TASK_EXPANSIONS } from '../../../../core/names/task-names.ts';
import { countingStore } from '../../../fixtures/store/counting-store.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { WatchedStore } from '../../../fixtures/store/watched-store.ts';
import { fault, newWorld } from '../../../fixtures/world/world.ts';

/** A board with two columns and a tag, and a task of the owner on it that is assigned to owner and member. */
async function newTask() {
  const made = await newTeam();
  const { at, owner, member } = made;
  const board = await made.board('Dev');
  const done = await owner.statuses.create({ ...at, boardId: board.id, name: 'Done', done: true });
  const tag = await owner.tags.create({ ...at, boardId: board.id, name: 'bug', color: 'red' });
  const task = await owner.tasks.create({
    ...at,
    boardId: board.id,
    title: 'Task',
    statusId: done.id,
    tags: [tag.id],
    assignees: [owner.memberId, member.memberId],
  });
  return { ...made, boardId: board.id, done, tag, task: { ...at, taskId: task.id } };
}

describe('names beside ids', () => {
  it('tell what each id in a task stands for, alike in a list and alone', async () => {
    const { at, owner, member, boardId, done, tag, task } = await newTask();
    const named = {
      status: { id: done.id, name: 'Done', done: true },
      board: { id: boardId, name: 'Dev' },
      tags: [{ id: tag.id, name: 'bug', color: 'red' }],
      assignees: [
        { id: owner.memberId, name: owner.name },
        { id: member.memberId, name: member.name },
      ],
      createdBy: { id: owner.memberId, name: owner.name },
    };
    const [listed] = (await member.tasks.list({ ...at, expand: TASK_EXPANSIONS })).items;
    expect(listed?.expanded).to.deep.equal(named);
    expect((await member.tasks.get({ ...task, expand: TASK_EXPANSIONS })).expanded).to.deep.equal(named);
    const { expanded } = await member.tasks.get({ ...task, expand: ['board'] });
    expect(expanded).to.deep.equal({ board: named.board });
    const plain = await member.tasks.get(task);
    expect(plain).not.to.have.property('expanded');
    expect({ ...(await member.tasks.get({ ...task, expand: TASK_EXPANSIONS })), expanded: undefined }).to.deep.equal({
      ...plain,
      expanded: undefined,
    });
  });

  it('name the author of each comment, those who left too', async () => {
    const { at, owner, member, task } = await newTask();
    await member.comments.create({ ...task, content: 'Soon.' });
    await owner.members.remove({ ...at, memberId: member.memberId });
    const { comments, expanded } = await owner.tasks.get({ ...task, expand: ['author', 'assignees'] });
    expect(comments.map((comment) => comment.expanded)).to.deep.equal([
      { author: { id: member.memberId, name: member.name } },
    ]);
    expect(expanded).to.deep.equal({ assignees: [{ id: owner.memberId, name: owner.name }] });
  });

  it('show a guest no name of a member but their own', async () => {
    const { at, owner, guest, boardId, task, grant } = await newTask();
    await grant(boardId, guest, 300);
    await guest.comments.create({ ...task, content: 'Mine.' });
    await owner.comments.create({ ...task, content: 'Yours.' });
    await owner.tasks.assign({ ...task, memberId: guest.memberId });
    const { expanded, comments } = await guest.tasks.get({ ...task, expand: ['assignees', 'createdBy', 'author'] });
    expect(expanded?.createdBy).to.deep.equal({ id: owner.memberId, name: null });
    expect(expanded?.assignees?.map(({ name }) => name)).to.deep.equal([null, null, guest.name]);
    expect(comments.map((comment) => comment.expanded?.author?.name)).to.deep.equal([guest.name, null]);
    const [page] = await guest.pages.list({ ...at, expand: ['createdBy'] });
    expect(page?.expanded).to.deep.equal({ createdBy: { id: owner.memberId, name: null } });
  });

  it('show nothing of a board to one who sees the task by its own page alone', async () => {
    const { at, owner, guest, task, grant } = await newTask();
    await owner.pages.create({ ...at, name: 'Task', type: 'task', taskId: task.taskId });
    await grant(task.taskId, guest, 100);
    const hidden = { status: null, board: null, tags: [] };
    const expand = ['status', 'board', 'tags'] as const;
    expect((await guest.tasks.get({ ...task, expand })).expanded).to.deep.equal(hidden);
    expect((await guest.tasks.list({ ...at, expand })).items.map(({ expanded }) => expanded)).to.deep.equal([hidden]);
  });

  it('leave out a page above that is hidden', async () => {
    const { at, owner, guest, grant } = await newTask();
    const above = await owner.pages.create({ ...at, name: 'Above', type: 'folder' });
    const below = await owner.pages.create({ ...at, name: 'Below', type: 'folder', parentId: above.id });
    await grant(below.id, guest, 100);
    const page = { ...at, pageId: below.id, expand: ['parent'] as const };
    expect((await owner.pages.get(page)).expanded).to.deep.equal({ parent: { id: above.id, name: 'Above' } });
    expect((await guest.pages.get(page)).expanded).to.deep.equal({ parent: null });
    const explained = { ...at, pageId: below.id, expand: ['page', 'member'] as const };
    const { expanded, steps } = await guest.access.explain(explained);
    expect(expanded).to.deep.equal({
      member: { id: guest.memberId, name: guest.name },
      page: { id: below.id, name: 'Below' },
    });
    expect(JSON.stringify(steps)).not.to.contain('Above');
  });

  it('stand in records of access, invitations and the audit trail', async () => {
    const { at, owner, member, outsider, boardId, grant } = await newTask();
    await grant(boardId, member, 100);
    const page = { ...at, pageId: boardId };
    const members = await owner.access.members({ ...page, expand: ['member'] });
    expect(members.map(({ memberId, expanded }) => expanded?.member?.id === memberId)).not.to.contain(false);
    expect(members.find(({ memberId }) => memberId === member.memberId)?.expanded?.member?.name).to.equal(member.name);
    await owner.access.changeSettings({ ...page, inherit: false, defaultAccess: 0 });
    const task = await owner.pages.create({ ...at, name: 'Below', type: 'folder', parentId: boardId });
    const settings = await owner.access.settings({ ...at, pageId: task.id, expand: ['inheritedFrom'] });
    expect(settings.expanded).to.deep.equal({ inheritedFrom: { id: boardId, name: 'Dev' } });
    const pages = [{ pageId: boardId, access: 100 as const }];
    const { id } = await owner.invitations.create({ ...at, pages });
    const expand = ['createdBy', 'member', 'pages'] as const;
    const named = {
      createdBy: { id: owner.memberId, name: owner.name },
      member: null,
      pages: [{ id: boardId, name: 'Dev' }],
    };
    expect((await owner.invitations.get({ ...at, invitationId: id, expand })).expanded).to.deep.equal(named);
    const listed = (await owner.invitations.list({ ...at, expand })).items.find((one) => one.id === id);
    expect(listed?.expanded).to.deep.equal(named);
    const [last] = (await owner.audit.list({ ...at, limit: 1, expand: ['user'] })).items;
    expect(last?.expanded).to.deep.equal({ user: { id: owner.userId, name: owner.name } });
    const [board] = await owner.boards.list({ ...at, expand: ['createdBy'] });
    expect(board?.expanded).to.deep.equal({ createdBy: { id: owner.memberId, name: owner.name } });
    const { id: memberId } = await outsider.invitations.join({ invitationId: id });
    const accepted = await owner.invitations.get({ ...at, invitationId: id, expand: ['member'] });
    expect(accepted.expanded).to.deep.equal({ member: { id: memberId, name: outsider.name } });
  });

  it('are ignored when a record is put back, even where they have changed', async () => {
    const { at, owner, boardId, done, task } = await newTask();
    const read = await owner.tasks.get({ ...task, expand: ['status', 'author'] });
    await owner.statuses.update({ ...at, boardId, statusId: done.id, name: 'Shipped' });
    const written = await owner.tasks.update({ ...task, ...read, title: 'New' });
    expect([written.title, written.statusId]).to.deep.equal(['New', done.id]);
    expect(written).not.to.have.property('expanded');
  });

  it('cost two reads for a whole list, however long it is', async () => {
    const { store, asked } = countingStore(memoryStore());
    const world = newWorld(store);
    const ada = await world.user('Ada');
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const boards = [];
    for (const name of ['One', 'Two', 'Three']) {
      const { id: boardId } = await ada.boards.create({ workspaceId, name });
      await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
      boards.push(boardId);
    }
    for (let n = 0; n < 30; n++) await ada.tasks.create({ workspaceId, boardId: boards[n % 3]!, title: `T${n}` });
    asked.users = asked.boards = 0;
    const { items } = await ada.tasks.list({ workspaceId, expand: TASK_EXPANSIONS });
    expect(items).to.have.length(30);
    expect([asked.users, asked.boards]).to.deep.equal([1, 1]);
    asked.users = asked.boards = 0;
    await ada.tasks.list({ workspaceId, expand: ['board'] });
    expect([asked.users, asked.boards]).to.deep.equal([0, 0]);
  });

  it('belong to no cursor: the next part may ask for others', async () => {
    const { at, owner, boardId } = await newTask();
    await owner.tasks.create({ ...at, boardId, title: 'Second' });
    const { next } = await owner.tasks.list({ ...at, limit: 1, expand: ['status'] });
    expect(await fault(owner.tasks.list({ ...at, cursor: next!, expand: ['board'] }))).to.equal('ok');
  });

  it('are none of a board that is hidden before the names of an answer are read', async () => {
    const store = new WatchedStore(memoryStore());
    const { at, owner, member, board, task, grant } = await newTeam(newWorld(store));
    const { id: boardId, todo } = await board('Secret');
    const tag = await owner.tags.create({ ...at, boardId, name: 'plot' });
    const taskId = await task(boardId, 'Task');
    await owner.tasks.addTag({ ...at, taskId, tagId: tag.id });
    await grant(boardId, member, 300);
    store.onWritten = async () => {
      store.onWritten = () => undefined;
      await grant(boardId, member, 0);
      await owner.statuses.update({ ...at, boardId, statusId: todo, name: 'Later' });
    };
    const answer = await member.tasks.update({ ...at, taskId, title: 'Better', expand: ['status', 'board', 'tags'] });
    expect(answer.title).to.equal('Better');
    expect(answer.expanded).to.deep.equal({ status: null, board: null, tags: [] });
  });
});
