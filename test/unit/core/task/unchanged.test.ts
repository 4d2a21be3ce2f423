import { expect } from 'chai';
import { RECORDS_AT_ONCE } from '../../../../core/jobs/step.ts';
import type { TaskPosition } from '../../../../core/task/place/position.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { outcome } from '../../../fixtures/world/world.ts';

interface Column {
  readonly team: Team;
  readonly boardId: string;
  readonly statusId: string;
  readonly ids: readonly [a: string, b: string, c: string, d: string];
}

async function newColumn(): Promise<Column> {
  const team = await newTeam();
  const { id: boardId, todo: statusId } = await team.board('Board');
  // No task has the key that it would be given anew.
  const add = async (title: string, statusOrderKey: number) =>
    (await team.owner.tasks.create({ ...team.at, boardId, title, statusOrderKey })).id;
  return {
    team,
    boardId,
    statusId,
    ids: [await add('a', 7), await add('b', 70), await add('c', 71), await add('d', 100)],
  };
}

/** All that a write would leave: the records, the history of each, and what the feed has. */
async function everything({ team, boardId, ids }: Column): Promise<object> {
  const { owner, at } = team;
  const tasks = await owner.tasks.list({ ...at, sort: ['position'], limit: 500 });
  const histories = [];
  for (const taskId of ids) histories.push(await owner.tasks.history({ ...at, taskId }));
  const changes = await team.world.store.read((tx) => tx.changeLog.list(team.workspaceId, 0, 1_000));
  return {
    tasks,
    histories,
    changes,
    pages: await owner.pages.list(at),
    board: await owner.boards.get({ ...at, boardId }),
  };
}

async function expectNoChange(column: Column, call: () => Promise<unknown>): Promise<void> {
  const before = await everything(column);
  column.team.world.pass(60_000);
  await call();
  expect(await everything(column)).to.deep.equal(before);
}

describe('an update that changes nothing writes nothing', () => {
  it('of a task that stands beside the named one, or at that end', async () => {
    const column = await newColumn();
    const { team, statusId, ids } = column;
    const [a, b, c, d] = ids;
    const placings: readonly (readonly [string, TaskPosition])[] = [
      [a, { afterTaskId: null }],
      [a, { beforeTaskId: b }],
      [b, { afterTaskId: a }],
      [c, { beforeTaskId: d }],
      [d, { afterTaskId: c }],
      [d, { beforeTaskId: null }],
    ];
    for (const [taskId, placing] of placings) {
      const known = await team.owner.tasks.get({ ...team.at, taskId });
      await expectNoChange(column, async () => {
        const answer = await team.owner.tasks.update({ ...team.at, taskId, statusId, ...placing });
        expect(answer).to.deep.equal(known);
      });
    }
  });

  it('of a task with other values that come to the same', async () => {
    const column = await newColumn();
    const { team, boardId, ids } = column;
    const { owner, member, at } = team;
    const { id: tag } = await owner.tags.create({ ...at, boardId, name: 'Red' });
    const [taskId] = ids;
    await owner.tasks.update({ ...at, taskId, tags: [tag], assignees: [member.memberId] });
    await expectNoChange(column, () => owner.tasks.update({ ...at, taskId, tags: [tag, tag] }));
    const twice = [member.memberId, member.memberId];
    await expectNoChange(column, () => owner.tasks.update({ ...at, taskId, assignees: twice, title: ' a ' }));
  });

  it('of many tasks that stand there in that order', async () => {
    const column = await newColumn();
    const { team, statusId, ids } = column;
    const [a, b, c, d] = ids;
    const sets = [
      { taskIds: [b, c], set: { statusId, beforeTaskId: d } },
      { taskIds: [b, c], set: { afterTaskId: a } },
      { taskIds: [a, b], set: { afterTaskId: null } },
      { taskIds: [c, d], set: { beforeTaskId: null } },
      { taskIds: ids, set: { beforeTaskId: null } },
      { filter: { num: [2, 3] }, count: 2, set: { afterTaskId: a } },
    ];
    for (const given of sets) {
      await expectNoChange(column, () => team.owner.tasks.updateMany({ ...team.at, ...given }));
    }
    await team.owner.tasks.updateMany({ ...team.at, taskIds: [c, b], set: { beforeTaskId: d } });
    const order = async () => {
      const { items } = await team.owner.tasks.list({ ...team.at, sort: ['position'] });
      return items.map(({ title }) => title).join('');
    };
    expect(await order()).to.equal('acbd');
    // One of them stands elsewhere.
    await team.owner.tasks.updateMany({ ...team.at, taskIds: [a, b], set: { afterTaskId: null } });
    expect(await order()).to.equal('abcd');
  });

  it('of tasks with the assignees that they have, while one who has left is being taken off', async () => {
    const column = await newColumn();
    const { owner, admin, member, at } = column.team;
    const { boardId } = column;
    const assignees = [admin.memberId];
    const draft = { boardId, title: 'many', assignees: [...assignees, member.memberId] };
    // The last of them wait for a job.
    const tasks = Array.from({ length: RECORDS_AT_ONCE + 2 }, () => draft);
    const taskIds = (await owner.tasks.createMany({ ...at, tasks })).map(({ id }) => id).slice(-2);
    await member.members.remove({ ...at, memberId: member.memberId });
    await expectNoChange(column, () => owner.tasks.updateMany({ ...at, taskIds, set: { assignees } }));
    const twice = [...assignees, ...assignees];
    await expectNoChange(column, () => owner.tasks.update({ ...at, taskId: taskIds[0]!, assignees: twice }));
    const replaced = await owner.tasks.update({ ...at, taskId: taskIds[0]!, assignees: [owner.memberId] });
    expect([replaced.version, replaced.assignees]).to.deep.equal([2, [owner.memberId]]);
  });

  it('of a page that is the last, and is put past the end', async () => {
    const column = await newColumn();
    const { team } = column;
    await team.page('Other');
    const pageId = await team.page('Last');
    const known = await team.owner.pages.get({ ...team.at, pageId });
    await expectNoChange(column, async () => {
      expect(await team.owner.pages.update({ ...team.at, pageId, orderIndex: 99 })).to.deep.equal(known);
    });
    const named = await team.owner.pages.update({ ...team.at, pageId, orderIndex: 99, name: 'Last of all' });
    expect([named.name, named.version, named.orderIndex]).to.deep.equal(['Last of all', 2, 2]);
  });

  it('and is refused like any other', async () => {
    const { team, boardId, ids } = await newColumn();
    const { owner, at } = team;
    const [a, b] = ids;
    const reader = await team.withLevel(boardId, 100);
    const place = { ...at, taskId: b, afterTaskId: a };
    expect(await outcome(reader.tasks.update(place))).to.equal('forbidden');
    expect(await outcome(team.outsider.tasks.update(place))).to.equal('not-found');
    expect(await outcome(owner.ifVersion(7).tasks.update(place))).to.equal('version-mismatch');
    expect(await outcome(owner.tasks.update({ ...place, afterTaskId: b }))).to.equal('unusable-reference');
    const set = { taskIds: [b], set: { afterTaskId: a } };
    expect(await outcome(reader.tasks.updateMany({ ...at, ...set }))).to.equal('forbidden');
    expect(await outcome(owner.tasks.updateMany({ ...at, ...set, taskIds: [a, b] }))).to.equal('unusable-reference');
    const pageId = await team.page('Last');
    const past = { ...at, pageId, orderIndex: 99 };
    expect(await outcome(owner.ifVersion(7).pages.update(past))).to.equal('version-mismatch');
    await team.grant(pageId, team.member, 100);
    expect(await outcome(team.member.pages.update(past))).to.equal('forbidden');
  });
});
