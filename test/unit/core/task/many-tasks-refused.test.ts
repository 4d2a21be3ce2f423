import { expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import { sessionOf } from '../../../../core/session.ts';
import { aboutTask, pointerTo } from '../../../../core/task/many/about.ts';
import { ColumnCrowded } from '../../../../core/task/place/crowded.ts';
import type { Guard } from '../../../../core/write/guards.ts';
import { fault } from '../../../fixtures/world/world.ts';
import { sixTasks } from '../../../fixtures/world/six-tasks.ts';

/** Six tasks on a board; a member who may edit it sees the first without editing, and the third not at all. */
async function someHidden() {
  const six = await sixTasks();
  const { owner, at, ids, page, withLevel, boardId } = six;
  const member = await withLevel(boardId, 300);
  const parentId = await page('Tasks');
  for (const [i, access] of [
    [0, 100],
    [2, 0],
  ] as const) {
    await owner.pages.create({ ...at, name: 'p', type: 'task', parentId, taskId: ids[i]! });
    await owner.access.grant({ ...at, pageId: ids[i]!, memberId: member.memberId, access });
  }
  return { ...six, member };
}

/** Six tasks, changed by an engine with a guard that refuses one of them. */
async function guarded(guard: Guard) {
  const six = await sixTasks();
  const engine = createEngine({ ...six.world.ports, guards: [guard] });
  return { ...six, ada: sessionOf(engine, { kind: 'user', userId: six.owner.userId }) };
}

describe('a call about many tasks that is refused', () => {
  it('names the tasks that the caller sees and may not edit, and no hidden one', async () => {
    const { ids, update, remove, member } = await someHidden();
    const set = { priority: 1 };
    expect(await fault(update({ taskIds: ids }, set, member))).to.equal('forbidden /taskIds/0');
    expect(await fault(remove({ taskIds: ids.toReversed() }, member))).to.equal('forbidden /taskIds/5');
    const found = { filter: {}, count: 5 };
    for (const call of [update(found, set, member), remove(found, member)]) {
      const error = await call.catch((refused: unknown) => refused as EspalierError);
      expect((error as EspalierError).errors).to.deep.equal([
        { pointer: '/filter', detail: `finds task #1 (${ids[0]!}), which this error is about` },
      ]);
    }
    expect(await fault(update({ taskIds: ids.slice(1) }, set, member))).to.equal('unusable-reference /taskIds/1');
  });

  it('does not tell the order of cards on a board that is hidden', async () => {
    const { owner, at, ids, page, withLevel, boardId, update, todo } = await sixTasks();
    const parentId = await page('Tasks');
    for (const taskId of ids) await owner.pages.create({ ...at, name: 'p', type: 'task', parentId, taskId });
    await owner.tasks.update({ ...at, taskId: ids[2]!, afterTaskId: null });
    const guest = await withLevel(boardId, 0);
    for (const pageId of ids) await owner.access.grant({ ...at, pageId, memberId: guest.memberId, access: 300 });
    const placed = await update({ filter: {}, count: 6 }, { statusId: todo }, guest).catch(
      (refused: unknown) => refused,
    );
    expect((placed as EspalierError).errors.at(-1)).to.deep.equal({
      pointer: '/filter',
      detail: `finds task #1 (${ids[0]!}), which this error is about`,
    });
  });

  it('names the task of which something cannot be set', async () => {
    const { ids, update, world, owner, at, boardId, board } = await sixTasks();
    const other = await board('Other');
    const { id: tag } = await owner.tags.create({ ...at, boardId: other.id, name: 'there' });
    expect(await fault(update({ filter: {}, count: 6 }, { addTags: [tag] }))).to.equal(
      'unusable-reference /set/addTags /filter',
    );
    const bare = await owner.boards.create({ ...at, name: 'Bare' });
    expect(await fault(update({ taskIds: ids.slice(3) }, { boardId: bare.id }))).to.equal(
      'board-without-status /taskIds/0',
    );
    await world.operator.quotas.update({ taskTags: 1 });
    const addTags: string[] = [];
    for (const name of ['x', 'y']) addTags.push((await owner.tags.create({ ...at, boardId, name })).id);
    await owner.tasks.create({ ...at, boardId, title: 'G' });
    for (const set of [{ addTags }, { addTags, afterTaskId: null }]) {
      expect(await fault(update({ taskIds: ids.slice(1) }, set))).to.match(/^quota-exceeded \/taskIds\/\d$/);
      expect(await fault(update({ filter: {}, count: 7 }, set))).to.equal('quota-exceeded /filter');
    }
  });

  it('names the task that cannot be deleted', async () => {
    const { ids, remove, owner, at, page, withLevel, boardId } = await sixTasks();
    const member = await withLevel(boardId, 300);
    await owner.pages.create({ ...at, name: 'p', type: 'task', parentId: await page('P'), taskId: ids[4]! });
    await owner.access.grant({ ...at, pageId: ids[4]!, memberId: member.memberId, access: 400 });
    const nested = await page('Nested', ids[4]);
    await owner.access.grant({ ...at, pageId: nested, memberId: member.memberId, access: 0 });
    expect(await fault(remove({ taskIds: ids }, member))).to.equal('hidden-content /taskIds/4');
    expect(await fault(remove({ filter: {}, count: 6 }, member))).to.equal('hidden-content /filter');
    await owner.access.grant({ ...at, pageId: nested, memberId: member.memberId, access: 100 });
    expect(await fault(remove({ taskIds: ids }, member))).to.equal('forbidden /taskIds/4');
  });

  it('names the task that a guard refuses', async () => {
    const { ada, at, ids, boardId } = await guarded((_, before, after) => {
      const task = after ?? before;
      return task?.kind === 'task' && task.title === 'C' ? 'C is closed.' : null;
    });
    const set = { priority: 1 };
    expect(await fault(ada.tasks.updateMany({ ...at, taskIds: ids, set }))).to.equal('guard-refused /taskIds/2');
    expect(await fault(ada.tasks.deleteMany({ ...at, taskIds: ids.toReversed() }))).to.equal(
      'guard-refused /taskIds/3',
    );
    const found = { filter: {}, count: 6 };
    expect(await fault(ada.tasks.updateMany({ ...at, ...found, set }))).to.equal('guard-refused /filter');
    const tasks = ['A', 'C'].map((title) => ({ boardId, title }));
    expect(await fault(ada.tasks.createMany({ ...at, tasks }))).to.equal('guard-refused /tasks/1');
  });

  it('names none where the store fails, or room is to be made before the call is repeated', () => {
    const place = { workspaceId: 'w', statusId: 's', key: 1 };
    for (const error of [new EspalierError('store-busy', 'Try again.'), new ColumnCrowded(place)]) {
      expect(aboutTask(error, pointerTo({}, { id: 't', num: 1 }, 0))).to.equal(error);
    }
  });

  it('names the task that cannot be created', async () => {
    const { owner, at, boardId, world, withLevel, board } = await sixTasks();
    const create = (drafts: readonly object[], by = owner) =>
      fault(by.tasks.createMany({ ...at, tasks: drafts.map((draft) => ({ boardId, title: 't', ...draft })) }));
    expect(await create([{}, { externalId: 'x' }, { externalId: 'x' }])).to.equal('external-id-taken /tasks/2');
    expect(await create([{}, { statusId: boardId }])).to.equal('unusable-reference /tasks/1/statusId');
    const bare = await owner.boards.create({ ...at, name: 'Bare' });
    expect(await create([{}, { boardId: bare.id }])).to.equal('board-without-status /tasks/1');
    const other = await board('Other');
    const member = await withLevel(other.id, 300);
    await owner.access.grant({ ...at, pageId: boardId, memberId: member.memberId, access: 100 });
    expect(await create([{ boardId: other.id }, {}], member)).to.equal('forbidden /tasks/1');
    await world.operator.quotas.update({ tasks: 7 });
    expect(await create([{}, {}])).to.equal('quota-exceeded /tasks/1');
  });
});
