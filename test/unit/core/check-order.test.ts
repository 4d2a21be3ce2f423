import { expect } from 'chai';
import { type Colleague } from '../../fixtures/world/team.ts';
import { outcome } from '../../fixtures/world/world.ts';
import { newRecords, type Records } from '../../fixtures/world/records.ts';

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
