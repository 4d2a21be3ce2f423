import assert from 'node:assert/strict';
import { boardWithDone } from '../support/board-with-done.ts';
import { outcome } from '../support/world.ts';

describe('tasks: moving to another board', () => {
  it('takes the first status there, maps tags by name and drops the rest', async () => {
    const team = await boardWithDone();
    const { owner, at, boardId } = team;
    const other = await team.board('Other');
    const tag = async (on: string, name: string) => (await owner.tags.create({ ...at, boardId: on, name })).id;
    const [bug, lost] = [await tag(boardId, 'Bug'), await tag(boardId, 'Lost')];
    const [, there] = [await tag(other.id, 'Else'), await tag(other.id, 'BUG')];
    await team.task(other.id, 'first');
    const { id: taskId } = await owner.tasks.create({
      ...at,
      title: 'T',
      boardId,
      tags: [bug, lost],
      statusId: team.done,
    });
    const moved = await owner.tasks.update({ ...at, taskId, boardId: other.id });
    assert.deepEqual(
      [moved.boardId, moved.statusId, moved.tags, moved.complete],
      [other.id, other.todo, [there], false],
    );
    assert.deepEqual(
      (await owner.tasks.list({ ...at, boardId: [other.id], sort: ['position'] })).items.map(({ title }) => title),
      ['first', 'T'],
    );
  });

  it('takes the status and the tags of that board that are given', async () => {
    const team = await boardWithDone();
    const { owner, at, boardId } = team;
    const other = await team.board('Other');
    const { id: second } = await owner.statuses.create({ ...at, boardId: other.id, name: 'Second' });
    const { id: tag } = await owner.tags.create({ ...at, boardId: other.id, name: 'Tag' });
    const taskId = await team.task(boardId, 'T');
    const move = (extra: object) => owner.tasks.update({ ...at, taskId, boardId: other.id, ...extra });
    assert.equal(await outcome(move({ statusId: team.doing })), 'unusable-reference');
    assert.equal(await outcome(move({ tags: [boardId] })), 'unusable-reference');
    const moved = await move({ statusId: second, tags: [tag, tag] });
    assert.deepEqual([moved.statusId, moved.tags], [second, [tag]]);
    const empty = await owner.boards.create({ ...at, name: 'Empty' });
    assert.equal(await outcome(owner.tasks.update({ ...at, taskId, boardId: empty.id })), 'board-without-status');
  });

  it('needs editing on both boards', async () => {
    const team = await boardWithDone();
    const { member, at, boardId } = team;
    const other = await team.board('Other');
    const taskId = await team.task(boardId, 'T');
    const paged = await team.page('Paged', boardId, 'task');
    const move = (id: string) => outcome(member.tasks.update({ ...at, taskId: id, boardId: other.id }));
    await team.grant(other.id, member, 0);
    assert.equal(await move(taskId), 'unusable-reference');
    await team.grant(other.id, member, 200);
    assert.equal(await move(taskId), 'forbidden');
    await team.grant(other.id, member, 300);
    await team.grant(boardId, member, 200);
    await team.grant(paged, member, 400);
    assert.deepEqual([await move(taskId), await move(paged)], ['forbidden', 'forbidden']);
    await team.grant(boardId, member, 300);
    assert.deepEqual([await move(taskId), await move(paged)], ['ok', 'ok']);
  });

  it('goes to the place that is given', async () => {
    const team = await boardWithDone();
    const { owner, at, boardId } = team;
    const other = await team.board('Other');
    const [a, b] = [await team.task(other.id, 'a'), await team.task(other.id, 'b')];
    const order = async () =>
      (await owner.tasks.list({ ...at, boardId: [other.id], sort: ['position'] })).items
        .map(({ title }) => title)
        .join('');
    await owner.tasks.update({ ...at, taskId: await team.task(boardId, 'x'), boardId: other.id, beforeTaskId: b });
    assert.equal(await order(), 'axb');
    await owner.tasks.update({ ...at, taskId: await team.task(boardId, 'y'), boardId: other.id, afterTaskId: null });
    assert.equal(await order(), 'yaxb');
    // The key of the card before and of the one after may well be the same.
    const card = await owner.tasks.create({ ...at, boardId, title: 'z', statusOrderKey: 1024 });
    await owner.tasks.update({ ...at, taskId: a, statusOrderKey: 1024 });
    const moved = await owner.tasks.update({ ...at, taskId: card.id, boardId: other.id, statusOrderKey: 1024 });
    assert.equal(moved.statusOrderKey, 1024);
    assert.match(await order(), /za/);
  });
});

describe('tasks: tags and assignees', () => {
  it('are put and taken one by one, and putting twice does nothing', async () => {
    const team = await boardWithDone();
    const { owner, member, at, boardId } = team;
    const { id: tagId } = await owner.tags.create({ ...at, boardId, name: 'Tag' });
    const taskId = await team.task(boardId, 'T');
    for (const version of [2, 2]) {
      const task = await owner.tasks.addTag({ ...at, taskId, tagId });
      assert.deepEqual([task.tags, task.version], [[tagId], version]);
    }
    for (const version of [3, 3]) {
      const task = await owner.tasks.assign({ ...at, taskId, memberId: member.memberId });
      assert.deepEqual([task.assignees, task.version], [[member.memberId], version]);
    }
    const results: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      results.push(await outcome(owner.tasks.removeTag({ ...at, taskId, tagId })));
      results.push(await outcome(owner.tasks.unassign({ ...at, taskId, memberId: member.memberId })));
    }
    assert.deepEqual(results, ['ok', 'ok', 'not-found', 'not-found']);
    const task = await owner.tasks.get({ ...at, taskId });
    assert.deepEqual([task.tags, task.assignees], [[], []]);
  });

  it('are replaced as a whole by an update', async () => {
    const team = await boardWithDone();
    const { owner, member, admin, at, boardId } = team;
    const { id: tagId } = await owner.tags.create({ ...at, boardId, name: 'Tag' });
    const taskId = await team.task(boardId, 'T');
    const task = await owner.tasks.update({
      ...at,
      taskId,
      tags: [tagId, tagId],
      assignees: [member.memberId, admin.memberId, member.memberId],
    });
    assert.deepEqual([task.tags, task.assignees], [[tagId], [member.memberId, admin.memberId]]);
    assert.equal(
      await outcome(owner.tasks.update({ ...at, taskId, assignees: [team.guest.memberId] })),
      'unusable-reference',
    );
    assert.equal(
      await outcome(owner.tasks.assign({ ...at, taskId, memberId: team.guest.memberId })),
      'unusable-reference',
    );
    assert.equal(await outcome(owner.tasks.addTag({ ...at, taskId, tagId: boardId })), 'unusable-reference');
    assert.deepEqual((await owner.tasks.update({ ...at, taskId, tags: [], assignees: [] })).assignees, []);
  });
});
