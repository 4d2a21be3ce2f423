import { expect } from 'chai';
import type { TaskFilters } from '../../../core/task/list/filters.ts';
import type { ListTasks } from '../../../core/task/list/list.ts';
import { behaviour, fails, NOTHING, type Behaviour } from './behaviour.ts';

export const TASK_BEHAVIOURS: readonly Behaviour[] = [
  behaviour('tasks are made, found, changed, moved and deleted', async (start) => {
    const { workspaceId, boardId, todo, done, tagId, members } = start;
    const { ada, ben, cleo } = start.people;
    const on = { workspaceId, boardId };
    const first = await ada.tasks.create({ ...on, title: 'Spec, & more', tags: [tagId], plannedEndDate: '2026-03-31' });
    const many = await ben.tasks.createMany({
      workspaceId,
      tasks: [2, 3, 4].map((n) => ({ boardId, title: `T${n}` })),
    });
    expect(many.map(({ num }) => num)).to.deep.equal([2, 3, 4]);
    const named = await ada.tasks.update({ workspaceId, taskId: many[0]!.id, expand: ['status', 'createdBy'] });
    expect(named).to.deep.include({ title: 'T2', version: 1 });
    expect(named.expanded).to.deep.equal({
      status: { id: todo, name: 'Todo', done: false },
      createdBy: { id: members.ben, name: 'Ben' },
    });
    await fails('invalid-input', ada.tasks.create({ ...on, title: '' }));
    await fails('unusable-reference', ada.tasks.createMany({ workspaceId, tasks: [{ boardId: NOTHING, title: 'x' }] }));
    const task = { workspaceId, taskId: first.id };
    expect(await ada.tasks.get(task)).to.deep.equal(first);
    const moved = await ada.tasks.update({ ...task, statusId: done, assignees: [members.ben] }, { ifVersion: [1] });
    expect(moved).to.include({ complete: true, version: 2 });
    await fails('version-mismatch', ada.tasks.update({ ...task, title: 'Late' }, { ifVersion: [1] }));
    for (const [query, nums] of [
      [{}, [1, 2, 3, 4]],
      [{ num: [2, 9] }, [2]],
      [{ q: '& MORE', complete: true }, [1]],
      [{ boardId: [boardId], statusId: [todo], sort: ['-num'] as const }, [4, 3, 2]],
      [{ assigneeId: ['me', 'none'], excludeTagId: [tagId] }, [2, 3, 4]],
      [{ endTo: '2026-03-31', overdue: false }, [1]],
      [{ priority: [] }, []],
    ] as readonly (readonly [TaskFilters & Pick<ListTasks, 'sort'>, readonly number[]])[]) {
      const { items, total } = await ada.tasks.list({ workspaceId, ...query, count: true });
      expect(items.map(({ num }) => num)).to.deep.equal(nums);
      expect(total).to.equal(nums.length);
    }
    const { items, next } = await ada.tasks.list({ workspaceId, limit: 3 });
    expect(items).to.have.length(3);
    expect((await ada.tasks.list({ workspaceId, limit: 3, cursor: next! })).items.map(({ num }) => num)).to.deep.equal([
      4,
    ]);
    await fails('invalid-input', ada.tasks.list({ workspaceId, sort: ['-title'], cursor: next! }));
    await fails('not-found', cleo.tasks.get(task));
    await fails('version-mismatch', ada.tasks.delete(task, { ifVersion: [1] }));
    await ada.tasks.delete(task);
    await fails('not-found', ada.tasks.get(task));
  }),
  behaviour('tags and people are put on tasks and taken off', async (start) => {
    const { workspaceId, boardId, tagId, members } = start;
    const { ada } = start.people;
    const { id: taskId } = await ada.tasks.create({ workspaceId, boardId, title: 'One' });
    const task = { workspaceId, taskId };
    expect((await ada.tasks.addTag({ ...task, tagId })).tags).to.deep.equal([tagId]);
    await fails('unusable-reference', ada.tasks.addTag({ ...task, tagId: NOTHING }));
    await ada.tasks.removeTag({ ...task, tagId });
    await fails('not-found', ada.tasks.removeTag({ ...task, tagId }));
    expect((await ada.tasks.assign({ ...task, memberId: members.ben })).assignees).to.deep.equal([members.ben]);
    await fails('unusable-reference', ada.tasks.assign({ ...task, memberId: members.cleo }));
    await ada.tasks.unassign({ ...task, memberId: members.ben });
    await fails('not-found', ada.tasks.unassign({ ...task, memberId: members.ben }));
  }),
  behaviour(
    'many tasks are changed and deleted in one call',
    async ({ people: { ada, cleo }, workspaceId, boardId }) => {
      const drafts = ['One', 'Two', 'Three'].map((title) => ({ title, boardId }));
      const made = await ada.tasks.createMany({ workspaceId, tasks: drafts });
      const taskIds = made.slice(1).map(({ id }) => id);
      await ada.tasks.updateMany({ workspaceId, taskIds, set: { priority: 300 } });
      const { items } = await ada.tasks.list({ workspaceId, sort: ['num'] });
      expect(items.map(({ priority }) => priority)).to.deep.equal([0, 300, 300]);
      await ada.tasks.deleteMany({ workspaceId, taskIds });
      expect((await ada.tasks.list({ workspaceId })).items.map(({ title }) => title)).to.deep.equal(['One']);
      const rest = { workspaceId, taskIds: [made[0]!.id] };
      await fails('unusable-reference', cleo.tasks.updateMany({ ...rest, set: { priority: 0 } }));
      await fails('unusable-reference', cleo.tasks.deleteMany(rest));
    },
  ),
  behaviour('a checklist is written, ticked and removed', async ({ people: { ada, cleo }, workspaceId, boardId }) => {
    const { id: taskId } = await ada.tasks.create({ workspaceId, boardId, title: 'Release' });
    const at = { workspaceId, taskId };
    const item = await ada.checklists.create({ ...at, text: 'Write the notes' });
    const address = { ...at, itemId: item.id };
    expect(await ada.checklists.update({ ...address, done: true })).to.include({ done: true, text: 'Write the notes' });
    const [listed] = (await ada.tasks.list({ workspaceId })).items;
    expect(listed).to.include({ checklistDone: 1, checklistTotal: 1 });
    await fails('not-found', cleo.checklists.create({ ...at, text: 'Mine' }));
    await fails('not-found', cleo.checklists.update({ ...address, done: false }));
    await fails('not-found', cleo.checklists.delete(address));
    await ada.checklists.delete(address);
    expect((await ada.tasks.get(at)).checklist).to.deep.equal([]);
  }),
  behaviour('tasks are linked, found by their links, and unlinked', async ({ people, workspaceId, boardId }) => {
    const { ada, cleo } = people;
    const create = async (title: string) => (await ada.tasks.create({ workspaceId, boardId, title })).id;
    const [part, whole] = [await create('Part'), await create('Whole')];
    const at = { workspaceId, fromTaskId: part };
    const blocks = { ...at, type: 'blocks', taskId: whole } as const;
    expect((await ada.tasks.link({ ...at, type: 'parent', taskId: whole })).parentTaskId).to.equal(whole);
    expect((await ada.tasks.link(blocks)).links.map(({ type }) => type)).to.deep.equal(['parent', 'blocks']);
    await fails('link-cycle', ada.tasks.link({ ...blocks, fromTaskId: whole, taskId: part }));
    const { items } = await ada.tasks.list({ workspaceId, blocked: true, linkedTo: [part] });
    expect(items.map(({ id, childCount, blocked }) => [id, childCount, blocked])).to.deep.equal([[whole, 1, true]]);
    await fails('not-found', cleo.tasks.link(blocks));
    await fails('not-found', cleo.tasks.unlink(blocks));
    await fails('not-found', cleo.tasks.unlinkParent(at));
    await ada.tasks.unlink(blocks);
    await ada.tasks.unlinkParent(at);
    await fails('not-found', ada.tasks.unlinkParent(at));
    expect((await ada.tasks.get({ workspaceId, taskId: whole })).links).to.deep.equal([]);
  }),
  behaviour('comments are written by those who may, and edited by their authors', async (start) => {
    const { workspaceId, boardId } = start;
    const { ada, ben, cleo } = start.people;
    const { id: taskId } = await ada.tasks.create({ workspaceId, boardId, title: 'One' });
    const task = { workspaceId, taskId };
    const { id: commentId } = await ben.comments.create({ ...task, content: 'Looks good.\n' });
    expect(await ben.comments.update({ ...task, commentId, content: 'Very good.' })).to.include({ edited: true });
    await fails('forbidden', ada.comments.update({ ...task, commentId, content: 'Bad.' }));
    await fails('not-found', cleo.comments.create({ ...task, content: 'Hello' }));
    await ada.comments.delete({ ...task, commentId });
    await fails('not-found', ben.comments.delete({ ...task, commentId }));
  }),
  behaviour('a call with a key happens once', async ({ people: { ada }, workspaceId, boardId }) => {
    const call = { idempotencyKey: { key: 'key-1', digest: 'same' } };
    const input = { workspaceId, boardId, title: 'Once' };
    const made = await ada.tasks.create(input, call);
    expect(await ada.tasks.create(input, call)).to.deep.equal(made);
    expect((await ada.tasks.list({ workspaceId })).items).to.have.length(1);
  }),
];
