import assert from 'node:assert/strict';
import type { UpdateTask } from '../../core/task/update.ts';
import { newTeam, type Team } from '../support/world-team.ts';
import { outcome } from '../support/world.ts';

async function withDone(): Promise<
  Team & { readonly boardId: string; readonly todo: string; readonly doing: string; readonly done: string }
> {
  const team = await newTeam();
  const board = await team.board('Board');
  const add = async (name: string, done: boolean) =>
    (await team.owner.statuses.create({ ...team.at, boardId: board.id, name, done })).id;
  return {
    ...team,
    boardId: board.id,
    todo: board.todo,
    doing: await add('Doing', false),
    done: await add('Done', true),
  };
}

describe('tasks: creating', () => {
  it('has the defaults of the design', async () => {
    const { owner, at, boardId, todo } = await withDone();
    const task = await owner.tasks.create({ ...at, title: '  Write ', boardId });
    const { id, createdAt, updatedAt, ...rest } = task;
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(rest, {
      workspaceId: at.workspaceId,
      num: 1,
      title: 'Write',
      description: '',
      boardId,
      boardHidden: false,
      statusId: todo,
      statusOrderKey: rest.statusOrderKey,
      priority: 0,
      complete: false,
      createdById: owner.memberId,
      dateStart: null,
      dateEnd: null,
      externalId: null,
      tags: [],
      assignees: [],
      pageId: null,
      comments: [],
      version: 1,
    });
    assert.deepEqual(await owner.tasks.get({ ...at, taskId: id }), task);
  });

  it('goes to the status with the lowest orderKey, which a board must have', async () => {
    const { owner, at, boardId, done } = await withDone();
    await owner.statuses.update({ ...at, boardId, statusId: done, orderKey: -1 });
    const task = await owner.tasks.create({ ...at, title: 'Task', boardId });
    assert.deepEqual([task.statusId, task.complete], [done, true]);
    const empty = await owner.boards.create({ ...at, name: 'Empty' });
    const create = (extra: object) =>
      outcome(owner.tasks.create({ ...at, title: 'Task', boardId: empty.id, ...extra }));
    assert.equal(await create({}), 'board-without-status');
    assert.equal(await create({ statusId: done }), 'unusable-reference');
    assert.equal(await create({ tags: [done] }), 'unusable-reference');
    assert.equal(await create({ assignees: [done] }), 'unusable-reference');
  });

  it('takes only what is of the board, and who can see it', async () => {
    const team = await withDone();
    const { owner, at, boardId } = team;
    const other = await team.board('Other');
    const { id: tag } = await owner.tags.create({ ...at, boardId: other.id, name: 'Tag' });
    const create = (extra: object) => outcome(owner.tasks.create({ ...at, title: 'Task', boardId, ...extra }));
    assert.equal(await create({ statusId: other.todo }), 'unusable-reference');
    assert.equal(await create({ tags: [tag] }), 'unusable-reference');
    assert.equal(await create({ boardId: await team.page('Folder') }), 'unusable-reference');
    assert.equal(await create({ boardId: team.workspaceId }), 'unusable-reference');
    assert.equal(await create({ assignees: [team.guest.memberId] }), 'unusable-reference');
    await team.grant(boardId, team.guest, 100);
    assert.equal(await create({ assignees: [team.guest.memberId] }), 'ok');
    await team.world.operator.users.update({ userId: team.guest.userId, disabled: true });
    assert.equal(await create({ assignees: [team.guest.memberId] }), 'unusable-reference');
    assert.equal(await create({ assignees: [team.outsider.userId] }), 'unusable-reference');
    await team.member.members.remove({ ...at, memberId: team.member.memberId });
    assert.equal(await create({ assignees: [team.member.memberId] }), 'unusable-reference');
  });

  it('needs an end that is not before the start', async () => {
    const { owner, at, boardId } = await withDone();
    const create = (plannedStartDate: string | null, plannedEndDate: string | null) =>
      outcome(owner.tasks.create({ ...at, title: 'Task', boardId, plannedStartDate, plannedEndDate }));
    assert.equal(await create('2026-03-02', '2026-03-01'), 'invalid-input');
    assert.equal(await create('2026-03-01', '2026-03-01'), 'ok');
    assert.equal(await create(null, '2026-03-01'), 'ok');
    const task = await owner.tasks.create({ ...at, title: 'Task', boardId, plannedStartDate: '2026-03-02' });
    assert.deepEqual([task.dateStart, task.dateEnd], ['2026-03-02', null]);
    const update = (fields: object) => outcome(owner.tasks.update({ ...at, taskId: task.id, ...fields }));
    assert.equal(await update({ plannedEndDate: '2026-03-01' }), 'invalid-input');
    assert.equal(await update({ plannedEndDate: '2026-03-01', plannedStartDate: null }), 'ok');
    assert.equal(await update({ plannedStartDate: '2026-03-02' }), 'invalid-input');
  });

  it('keeps an externalId of its own in the workspace', async () => {
    const team = await withDone();
    const { owner, at, boardId } = team;
    const make = (externalId: string, on = boardId) =>
      owner.tasks.create({ ...at, title: 'Task', boardId: on, externalId });
    const first = await make('E');
    assert.equal(await outcome(make('E', (await team.board('Other')).id)), 'external-id-taken');
    assert.equal(
      await outcome(owner.tasks.update({ ...at, taskId: await team.task(boardId, 'x'), externalId: 'E' })),
      'external-id-taken',
    );
    await owner.tasks.update({ ...at, taskId: first.id, externalId: null });
    assert.equal(await outcome(make('E')), 'ok');
    const doomed = await team.board('Doomed');
    await make('F', doomed.id);
    await owner.boards.delete({ ...at, boardId: doomed.id });
    assert.equal(await outcome(make('F')), 'ok');
    await team.world.purge();
    assert.equal(await outcome(make('F')), 'external-id-taken');
  });

  it('of many is all or nothing, in order, and points at what is wrong', async () => {
    const { owner, at, boardId, done } = await withDone();
    const tasks = [
      { title: 'a', boardId },
      { title: 'b', boardId, statusId: done },
      { title: 'c', boardId },
    ];
    assert.deepEqual(
      (await owner.tasks.createMany({ ...at, tasks })).map(({ num, complete }) => [num, complete]),
      [
        [1, false],
        [2, true],
        [3, false],
      ],
    );
    await assert.rejects(
      owner.tasks.createMany({ ...at, tasks: [...tasks, { title: 'd', boardId, statusId: boardId }] }),
      {
        code: 'unusable-reference',
        errors: [{ pointer: '/tasks/3/statusId', detail: 'does not name anything that can be used here' }],
      },
    );
    assert.equal((await owner.tasks.list(at)).items.length, 3);
  });
});

describe('tasks: num', () => {
  it('grows, and is neither reused nor given twice', async () => {
    const team = await withDone();
    const { owner, at, boardId } = team;
    const create = async (n: number) => (await owner.tasks.create({ ...at, title: `t${n}`, boardId })).num;
    const at1 = await Promise.all(Array.from({ length: 20 }, (_, n) => create(n)));
    assert.equal(new Set(at1).size, 20);
    const last = await owner.tasks.list({ ...at, sort: ['-num'], limit: 1 });
    await owner.tasks.delete({ ...at, taskId: last.items[0]!.id });
    assert.ok((await create(20)) > Math.max(...at1));
    const page = await team.page('Page', boardId, 'task');
    assert.equal((await owner.tasks.get({ ...at, taskId: page })).num, 22);
    await owner.boards.delete({ ...at, boardId });
    await team.world.purge();
    const board = await team.board('Next');
    assert.ok((await owner.tasks.create({ ...at, title: 't', boardId: board.id })).num > 22);
    const other = await owner.workspaces.create({ name: 'Other' });
    const elsewhere = await owner.boards.create({ workspaceId: other.id, name: 'B' });
    await owner.statuses.create({ workspaceId: other.id, boardId: elsewhere.id, name: 'S' });
    assert.equal((await owner.tasks.create({ workspaceId: other.id, title: 't', boardId: elsewhere.id })).num, 1);
  });
});

describe('tasks: complete', () => {
  type Row = readonly [
    string,
    'todo' | 'doing' | 'done',
    boolean,
    Partial<UpdateTask>,
    'todo' | 'doing' | 'done' | undefined,
    boolean,
  ];
  const rows: readonly Row[] = [
    ['moving into a done status sets it', 'todo', false, {}, 'done', true],
    ['moving out of one clears it', 'done', true, {}, 'todo', false],
    ['moving between others leaves it', 'todo', true, {}, 'doing', true],
    ['moving between others leaves it off', 'todo', false, {}, 'doing', false],
    ['an explicit true wins on the way out', 'done', true, { complete: true }, 'todo', true],
    ['an explicit true wins where it was not', 'done', false, { complete: true }, 'todo', true],
    ['an explicit false wins on the way in', 'todo', false, { complete: false }, 'done', false],
    ['an explicit false wins where it was', 'todo', true, { complete: false }, 'done', false],
    ['alone it moves nothing', 'todo', false, { complete: true }, undefined, true],
    ['alone it moves nothing back', 'done', true, { complete: false }, undefined, false],
  ];
  for (const [name, from, before, fields, to, expected] of rows) {
    it(name, async () => {
      const team = await withDone();
      const { owner, at, boardId } = team;
      const { id: taskId } = await owner.tasks.create({
        ...at,
        title: 'T',
        boardId,
        statusId: team[from],
        complete: before,
      });
      const statusId = to === undefined ? undefined : team[to];
      const after = await owner.tasks.update({
        ...at,
        taskId,
        ...fields,
        ...(statusId === undefined ? {} : { statusId }),
      });
      assert.deepEqual([after.complete, after.statusId], [expected, statusId ?? team[from]]);
    });
  }

  it('is that of the status on creation, unless given', async () => {
    const { owner, at, boardId, todo, done } = await withDone();
    const made = async (statusId: string, extra: object) =>
      (await owner.tasks.create({ ...at, title: 'T', boardId, statusId, ...extra })).complete;
    assert.deepEqual(
      [
        await made(todo, {}),
        await made(done, {}),
        await made(todo, { complete: true }),
        await made(done, { complete: false }),
      ],
      [false, true, true, false],
    );
  });

  it('does not follow a change of done', async () => {
    const { owner, at, boardId, todo } = await withDone();
    const task = await owner.tasks.create({ ...at, title: 'T', boardId });
    await owner.statuses.update({ ...at, boardId, statusId: todo, done: true });
    assert.deepEqual(await owner.tasks.get({ ...at, taskId: task.id }), task);
  });
});

describe('tasks: moving to another board', () => {
  it('takes the first status there, maps tags by name and drops the rest', async () => {
    const team = await withDone();
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
    const team = await withDone();
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
    const team = await withDone();
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
    const team = await withDone();
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
    const team = await withDone();
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
    const team = await withDone();
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
