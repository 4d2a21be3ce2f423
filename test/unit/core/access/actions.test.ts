import { expect } from 'chai';
import type { Level } from '../../../../core/model/access/level.ts';
import { newTeam, type BoardAt, type Colleague, type Team } from '../../../fixtures/world/team.ts';
import { outcome } from '../../../fixtures/world/world.ts';

/** A folder with a folder, a board and a task page in it; access is set on the folder alone. */
interface FolderAt {
  readonly team: Team;
  readonly folder: string;
  readonly inner: string;
  readonly board: BoardAt;
  readonly task: string;
  readonly tag: string;
  readonly comment: string;
  /** Elsewhere, with editing for everyone. */
  readonly elsewhere: string;
}

async function newFolder(): Promise<FolderAt> {
  const team = await newTeam();
  const { owner, at } = team;
  const folder = await team.page('Folder');
  const board = await team.board('Board', folder);
  const task = await team.task(board.id, 'Task');
  const { id: tag } = await owner.tags.create({ ...at, boardId: board.id, name: 'Tag' });
  const { id: spare } = await owner.tags.create({ ...at, boardId: board.id, name: 'Spare' });
  await owner.tasks.addTag({ ...at, taskId: task, tagId: spare });
  await owner.tasks.assign({ ...at, taskId: task, memberId: owner.memberId });
  const comment = await owner.comments.create({ ...at, taskId: task, content: 'First' });
  return {
    team,
    folder,
    inner: await team.page('Inner', folder),
    board,
    task,
    tag,
    comment: comment.id,
    elsewhere: await team.page('Elsewhere'),
  };
}

type Act = (colleague: Colleague, records: FolderAt) => Promise<unknown>;

/** What each action needs on the folder or what inherits from it. */
const NEEDS: readonly (readonly [string, Level, Act])[] = [
  ['read a page', 100, (m, s) => m.pages.get({ ...s.team.at, pageId: s.folder })],
  ['read its settings', 100, (m, s) => m.access.settings({ ...s.team.at, pageId: s.folder })],
  ['list its members', 100, (m, s) => m.access.members({ ...s.team.at, pageId: s.folder })],
  ['explain for oneself', 100, (m, s) => m.access.explain({ ...s.team.at, pageId: s.folder })],
  [
    'explain for others',
    400,
    (m, s) => m.access.explain({ ...s.team.at, pageId: s.folder, memberId: s.team.owner.memberId }),
  ],
  ['preview a move to the top', 400, (m, s) => m.access.preview({ ...s.team.at, pageId: s.inner })],
  ['rename a page', 300, (m, s) => m.pages.update({ ...s.team.at, pageId: s.folder, name: 'Other' })],
  ['reorder a page', 300, (m, s) => m.pages.update({ ...s.team.at, pageId: s.inner, orderIndex: 0 })],
  ['move a page', 400, (m, s) => m.pages.update({ ...s.team.at, pageId: s.inner, parentId: s.elsewhere })],
  ['move a page to the top', 400, (m, s) => m.pages.update({ ...s.team.at, pageId: s.inner, parentId: null })],
  ['delete a page of another', 400, (m, s) => m.pages.delete({ ...s.team.at, pageId: s.inner })],
  ['delete a page with pages in it', 400, (m, s) => m.pages.delete({ ...s.team.at, pageId: s.folder })],
  [
    'change settings',
    400,
    (m, s) => m.access.changeSettings({ ...s.team.at, pageId: s.inner, inherit: false, defaultAccess: 0 }),
  ],
  [
    'grant',
    400,
    (m, s) => m.access.grant({ ...s.team.at, pageId: s.inner, memberId: s.team.guest.memberId, access: 100 }),
  ],
  ['read a board', 100, (m, s) => m.boards.get({ ...s.team.at, boardId: s.board.id })],
  ['update a board', 300, (m, s) => m.boards.update({ ...s.team.at, boardId: s.board.id, description: 'Other' })],
  ['delete a board with tasks', 400, (m, s) => m.boards.delete({ ...s.team.at, boardId: s.board.id })],
  ['create a status', 300, (m, s) => m.statuses.create({ ...s.team.at, boardId: s.board.id, name: 'Done' })],
  [
    'update a status',
    300,
    (m, s) => m.statuses.update({ ...s.team.at, boardId: s.board.id, statusId: s.board.todo, name: 'Now' }),
  ],
  ['create a tag', 300, (m, s) => m.tags.create({ ...s.team.at, boardId: s.board.id, name: 'New' })],
  ['update a tag', 300, (m, s) => m.tags.update({ ...s.team.at, boardId: s.board.id, tagId: s.tag, name: 'New' })],
  ['delete a tag', 300, (m, s) => m.tags.delete({ ...s.team.at, boardId: s.board.id, tagId: s.tag })],
  ['read a task', 100, (m, s) => m.tasks.get({ ...s.team.at, taskId: s.task })],
  ['update a task', 300, (m, s) => m.tasks.update({ ...s.team.at, taskId: s.task, title: 'Other' })],
  ['tag a task', 300, (m, s) => m.tasks.addTag({ ...s.team.at, taskId: s.task, tagId: s.tag })],
  ['assign a task', 300, (m, s) => m.tasks.assign({ ...s.team.at, taskId: s.task, memberId: s.team.admin.memberId })],
  [
    'unassign a task',
    300,
    (m, s) => m.tasks.unassign({ ...s.team.at, taskId: s.task, memberId: s.team.owner.memberId }),
  ],
  ['delete a task', 300, (m, s) => m.tasks.delete({ ...s.team.at, taskId: s.task })],
  [
    'open a page for a task',
    400,
    async (m, s) => {
      const { tasks } = { tasks: m.pages };
      // A hidden task is a reference in a body: the path is the workspace's.
      return tasks.create({ ...s.team.at, name: 'Page', type: 'task', taskId: s.task, parentId: s.elsewhere });
    },
  ],
  ['comment', 200, (m, s) => m.comments.create({ ...s.team.at, taskId: s.task, content: 'Second' })],
  [
    'delete a comment of another',
    400,
    (m, s) => m.comments.delete({ ...s.team.at, taskId: s.task, commentId: s.comment }),
  ],
];

/** The same for what names the folder in a body: hidden is then unusable. */
const NEEDS_IN_BODY: readonly (readonly [string, Level, Act])[] = [
  [
    'create a page in it',
    300,
    (m, s) => m.pages.create({ ...s.team.at, name: 'New', type: 'folder', parentId: s.folder }),
  ],
  ['create a board in it', 300, (m, s) => m.boards.create({ ...s.team.at, name: 'New', parentId: s.folder })],
  ['create a task on a board', 300, (m, s) => m.tasks.create({ ...s.team.at, title: 'New', boardId: s.board.id })],
  [
    'create tasks on a board',
    300,
    (m, s) => m.tasks.createMany({ ...s.team.at, tasks: [{ title: 'New', boardId: s.board.id }] }),
  ],
];

const LEVELS: readonly Level[] = [0, 100, 200, 300, 400];

describe('actions and the level they need', () => {
  for (const [name, needs, act] of NEEDS) {
    it(`${name}: ${needs}`, async () => {
      const records = await newFolder();
      for (const level of LEVELS) {
        const colleague = await records.team.withLevel(records.folder, level);
        const hidden = name.startsWith('open') ? 'unusable-reference' : 'not-found';
        const expected = level === 0 ? hidden : level < needs ? 'forbidden' : 'ok';
        expect(await outcome(act(colleague, records)), `at ${level}`).to.equal(expected);
        if (expected === 'ok') return;
      }
    });
  }

  for (const [name, needs, act] of NEEDS_IN_BODY) {
    it(`${name}: ${needs}`, async () => {
      const records = await newFolder();
      for (const level of LEVELS) {
        const colleague = await records.team.withLevel(records.folder, level);
        const expected = level === 0 ? 'unusable-reference' : level < needs ? 'forbidden' : 'ok';
        expect(await outcome(act(colleague, records)), `at ${level}`).to.equal(expected);
      }
    });
  }
});

type Outcomes = readonly [owner: string, admin: string, member: string, guest: string, outsider: string];

const [no, hid] = ['forbidden', 'not-found'];

/** What each role may do in the workspace. */
const ROLES: readonly (readonly [string, Outcomes, (who: Colleague, team: Team) => Promise<unknown>])[] = [
  ['read the workspace', ['ok', 'ok', 'ok', 'ok', hid], (who, t) => who.workspaces.get({ ...t.at })],
  ['update it', ['ok', 'ok', no, no, hid], (who, t) => who.workspaces.update({ ...t.at, description: who.name })],
  ['delete it', ['ok', no, no, no, hid], (who, t) => who.workspaces.delete({ ...t.at })],
  ['list members', ['ok', 'ok', 'ok', 'ok', hid], (who, t) => who.members.list({ ...t.at })],
  ['list pages', ['ok', 'ok', 'ok', 'ok', hid], (who, t) => who.pages.list({ ...t.at })],
  ['list boards', ['ok', 'ok', 'ok', 'ok', hid], (who, t) => who.boards.list({ ...t.at })],
  ['list tasks', ['ok', 'ok', 'ok', 'ok', hid], (who, t) => who.tasks.list({ ...t.at })],
  [
    'create a page at the top',
    ['ok', 'ok', 'ok', no, hid],
    (who, t) => who.pages.create({ ...t.at, name: 'Top', type: 'folder' }),
  ],
  ['create a board at the top', ['ok', 'ok', 'ok', no, hid], (who, t) => who.boards.create({ ...t.at, name: 'Top' })],
  ['invite', ['ok', 'ok', no, no, hid], (who, t) => who.invitations.create({ ...t.at })],
  ['invite an owner', ['ok', no, no, no, hid], (who, t) => who.invitations.create({ ...t.at, role: 40 })],
  ['list invitations', ['ok', 'ok', no, no, hid], (who, t) => who.invitations.list({ ...t.at })],
  [
    "change a member's position",
    ['ok', 'ok', no, hid, hid],
    (who, t) => who.members.update({ ...t.at, memberId: t.member.memberId, position: who.name }),
  ],
  [
    "change an admin's position",
    ['ok', 'ok', no, hid, hid],
    (who, t) => who.members.update({ ...t.at, memberId: t.admin.memberId, position: who.name }),
  ],
  [
    "change an owner's position",
    ['ok', no, no, hid, hid],
    (who, t) => who.members.update({ ...t.at, memberId: t.owner.memberId, position: who.name }),
  ],
  [
    'make a member admin',
    ['ok', 'ok', no, hid, hid],
    (who, t) => who.members.update({ ...t.at, memberId: t.member.memberId, role: 30 }),
  ],
  [
    'make a member owner',
    ['ok', no, no, hid, hid],
    (who, t) => who.members.update({ ...t.at, memberId: t.member.memberId, role: 40 }),
  ],
  [
    'remove a member',
    ['ok', 'ok', no, hid, hid],
    (who, t) => who.members.remove({ ...t.at, memberId: t.member.memberId }),
  ],
  [
    'remove an admin',
    ['ok', 'ok', no, hid, hid],
    (who, t) => who.members.remove({ ...t.at, memberId: t.admin.memberId }),
  ],
  [
    'leave',
    ['last-owner', 'ok', 'ok', 'ok', hid],
    (who, t) => who.members.remove({ ...t.at, memberId: who.memberId ?? t.owner.memberId }),
  ],
];

describe('actions and the role they need', () => {
  for (const [name, expected, act] of ROLES) {
    it(name, async () => {
      const results: string[] = [];
      for (const role of ['owner', 'admin', 'member', 'guest', 'outsider'] as const) {
        const team = await newTeam();
        // A member may always leave: who is removed here is someone else, save in the case of leaving.
        const other =
          name === 'leave'
            ? team
            : { ...team, member: await team.join('Other', 20), admin: await team.join('Chief', 30) };
        results.push(await outcome(act(team[role] as Colleague, other)));
      }
      expect(results).to.deep.equal([...expected]);
    });
  }

  it('a page at the top needs editing as the level of the workspace', async () => {
    const team = await newTeam(undefined, 200);
    for (const [who, expected] of [
      [team.owner, 'ok'],
      [team.admin, 'ok'],
      [team.member, 'forbidden'],
    ] as const) {
      expect(await outcome(who.pages.create({ ...team.at, name: 'Top', type: 'folder' }))).to.equal(expected);
      expect(await outcome(who.boards.create({ ...team.at, name: 'Top' }))).to.equal(expected);
    }
    const folder = await team.page('Folder');
    await team.grant(folder, team.member, 400);
    const inner = await team.page('Inner', folder);
    expect(await outcome(team.member.pages.update({ ...team.at, pageId: inner, parentId: null }))).to.equal(
      'forbidden',
    );
  });

  it('the operator is no member of anything', async () => {
    const team = await newTeam();
    const { operator } = team.world;
    expect(await outcome(operator.pages.list(team.at))).to.equal('not-found');
    expect(await outcome(operator.workspaces.list())).to.equal('unauthenticated');
    expect(await outcome(operator.workspaces.create({ name: 'Mine' }))).to.equal('unauthenticated');
    expect(await outcome(operator.me.get())).to.equal('unauthenticated');
  });

  it('a disabled user may do nothing', async () => {
    const team = await newTeam();
    await team.world.operator.users.update({ userId: team.member.userId, disabled: true });
    expect(await outcome(team.member.pages.list(team.at))).to.equal('unauthenticated');
    expect(await outcome(team.member.me.get())).to.equal('unauthenticated');
  });

  it('a former member is a stranger', async () => {
    const team = await newTeam();
    await team.member.members.remove({ ...team.at, memberId: team.member.memberId });
    expect(await outcome(team.member.workspaces.get(team.at))).to.equal('not-found');
    expect(await team.member.workspaces.list()).to.deep.equal([]);
  });
});
