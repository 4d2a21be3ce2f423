import { assert, expect } from 'chai';
import { rejects } from '../../../fixtures/errors.ts';
import type { UpdateTask } from '../../../../core/task/update.ts';
import { boardWithDone } from '../../../fixtures/world/board-with-done.ts';
import { fault, outcome } from '../../../fixtures/world/world.ts';

describe('tasks: creating', () => {
  it('has the defaults of the design', async () => {
    const { owner, at, boardId, todo } = await boardWithDone();
    const task = await owner.tasks.create({ ...at, title: '  Write ', boardId });
    const { id, createdAt, updatedAt, ...rest } = task;
    expect(createdAt).to.equal(updatedAt);
    expect(rest).to.deep.equal({
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
      metadata: {},
      tags: [],
      assignees: [],
      pageId: null,
      parentTaskId: null,
      childCount: 0,
      childDone: 0,
      blocked: false,
      links: [],
      checklist: [],
      comments: [],
      version: 1,
    });
    expect(await owner.tasks.get({ ...at, taskId: id })).to.deep.equal(task);
  });

  it('goes to the status with the lowest orderKey, which a board must have', async () => {
    const { owner, at, boardId, done } = await boardWithDone();
    await owner.statuses.update({ ...at, boardId, statusId: done, orderKey: -1 });
    const task = await owner.tasks.create({ ...at, title: 'Task', boardId });
    expect([task.statusId, task.complete]).to.deep.equal([done, true]);
    const empty = await owner.boards.create({ ...at, name: 'Empty' });
    const create = (extra: object) =>
      outcome(owner.tasks.create({ ...at, title: 'Task', boardId: empty.id, ...extra }));
    expect(await create({})).to.equal('board-without-status');
    expect(await create({ statusId: done })).to.equal('unusable-reference');
    expect(await create({ tags: [done] })).to.equal('unusable-reference');
    expect(await create({ assignees: [done] })).to.equal('unusable-reference');
  });

  it('takes only what is of the board, and who can see it', async () => {
    const team = await boardWithDone();
    const { owner, at, boardId } = team;
    const other = await team.board('Other');
    const { id: tag } = await owner.tags.create({ ...at, boardId: other.id, name: 'Tag' });
    const create = (extra: object) => outcome(owner.tasks.create({ ...at, title: 'Task', boardId, ...extra }));
    expect(await create({ statusId: other.todo })).to.equal('unusable-reference');
    expect(await create({ tags: [tag] })).to.equal('unusable-reference');
    expect(await create({ boardId: await team.page('Folder') })).to.equal('unusable-reference');
    expect(await create({ boardId: team.workspaceId })).to.equal('unusable-reference');
    expect(await create({ assignees: [team.guest.memberId] })).to.equal('unusable-reference');
    await team.grant(boardId, team.guest, 100);
    expect(await create({ assignees: [team.guest.memberId] })).to.equal('ok');
    await team.world.operator.users.update({ userId: team.guest.userId, disabled: true });
    expect(await create({ assignees: [team.guest.memberId] })).to.equal('unusable-reference');
    expect(await create({ assignees: [team.outsider.userId] })).to.equal('unusable-reference');
    await team.member.members.remove({ ...at, memberId: team.member.memberId });
    expect(await create({ assignees: [team.member.memberId] })).to.equal('unusable-reference');
  });

  it('needs an end that is not before the start', async () => {
    const { owner, at, boardId } = await boardWithDone();
    const create = (plannedStartDate: string | null, plannedEndDate: string | null) =>
      outcome(owner.tasks.create({ ...at, title: 'Task', boardId, plannedStartDate, plannedEndDate }));
    expect(await create('2026-03-02', '2026-03-01')).to.equal('invalid-input');
    expect(await create('2026-03-01', '2026-03-01')).to.equal('ok');
    expect(await create(null, '2026-03-01')).to.equal('ok');
    const task = await owner.tasks.create({ ...at, title: 'Task', boardId, plannedStartDate: '2026-03-02' });
    expect([task.dateStart, task.dateEnd]).to.deep.equal(['2026-03-02', null]);
    const update = (fields: object) => owner.tasks.update({ ...at, taskId: task.id, ...fields });
    expect(await fault(update({ plannedEndDate: '2026-03-01' }))).to.equal('invalid-input /plannedEndDate');
    expect(await outcome(update({ plannedEndDate: '2026-03-01', plannedStartDate: null }))).to.equal('ok');
    expect(await fault(update({ plannedStartDate: '2026-03-02' }))).to.equal('invalid-input /plannedStartDate');
  });

  it('keeps an externalId of its own in the workspace', async () => {
    const team = await boardWithDone();
    const { owner, at, boardId } = team;
    const make = (externalId: string, on = boardId) =>
      owner.tasks.create({ ...at, title: 'Task', boardId: on, externalId });
    const first = await make('E');
    expect(await outcome(make('E', (await team.board('Other')).id))).to.equal('external-id-taken');
    expect(
      await outcome(owner.tasks.update({ ...at, taskId: await team.task(boardId, 'x'), externalId: 'E' })),
    ).to.equal('external-id-taken');
    await owner.tasks.update({ ...at, taskId: first.id, externalId: null });
    expect(await outcome(make('E'))).to.equal('ok');
    const doomed = await team.board('Doomed');
    await make('F', doomed.id);
    await owner.boards.delete({ ...at, boardId: doomed.id });
    expect(await outcome(make('F'))).to.equal('ok');
    await team.world.purge();
    expect(await outcome(make('F'))).to.equal('external-id-taken');
  });

  it('of many is all or nothing, in order, and points at what is wrong', async () => {
    const { owner, at, boardId, done } = await boardWithDone();
    const tasks = [
      { title: 'a', boardId },
      { title: 'b', boardId, statusId: done },
      { title: 'c', boardId },
    ];
    expect((await owner.tasks.createMany({ ...at, tasks })).map(({ num, complete }) => [num, complete])).to.deep.equal([
      [1, false],
      [2, true],
      [3, false],
    ]);
    await rejects(owner.tasks.createMany({ ...at, tasks: [...tasks, { title: 'd', boardId, statusId: boardId }] }), {
      code: 'unusable-reference',
      errors: [{ pointer: '/tasks/3/statusId', detail: 'names something that does not exist or cannot be used here' }],
    });
    expect((await owner.tasks.list(at)).items.length).to.equal(3);
  });
});

describe('tasks: num', () => {
  it('grows, and is neither reused nor given twice', async () => {
    const team = await boardWithDone();
    const { owner, at, boardId } = team;
    const create = async (n: number) => (await owner.tasks.create({ ...at, title: `t${n}`, boardId })).num;
    const at1 = await Promise.all(Array.from({ length: 20 }, (_, n) => create(n)));
    expect(new Set(at1).size).to.equal(20);
    const last = await owner.tasks.list({ ...at, sort: ['-num'], limit: 1 });
    await owner.tasks.delete({ ...at, taskId: last.items[0]!.id });
    assert((await create(20)) > Math.max(...at1));
    const page = await team.page('Page', boardId, 'task');
    expect((await owner.tasks.get({ ...at, taskId: page })).num).to.equal(22);
    await owner.boards.delete({ ...at, boardId });
    await team.world.purge();
    const board = await team.board('Next');
    assert((await owner.tasks.create({ ...at, title: 't', boardId: board.id })).num > 22);
    const other = await owner.workspaces.create({ name: 'Other' });
    const elsewhere = await owner.boards.create({ workspaceId: other.id, name: 'B' });
    await owner.statuses.create({ workspaceId: other.id, boardId: elsewhere.id, name: 'S' });
    expect((await owner.tasks.create({ workspaceId: other.id, title: 't', boardId: elsewhere.id })).num).to.equal(1);
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
      const team = await boardWithDone();
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
      expect([after.complete, after.statusId]).to.deep.equal([expected, statusId ?? team[from]]);
    });
  }

  it('is that of the status on creation, unless given', async () => {
    const { owner, at, boardId, todo, done } = await boardWithDone();
    const made = async (statusId: string, extra: object) =>
      (await owner.tasks.create({ ...at, title: 'T', boardId, statusId, ...extra })).complete;
    expect([
      await made(todo, {}),
      await made(done, {}),
      await made(todo, { complete: true }),
      await made(done, { complete: false }),
    ]).to.deep.equal([false, true, true, false]);
  });

  it('does not follow a change of done', async () => {
    const { owner, at, boardId, todo } = await boardWithDone();
    const task = await owner.tasks.create({ ...at, title: 'T', boardId });
    await owner.statuses.update({ ...at, boardId, statusId: todo, done: true });
    expect(await owner.tasks.get({ ...at, taskId: task.id })).to.deep.equal(task);
  });
});
