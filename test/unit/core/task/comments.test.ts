import { assert, expect } from 'chai';
import { newTeam } from '../../../fixtures/world/team.ts';
import { outcome } from '../../../fixtures/world/world.ts';

async function newThread() {
  const team = await newTeam();
  const board = await team.board('Board');
  const taskId = await team.task(board.id, 'Task');
  return { ...team, boardId: board.id, taskId, on: { ...team.at, taskId } };
}

describe('comments', () => {
  it('stand with their task in the order of their creation', async () => {
    const { owner, member, on, world } = await newThread();
    const first = await owner.comments.create({ ...on, content: 'one' });
    world.pass(1);
    await member.comments.create({ ...on, content: 'two' });
    const task = await owner.tasks.get(on);
    expect(task.comments.map(({ content, authorId }) => [content, authorId])).to.deep.equal([
      ['one', owner.memberId],
      ['two', member.memberId],
    ]);
    const { id, createdAt, updatedAt, ...rest } = first;
    assert(id.length > 0 && createdAt === updatedAt);
    expect(rest).to.deep.equal({
      taskId: on.taskId,
      authorId: owner.memberId,
      content: 'one',
      edited: false,
      externalId: null,
      metadata: {},
      version: 1,
    });
    expect(task.version).to.equal(1);
  });

  it('are edited by their author alone, still at 200', async () => {
    const team = await newThread();
    const { owner, member, on } = team;
    const { id: commentId } = await member.comments.create({ ...on, content: 'one' });
    const edit = (who: typeof owner) => outcome(who.comments.update({ ...on, commentId, content: `by ${who.name}` }));
    expect(await edit(owner)).to.equal('forbidden');
    for (const [level, expected] of [
      [200, 'ok'],
      [100, 'forbidden'],
      [0, 'not-found'],
    ] as const) {
      await team.grant(team.boardId, member, level);
      expect(await edit(member)).to.equal(expected);
    }
    const [comment] = (await owner.tasks.get(on)).comments;
    expect([comment?.content, comment?.edited, comment?.version]).to.deep.equal(['by Member', true, 2]);
  });

  it('are deleted by their author, or with full access', async () => {
    const team = await newThread();
    const { owner, member, on } = team;
    const write = async () => (await member.comments.create({ ...on, content: 'x' })).id;
    const ids = [await write(), await write(), await write()];
    const chief = await team.withLevel(team.boardId, 400);
    const editor = await team.withLevel(team.boardId, 300);
    expect(await outcome(editor.comments.delete({ ...on, commentId: ids[0]! }))).to.equal('forbidden');
    expect(await outcome(chief.comments.delete({ ...on, commentId: ids[0]! }))).to.equal('ok');
    await team.grant(team.boardId, member, 100);
    expect(await outcome(member.comments.delete({ ...on, commentId: ids[1]! }))).to.equal('ok');
    expect(await outcome(owner.comments.delete({ ...on, commentId: ids[1]! }))).to.equal('not-found');
    expect((await owner.tasks.get(on)).comments.map(({ id }) => id)).to.deep.equal([ids[2]]);
    expect((await owner.tasks.list(team.at)).items[0]?.commentCount).to.equal(1);
  });

  it('are found on their task only', async () => {
    const team = await newThread();
    const { owner, on, at } = team;
    const { id: commentId } = await owner.comments.create({ ...on, content: 'x' });
    const taskId = await team.task(team.boardId, 'Other');
    expect(await outcome(owner.comments.update({ ...at, taskId, commentId, content: 'y' }))).to.equal('not-found');
    expect(await outcome(owner.comments.delete({ ...at, taskId, commentId }))).to.equal('not-found');
  });

  it('hold an externalId of their own in the workspace', async () => {
    const team = await newThread();
    const { owner, on, at } = team;
    await owner.comments.create({ ...on, content: 'x', externalId: 'E' });
    const taskId = await team.task(team.boardId, 'Other');
    expect(await outcome(owner.comments.create({ ...at, taskId, content: 'x', externalId: 'E' }))).to.equal(
      'external-id-taken',
    );
    await owner.tasks.delete(on);
    expect(await outcome(owner.comments.create({ ...at, taskId, content: 'x', externalId: 'E' }))).to.equal('ok');
  });

  it('an externalId is no edit of the text', async () => {
    const { owner, on } = await newThread();
    const { id: commentId } = await owner.comments.create({ ...on, content: 'x' });
    const comment = await owner.comments.update({ ...on, commentId, externalId: 'E', content: 'x' });
    expect([comment.edited, comment.externalId, comment.version]).to.deep.equal([false, 'E', 2]);
  });
});
