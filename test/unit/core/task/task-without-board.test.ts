import { expect } from 'chai';
import type { ExpectedVersion } from '../../../../core/kernel/record.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { outcome } from '../../../fixtures/world/world.ts';

/** A task that the guest sees by its own page, on a board that the guest does not see. */
async function cardWithoutBoard() {
  const team = await newTeam();
  const { at, owner, guest, world } = team;
  const board = await team.board('Board');
  const { id: doing } = await owner.statuses.create({ ...at, boardId: board.id, name: 'Doing' });
  const { id: tagId } = await owner.tags.create({ ...at, boardId: board.id, name: 'bug' });
  const taskId = await team.task(board.id, 'Task');
  await owner.pages.create({ ...at, name: 'Task', type: 'task', taskId });
  await team.grant(taskId, guest, 300);
  const task = { ...at, taskId };
  const seen = async () => {
    const [listed] = (await guest.tasks.list(at)).items;
    return [await guest.tasks.get(task), listed];
  };
  const put = async (body: object) => {
    world.pass(1_000);
    await owner.tasks.update({ ...task, ...body });
  };
  return { team, board, doing, tagId, task, seen, put };
}

describe('a task seen without its board', () => {
  it('stands in lists where the time that is shown puts it, whatever happens to its board and its place there', async () => {
    const { team, doing, task, put } = await cardWithoutBoard();
    const { at, owner, guest, world } = team;
    const open = await team.board('Open');
    const otherId = await team.task(open.id, 'Other');
    await team.grant(open.id, guest, 100);
    const listed = async (query: object) => {
      const { items, total } = await guest.tasks.list({ ...at, ...query, count: true });
      return [items.map(({ id }) => id), total];
    };
    world.pass(1_000);
    await owner.tasks.update({ ...at, taskId: otherId, title: 'changed last' });
    const since = world.time();
    await put({ statusId: doing });
    for (const [query, expected] of [
      [{ sort: ['-updatedAt'] }, [otherId, task.taskId]],
      [{ sort: ['updatedAt'] }, [task.taskId, otherId]],
      [{ updatedSince: since }, [otherId]],
      [{ updatedSince: since, sort: ['-updatedAt'] }, [otherId]],
    ] as const) {
      expect(await listed(query), JSON.stringify(query)).to.deep.equal([expected, expected.length]);
    }
    await put({ title: 'changed' });
    expect(await listed({ sort: ['-updatedAt'] })).to.deep.equal([[task.taskId, otherId], 2]);
  });

  it('shows nothing of what happens to its board and its place there, by version and time neither', async () => {
    const { team, board, doing, tagId, task, seen, put } = await cardWithoutBoard();
    const { at, owner, world } = team;
    const before = await seen();
    const { statusOrderKey, version } = await owner.tasks.get(task);
    await put({ statusId: doing });
    await put({ tags: [tagId] });
    await owner.tasks.removeTag({ ...task, tagId });
    await owner.tasks.addTag({ ...task, tagId });
    await put({ statusId: board.todo, statusOrderKey });
    const other = await team.task(board.id, 'Other');
    await owner.tasks.update({ ...at, taskId: other, statusOrderKey: Number(statusOrderKey) });
    expect((await owner.tasks.get(task)).statusOrderKey).to.equal(Number(statusOrderKey) + 1);
    await owner.statuses.update({ ...at, boardId: board.id, statusId: board.todo, name: 'Later' });
    await owner.statuses.delete({ ...at, boardId: board.id, statusId: board.todo, moveTo: doing });
    await owner.tags.delete({ ...at, boardId: board.id, tagId });
    await world.purge();
    await put({ boardId: (await team.board('Second')).id });
    expect(await seen()).to.deep.equal(before);
    expect((await owner.tasks.get(task)).version).to.be.greaterThan(version + 5);
  });

  it('is one version and a time on with each change of what is seen of it', async () => {
    const { team, doing, seen, put } = await cardWithoutBoard();
    const [first] = await seen();
    const version = Number(first?.version);
    let next = version;
    for (const body of [{ title: 'New' }, { statusId: doing, priority: 200 }, { assignees: [team.owner.memberId] }]) {
      await put(body);
      const now = team.world.time();
      expect((await seen()).map((each) => [each?.version, each?.updatedAt])).to.deep.equal([
        [(next += 1), now],
        [next, now],
      ]);
      await put({ beforeTaskId: null });
      await put({ statusId: doing });
      expect((await seen())[0]).to.include({ version: next, updatedAt: now });
    }
  });

  it('is changed under the version that is shown', async () => {
    const { team, doing, task, seen, put } = await cardWithoutBoard();
    await put({ statusId: doing });
    const [shown] = await seen();
    const { version } = await team.owner.tasks.get(task);
    expect(version).to.equal(Number(shown?.version) + 1);
    const rename = (expected: number) =>
      outcome(team.guest.ifVersion(expected).tasks.update({ ...task, title: `At ${expected}` }));
    expect(await rename(version)).to.equal('version-mismatch');
    expect(await rename(version - 1)).to.equal('ok');
    expect(await rename(version - 1)).to.equal('version-mismatch');
    expect(await outcome(team.guest.ifVersion(version - 1).tasks.delete(task))).to.equal('version-mismatch');
    const assign = team.guest.ifVersion(version).tasks.assign({ ...task, memberId: team.owner.memberId });
    expect(await outcome(assign)).to.equal('ok');
    expect(await outcome(team.guest.ifVersion(version + 1).tasks.delete(task))).to.equal('ok');
  });

  it('is not changed under what was read while its board was in sight, whichever version that has', async () => {
    const { team, board, task, doing, put } = await cardWithoutBoard();
    const { guest } = team;
    await team.grant(board.id, guest, 100);
    await put({ statusId: doing });
    const read = await guest.tasks.get(task);
    await put({ title: 'Changed by another' });
    await team.grant(board.id, guest, 0);
    const now = await guest.tasks.get(task);
    expect([read.boardHidden, now.boardHidden, now.version]).to.deep.equal([false, true, read.version]);
    const rename = (ifVersion: readonly ExpectedVersion[]) =>
      outcome(guest.tasks.update({ ...task, title: 'Lost' }, { ifVersion }));
    expect(await rename([read])).to.equal('version-mismatch');
    expect(await rename([read, now])).to.equal('ok');
    expect(await rename([now])).to.equal('version-mismatch');
  });

  it('has a history that ends each part alike, whatever happens to its place', async () => {
    const { team, task, put } = await cardWithoutBoard();
    for (const title of ['One', 'Two', 'Three']) await put({ title });
    const part = (limit: number) => team.guest.tasks.history({ ...task, limit });
    const limits = [1, 2, 3, 4, 5, 6];
    const before = await Promise.all(limits.map(part));
    await put({ statusOrderKey: 5 });
    for (const [n, limit] of limits.entries()) expect(await part(limit), `limit ${limit}`).to.deep.equal(before[n]);
  });
});
