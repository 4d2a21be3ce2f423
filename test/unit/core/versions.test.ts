import { assert, expect } from 'chai';
import { rejects } from '../../fixtures/errors.ts';
import type { Session } from '../../../core/session.ts';
import { boardWithRecords, type BoardRecords } from '../../fixtures/workspace.ts';
import { newTeam, type Colleague, type Team } from '../../fixtures/team.ts';
import { DAY, outcome } from '../../fixtures/world.ts';

/** One record of each noun. */
interface Records extends BoardRecords {
  readonly team: Team;
  readonly pageId: string;
}

async function newRecords(): Promise<Records> {
  const team = await newTeam();
  const pageId = await team.page('Page');
  const records = await boardWithRecords(team.owner, team.at, {
    board: { parentId: pageId },
    tag: { name: 'Tag' },
    task: { assignees: [team.member.memberId], plannedStartDate: '2026-03-01', plannedEndDate: '2026-03-02' },
  });
  return { team, pageId, ...records };
}

interface Kind {
  readonly name: string;
  readonly path: (records: Records) => object;
  readonly read: (who: Session, records: Records) => Promise<{ readonly version: number }>;
  readonly write: (who: Session, input: never) => Promise<{ readonly version: number }>;
  readonly change: object;
  readonly readOnly: object;
  readonly remove?: (who: Session, input: never) => Promise<void>;
}

const found = <T>(value: T | undefined): T => {
  assert(value !== undefined);
  return value;
};

const KINDS: readonly Kind[] = [
  {
    name: 'workspace',
    path: (s) => s.team.at,
    read: (who, s) => who.workspaces.get(s.team.at),
    write: (who, input) => who.workspaces.update(input),
    change: { name: 'New' },
    readOnly: { alias: 'new' },
    remove: (who, input) => who.workspaces.delete(input),
  },
  {
    name: 'member',
    path: (s) => ({ ...s.team.at, memberId: s.team.member.memberId }),
    read: async (who, s) => found((await who.members.list(s.team.at)).find(({ id }) => id === s.team.member.memberId)),
    write: (who, input) => who.members.update(input),
    change: { position: 'Cook' },
    readOnly: { email: 'x@example.org' },
    remove: (who, input) => who.members.remove(input),
  },
  {
    name: 'page',
    path: (s) => ({ ...s.team.at, pageId: s.pageId }),
    read: (who, s) => who.pages.get({ ...s.team.at, pageId: s.pageId }),
    write: (who, input) => who.pages.update(input),
    change: { name: 'New' },
    readOnly: { type: 'board' },
    remove: (who, input) => who.pages.delete(input),
  },
  {
    name: 'access settings',
    path: (s) => ({ ...s.team.at, pageId: s.pageId }),
    read: (who, s) => who.access.settings({ ...s.team.at, pageId: s.pageId }),
    write: (who, input) => who.access.changeSettings(input),
    change: { inherit: false, defaultAccess: 400 },
    readOnly: { createdAt: '2026-01-01T00:00:00.000Z' },
  },
  {
    name: 'board',
    path: (s) => ({ ...s.team.at, boardId: s.boardId }),
    read: (who, s) => who.boards.get({ ...s.team.at, boardId: s.boardId }),
    write: (who, input) => who.boards.update(input),
    change: { description: 'New' },
    readOnly: { statuses: [] },
    remove: (who, input) => who.boards.delete(input),
  },
  {
    name: 'status',
    path: (s) => ({ ...s.team.at, boardId: s.boardId, statusId: s.statusId }),
    read: async (who, s) => found((await who.boards.get({ ...s.team.at, boardId: s.boardId })).statuses[0]),
    write: (who, input) => who.statuses.update(input),
    change: { name: 'New' },
    readOnly: { createdAt: '2026-01-01T00:00:00.000Z' },
    remove: (who, input) => who.statuses.delete(input),
  },
  {
    name: 'tag',
    path: (s) => ({ ...s.team.at, boardId: s.boardId, tagId: s.tagId }),
    read: async (who, s) => found((await who.boards.get({ ...s.team.at, boardId: s.boardId })).tags[0]),
    write: (who, input) => who.tags.update(input),
    change: { color: 'red' },
    readOnly: { id: 'x' },
    remove: (who, input) => who.tags.delete(input),
  },
  {
    name: 'task',
    path: (s) => ({ ...s.team.at, taskId: s.taskId }),
    read: (who, s) => who.tasks.get({ ...s.team.at, taskId: s.taskId }),
    write: (who, input) => who.tasks.update(input),
    change: { title: 'New' },
    readOnly: { num: 99 },
    remove: (who, input) => who.tasks.delete(input),
  },
  {
    name: 'comment',
    path: (s) => ({ ...s.team.at, taskId: s.taskId, commentId: s.commentId }),
    read: async (who, s) => found((await who.tasks.get({ ...s.team.at, taskId: s.taskId })).comments[0]),
    write: (who, input) => who.comments.update(input),
    change: { content: 'New' },
    readOnly: { authorId: 'x' },
    remove: (who, input) => who.comments.delete(input),
  },
];

for (const kind of KINDS) {
  describe(`a record put back: ${kind.name}`, () => {
    const put = (who: Session, records: Records, fields: object) =>
      kind.write(who, { ...fields, ...kind.path(records) } as never);

    it('changes nothing as it was read, also later', async () => {
      const records = await newRecords();
      const { owner, world, member } = records.team;
      const shown = await kind.read(owner, records);
      expect(await put(owner, records, shown)).to.deep.equal(shown);
      world.pass(DAY);
      await member.pages.list(records.team.at);
      expect((await put(owner, records, shown)).version).to.equal(shown.version);
      expect((await kind.read(owner, records)).version).to.equal(shown.version);
    });

    it('edited, is one version on, with its time', async () => {
      const records = await newRecords();
      const { owner, world } = records.team;
      const shown = await kind.read(owner, records);
      world.pass(DAY);
      const after = await put(owner, records, { ...shown, ...kind.change });
      expect({ ...after, ...kind.change }).to.deep.equal(after);
      expect([after.version, (after as unknown as { updatedAt: string }).updatedAt]).to.deep.equal([
        shown.version + 1,
        world.time(),
      ]);
      expect((await kind.read(owner, records)).version).to.equal(after.version);
    });

    it('with an unknown field or another read-only one is refused', async () => {
      const records = await newRecords();
      const { owner } = records.team;
      const shown = await kind.read(owner, records);
      const [name] = Object.keys(kind.readOnly);
      await rejects(put(owner, records, { ...shown, unheard: 1 }), {
        code: 'invalid-input',
        errors: [{ pointer: '/unheard', detail: 'is not a field of this record' }],
      });
      await rejects(put(owner, records, { ...shown, ...kind.change, ...kind.readOnly }), {
        code: 'invalid-input',
        errors: [{ pointer: `/${name}`, detail: 'is read-only' }],
      });
      expect((await kind.read(owner, records)).version).to.equal(shown.version);
    });

    it('counts only in the version that is expected', async () => {
      const records = await newRecords();
      const { owner } = records.team;
      const { version } = await kind.read(owner, records);
      expect(await outcome(put(owner.ifVersion(version + 1), records, kind.change))).to.equal('version-mismatch');
      expect(await outcome(put(owner.ifVersion(), records, {}))).to.equal('version-mismatch');
      if (kind.remove !== undefined) {
        expect(await outcome(kind.remove(owner.ifVersion(version + 1), kind.path(records) as never))).to.equal(
          'version-mismatch',
        );
      }
      expect(await outcome(put(owner.ifVersion(version + 7, version), records, kind.change))).to.equal('ok');
      expect(await outcome(put(owner.ifVersion(version), records, kind.change))).to.equal('version-mismatch');
    });
  });
}

describe('the order of the checks', () => {
  type Check = readonly [string, (who: Colleague, records: Records) => Promise<unknown>];
  const STALE = 99;
  const missing: Check[] = [
    [
      'hidden before stale',
      (who, s) => who.ifVersion(STALE).pages.update({ ...s.team.at, pageId: s.pageId, name: 'x' }),
    ],
    [
      'a hidden task before stale',
      (who, s) => who.ifVersion(STALE).tasks.update({ ...s.team.at, taskId: s.taskId, title: 'x' }),
    ],
  ];
  for (const [name, call] of missing) {
    it(name, async () => {
      const records = await newRecords();
      await records.team.grant(records.pageId, records.team.member, 0);
      expect(await outcome(call(records.team.member, records))).to.equal('not-found');
    });
  }

  const forbidden: Check[] = [
    ['renaming', (who, s) => who.ifVersion(STALE).pages.update({ ...s.team.at, pageId: s.pageId, name: 'x' })],
    ['deleting', (who, s) => who.ifVersion(STALE).pages.delete({ ...s.team.at, pageId: s.pageId })],
    [
      'settings',
      (who, s) => who.ifVersion(STALE).access.changeSettings({ ...s.team.at, pageId: s.pageId, inherit: false }),
    ],
    ['a task', (who, s) => who.ifVersion(STALE).tasks.update({ ...s.team.at, taskId: s.taskId, statusId: s.pageId })],
    ['a board', (who, s) => who.ifVersion(STALE).boards.update({ ...s.team.at, boardId: s.boardId, name: 'x' })],
    [
      'a status',
      (who, s) => who.ifVersion(STALE).statuses.delete({ ...s.team.at, boardId: s.boardId, statusId: s.statusId }),
    ],
    [
      'a member',
      (who, s) => who.ifVersion(STALE).members.update({ ...s.team.at, memberId: s.team.admin.memberId, position: 'x' }),
    ],
  ];
  for (const [name, call] of forbidden) {
    it(`forbidden before stale: ${name}`, async () => {
      const records = await newRecords();
      await records.team.grant(records.pageId, records.team.member, 100);
      expect(await outcome(call(records.team.member, records))).to.equal('forbidden');
    });
  }

  it('forbidden before stale: a role above one’s own', async () => {
    const { team } = await newRecords();
    const call = team.admin.ifVersion(STALE).members.update({ ...team.at, memberId: team.member.memberId, role: 40 });
    expect(await outcome(call)).to.equal('forbidden');
  });

  it('forbidden before stale: a parent where one may not put it, and a board', async () => {
    const records = await newRecords();
    const { team } = records;
    const [target, other] = [await team.page('Target'), await team.board('Other')];
    await team.grant(target, team.member, 200);
    await team.grant(other.id, team.member, 200);
    await team.grant(records.pageId, team.member, 400);
    const stale = team.member.ifVersion(STALE);
    expect(await outcome(stale.pages.update({ ...team.at, pageId: records.pageId, parentId: target }))).to.equal(
      'forbidden',
    );
    expect(await outcome(stale.tasks.update({ ...team.at, taskId: records.taskId, boardId: other.id }))).to.equal(
      'forbidden',
    );
  });

  const unusable: Check[] = [
    [
      'a parent',
      (who, s) => who.ifVersion(STALE).pages.update({ ...s.team.at, pageId: s.pageId, parentId: s.team.workspaceId }),
    ],
    ['a status', (who, s) => who.ifVersion(STALE).tasks.update({ ...s.team.at, taskId: s.taskId, statusId: s.pageId })],
    ['a cycle', (who, s) => who.ifVersion(STALE).pages.update({ ...s.team.at, pageId: s.pageId, parentId: s.boardId })],
    [
      'a status with tasks',
      (who, s) => who.ifVersion(STALE).statuses.delete({ ...s.team.at, boardId: s.boardId, statusId: s.statusId }),
    ],
    [
      'the last owner',
      (who, s) => who.ifVersion(STALE).members.remove({ ...s.team.at, memberId: s.team.owner.memberId }),
    ],
  ];
  for (const [name, call] of unusable) {
    it(`stale before unusable and conflict: ${name}`, async () => {
      const records = await newRecords();
      expect(await outcome(call(records.team.owner, records))).to.equal('version-mismatch');
    });
  }

  it('unusable before conflict', async () => {
    const { team, boardId, statusId, taskId } = await newRecords();
    const { owner, at } = team;
    await owner.tasks.create({ ...at, boardId, title: 'x', externalId: 'E' });
    for (const call of [
      owner.tasks.create({ ...at, boardId, title: 'x', externalId: 'E', tags: [statusId] }),
      owner.tasks.create({ ...at, boardId, title: 'x', externalId: 'E', afterTaskId: statusId }),
      owner.tasks.update({ ...at, taskId, externalId: 'E', assignees: [statusId] }),
      owner.tasks.update({ ...at, taskId, externalId: 'E', beforeTaskId: statusId }),
      owner.statuses.delete({ ...at, boardId, statusId, moveTo: statusId }),
    ]) {
      expect(await outcome(call)).to.equal('unusable-reference');
    }
  });

  it('hidden and missing ids in a body are one', async () => {
    const { team, pageId, boardId, taskId } = await newRecords();
    const { member, at } = team;
    const own = await member.pages.create({ ...at, name: 'Own', type: 'folder' });
    await team.grant(pageId, member, 0);
    const answer = async (call: Promise<unknown>) => {
      try {
        await call;
        return 'ok';
      } catch (error) {
        return JSON.stringify(error);
      }
    };
    const pairs: ((id: string) => Promise<unknown>)[] = [
      (parentId) => member.pages.update({ ...at, pageId: own.id, parentId }),
      (parentId) => member.pages.create({ ...at, name: 'x', type: 'folder', parentId }),
      (parentId) => member.boards.create({ ...at, name: 'x', parentId }),
      (id) => member.tasks.create({ ...at, title: 'x', boardId: id }),
      (id) => member.pages.create({ ...at, name: 'x', type: 'task', taskId: id }),
      (id) => member.pages.get({ ...at, pageId: id }),
      (id) => member.tasks.get({ ...at, taskId: id }),
      (id) => member.access.preview({ ...at, pageId: own.id, parentId: id }),
    ];
    for (const call of pairs) {
      const expected = await answer(call('00000000-0000-7000-8000-999999999999'));
      expect(expected).to.not.equal('ok');
      for (const id of [pageId, boardId, taskId]) expect(await answer(call(id))).to.equal(expected);
    }
  });
});
