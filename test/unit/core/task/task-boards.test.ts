import { expect } from 'chai';
import { tagsOfSameNames } from '../../../../core/board/tags.ts';
import type { Board } from '../../../../core/model/content/board.ts';
import { board, newId, tag } from '../../../contract/records.ts';
import { boardWithDone } from '../../../fixtures/world/board-with-done.ts';
import { outcome } from '../../../fixtures/world/world.ts';

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
    expect([moved.boardId, moved.statusId, moved.tags, moved.complete]).to.deep.equal([
      other.id,
      other.todo,
      [there],
      false,
    ]);
    expect(
      (await owner.tasks.list({ ...at, boardId: [other.id], sort: ['position'] })).items.map(({ title }) => title),
    ).to.deep.equal(['first', 'T']);
  });

  it('looks at the name of each tag once, however many the task has', () => {
    const TAGS = 300;
    let looks = 0;
    const counted = (n: number) => {
      const name = `Tag ${n}`;
      return Object.defineProperty(tag(), 'name', { enumerable: true, get: () => ((looks += 1), name) });
    };
    const [from, to] = [0, 1].map(() => board(newId(), { tags: Array.from({ length: TAGS }, (_, n) => counted(n)) }));
    const ids = (of: Board) => of.tags.map(({ id }) => id);
    expect(tagsOfSameNames(to!, from!, ids(from!))).to.deep.equal(ids(to!));
    expect(looks).to.be.at.most(2 * TAGS);
  });

  it('takes the status and the tags of that board that are given', async () => {
    const team = await boardWithDone();
    const { owner, at, boardId } = team;
    const other = await team.board('Other');
    const { id: second } = await owner.statuses.create({ ...at, boardId: other.id, name: 'Second' });
    const { id: tag } = await owner.tags.create({ ...at, boardId: other.id, name: 'Tag' });
    const taskId = await team.task(boardId, 'T');
    const move = (extra: object) => owner.tasks.update({ ...at, taskId, boardId: other.id, ...extra });
    expect(await outcome(move({ statusId: team.doing }))).to.equal('unusable-reference');
    expect(await outcome(move({ tags: [boardId] }))).to.equal('unusable-reference');
    const moved = await move({ statusId: second, tags: [tag, tag] });
    expect([moved.statusId, moved.tags]).to.deep.equal([second, [tag]]);
    const empty = await owner.boards.create({ ...at, name: 'Empty' });
    expect(await outcome(owner.tasks.update({ ...at, taskId, boardId: empty.id }))).to.equal('board-without-status');
  });

  it('keeps what is given with it as it was: the completion, and the sort key', async () => {
    const { owner, at, board, boardId, task } = await boardWithDone();
    const { id: other, todo } = await board('Other');
    await owner.statuses.update({ ...at, boardId: other, statusId: todo, done: true });
    const tasks = [await task(boardId, 'one'), await task(boardId, 'two')];
    const moved = [];
    for (const taskId of tasks) {
      const { complete, statusOrderKey } = await owner.tasks.get({ ...at, taskId });
      moved.push(
        await owner.tasks.update({ ...at, taskId, boardId: other, complete, statusOrderKey: statusOrderKey! }),
      );
    }
    expect(moved.map(({ complete }) => complete)).to.deep.equal([false, false]);
    expect(moved.map(({ statusOrderKey }) => statusOrderKey)).to.deep.equal([1024, 2048]);
    const [first] = tasks;
    const back = await owner.tasks.update({ ...at, taskId: first!, boardId, statusOrderKey: 1024 });
    expect([back.complete, back.statusOrderKey]).to.deep.equal([false, 1024]);
  });

  it('needs editing on both boards', async () => {
    const team = await boardWithDone();
    const { member, at, boardId } = team;
    const other = await team.board('Other');
    const taskId = await team.task(boardId, 'T');
    const paged = await team.page('Paged', boardId, 'task');
    const move = (id: string) => outcome(member.tasks.update({ ...at, taskId: id, boardId: other.id }));
    await team.grant(other.id, member, 0);
    expect(await move(taskId)).to.equal('unusable-reference');
    await team.grant(other.id, member, 200);
    expect(await move(taskId)).to.equal('forbidden');
    await team.grant(other.id, member, 300);
    await team.grant(boardId, member, 200);
    await team.grant(paged, member, 400);
    expect([await move(taskId), await move(paged)]).to.deep.equal(['forbidden', 'forbidden']);
    await team.grant(boardId, member, 300);
    expect([await move(taskId), await move(paged)]).to.deep.equal(['ok', 'ok']);
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
    expect(await order()).to.equal('axb');
    await owner.tasks.update({ ...at, taskId: await team.task(boardId, 'y'), boardId: other.id, afterTaskId: null });
    expect(await order()).to.equal('yaxb');
    // The key of the card before and of the one after may well be the same.
    const card = await owner.tasks.create({ ...at, boardId, title: 'z', statusOrderKey: 1024 });
    await owner.tasks.update({ ...at, taskId: a, statusOrderKey: 1024 });
    const moved = await owner.tasks.update({ ...at, taskId: card.id, boardId: other.id, statusOrderKey: 1024 });
    expect(moved.statusOrderKey).to.equal(1024);
    expect(await order()).to.match(/za/);
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
      expect([task.tags, task.version]).to.deep.equal([[tagId], version]);
    }
    for (const version of [3, 3]) {
      const task = await owner.tasks.assign({ ...at, taskId, memberId: member.memberId });
      expect([task.assignees, task.version]).to.deep.equal([[member.memberId], version]);
    }
    const results: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      results.push(await outcome(owner.tasks.removeTag({ ...at, taskId, tagId })));
      results.push(await outcome(owner.tasks.unassign({ ...at, taskId, memberId: member.memberId })));
    }
    expect(results).to.deep.equal(['ok', 'ok', 'not-found', 'not-found']);
    const task = await owner.tasks.get({ ...at, taskId });
    expect([task.tags, task.assignees]).to.deep.equal([[], []]);
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
    expect([task.tags, task.assignees]).to.deep.equal([[tagId], [member.memberId, admin.memberId]]);
    expect(await outcome(owner.tasks.update({ ...at, taskId, assignees: [team.guest.memberId] }))).to.equal(
      'unusable-reference',
    );
    expect(await outcome(owner.tasks.assign({ ...at, taskId, memberId: team.guest.memberId }))).to.equal(
      'unusable-reference',
    );
    expect(await outcome(owner.tasks.addTag({ ...at, taskId, tagId: boardId }))).to.equal('unusable-reference');
    expect((await owner.tasks.update({ ...at, taskId, tags: [], assignees: [] })).assignees).to.deep.equal([]);
  });
});
