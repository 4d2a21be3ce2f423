import { expect } from 'chai';
import type { ChangeEvent } from '../../../../core/index.ts';
import { createEngine } from '../../../../core/engine.ts';
import { newTeam, type BoardAt, type Colleague, type Team } from '../../../fixtures/world/team.ts';
import { personOf } from '../../../fixtures/world/world.ts';
import type { Session } from '../../../../core/session.ts';

describe('events name no task that the reader never saw', () => {
  let team: Team;
  /** Which the reader sees, and the other not. */
  let board: BoardAt;
  let other: BoardAt;
  let hidden: BoardAt;
  let reader: Colleague;

  beforeEach(async () => {
    team = await newTeam(undefined, 0);
    reader = team.member;
    board = await team.board('Board');
    other = await team.board('Other');
    hidden = await team.board('Hidden');
    await team.grant(board.id, reader, 100);
  });

  const cursorOf = async (session: Session) => {
    let cursor = '';
    await session.workspaces.get(team.at, { onCursor: (now) => void (cursor = now) });
    return cursor;
  };
  /** One in whose process nothing is known of the structures of before. */
  const startedAnew = () => personOf(createEngine(team.world.ports), reader.userId, reader.name);
  const to = ({ id: boardId }: BoardAt, taskId: string) => team.owner.tasks.update({ ...team.at, taskId, boardId });
  /** All answers, with so many changes each. */
  const answers = async (session: Session, since: string, limit = 100) => {
    const all: (readonly ChangeEvent[])[] = [];
    for (let next: string | null = since; next !== null;) {
      const answer: { items: readonly ChangeEvent[]; next: string | null } = await session.changes.list({
        ...team.at,
        since: next,
        limit,
      });
      all.push(answer.items);
      next = answer.next;
    }
    return all;
  };
  const named = (events: readonly ChangeEvent[]) => events.map(({ type, id }) => [type, id]);

  describe('where the structure of the cursor is not known any more', () => {
    it('though it left a board that they see by now', async () => {
      const taskIds = [await team.task(other.id, 'Moved'), await team.task(other.id, 'Deleted')];
      const since = await cursorOf(reader);
      await to(hidden, taskIds[0]!);
      await team.owner.tasks.delete({ ...team.at, taskId: taskIds[1]! });
      await team.grant(other.id, reader, 100);
      const all = await answers(startedAnew(), since);
      // They read the board anew, whether they held it or not.
      expect(all.map(named)).to.deep.equal([
        [
          ['scope', null],
          ['page.hide', other.id],
        ],
        [['page.show', other.id]],
      ]);
    });

    it('and one that they held leaves them', async () => {
      const taskIds = [await team.task(board.id, 'Moved'), await team.task(board.id, 'Deleted')];
      const since = await cursorOf(reader);
      await to(hidden, taskIds[0]!);
      await team.owner.tasks.delete({ ...team.at, taskId: taskIds[1]! });
      // Of the board nothing that decides access was changed.
      await team.grant(other.id, reader, 100);
      const [first, ...more] = await answers(startedAnew(), since);
      expect(named(first!)).to.deep.equal([
        ['scope', null],
        ['task.hide', taskIds[0]],
        ['task.delete', taskIds[1]],
      ]);
      expect(more).to.deep.equal([]);
    });

    it('nor a comment: they read its task again', async () => {
      const taskId = await team.task(other.id, 'Task');
      const { id: commentId } = await team.owner.comments.create({ ...team.at, taskId, content: 'Well' });
      const since = await cursorOf(reader);
      await team.owner.comments.delete({ ...team.at, taskId, commentId });
      await team.grant(other.id, reader, 100);
      const [events] = await answers(startedAnew(), since);
      expect(named(events!)).to.deep.equal([
        ['scope', null],
        ['task.update', taskId],
      ]);
    });
  });

  it('nor does the number of a transaction fall where one answer has ended inside of it', async () => {
    const since = await cursorOf(reader);
    const { owner, at } = team;
    const tasks = ['One', 'Two', 'Three'].map((title) => ({ boardId: board.id, title }));
    await owner.tasks.createMany({ ...at, tasks });
    const first = await reader.changes.list({ ...at, since, limit: 2 });
    await team.grant(hidden.id, team.guest, 100);
    const second = await startedAnew().changes.list({ ...at, since: first.cursor, limit: 1 });
    expect(second.items.map(({ type }) => type)).to.deep.equal(['scope', 'task.create']);
    const seqs = [...first.items, ...second.items].map(({ seq }) => seq);
    expect(new Set(seqs).size).to.equal(1);
  });

  describe('where an answer ends among the changes of a catch-up', () => {
    it('though it left a board that came into sight meanwhile', async () => {
      const taskIds = [await team.task(other.id, 'Moved'), await team.task(other.id, 'Deleted')];
      const since = await cursorOf(reader);
      await team.grant(other.id, reader, 100);
      // As it is before they may see the board.
      await team.owner.access.revoke({ ...team.at, pageId: other.id, memberId: reader.memberId });
      await to(hidden, taskIds[0]!);
      await team.owner.tasks.delete({ ...team.at, taskId: taskIds[1]! });
      await team.grant(other.id, reader, 100);
      const all = await answers(reader, since, 1);
      // They may have read the board meanwhile, so they read it anew.
      expect(all.flat().filter(({ id }) => taskIds.includes(id!))).to.deep.equal([]);
      expect(named(all.at(-1)!)).to.deep.include(['page.show', other.id]);
    });

    it('and one that they read on that board in the first answer leaves them', async () => {
      const taskId = await team.task(other.id, 'Task');
      const since = await cursorOf(reader);
      await team.grant(other.id, reader, 100);
      await team.task(board.id, 'Next');
      const { items, next } = await reader.changes.list({ ...team.at, since, limit: 1 });
      expect(named(items)).to.deep.equal([['page.show', other.id]]);
      await to(hidden, taskId);
      const all = await answers(reader, next!, 1);
      expect(named(all.flat())).to.deep.include(['task.hide', taskId]);
    });

    it('though the board was seen before and after, and not while the task was there', async () => {
      const since = await cursorOf(reader);
      const revoke = () => team.owner.access.revoke({ ...team.at, pageId: board.id, memberId: reader.memberId });
      await revoke();
      const taskId = await team.task(board.id, 'Task');
      await team.owner.tasks.delete({ ...team.at, taskId });
      await team.grant(board.id, reader, 100);
      const all = await answers(reader, since, 2);
      expect(all.flat().filter(({ id }) => id === taskId)).to.deep.equal([]);
      expect(named(all.at(-1)!)).to.deep.equal([['page.show', board.id]]);
    });

    it('nor a record twice, where the structure changes again before they are at the end', async () => {
      const taskIds: string[] = [];
      for (let n = 0; n < 6; n += 1) taskIds.push(await team.task(board.id, `T${n}`));
      const since = await cursorOf(reader);
      for (const taskId of taskIds) await to(hidden, taskId);
      await team.grant(other.id, reader, 100);
      let next: string | null = since;
      const left: unknown[] = [];
      for (let n = 0; next !== null; n += 1) {
        const answer: { items: readonly ChangeEvent[]; next: string | null } = await reader.changes.list({
          ...team.at,
          since: next,
          limit: 2,
        });
        if (n === 0) await team.grant(hidden.id, team.guest, 100);
        left.push(...answer.items.filter(({ type }) => type === 'task.hide').map(({ id }) => id));
        next = answer.next;
      }
      expect(left).to.deep.equal(taskIds);
    });
  });

  it('and what was made behind the cursor is told as gone, for they may have read it before it went', async () => {
    const { owner, at } = team;
    const kept = await team.task(board.id, 'Kept');
    const since = await cursorOf(reader);
    const made = await team.task(board.id, 'Made');
    const passing = await team.task(hidden.id, 'Passing');
    await to(board, passing);
    const { id: commentId } = await owner.comments.create({ ...at, taskId: kept, content: 'Well' });
    const { memberId } = await team.join('Newcomer', 20);
    await owner.comments.delete({ ...at, taskId: kept, commentId });
    await owner.tasks.delete({ ...at, taskId: made });
    await to(hidden, passing);
    await owner.members.remove({ ...at, memberId });
    const { items } = await reader.changes.list({ ...at, since });
    expect(named(items)).to.deep.equal([
      ['comment.delete', commentId],
      ['task.delete', made],
      ['task.hide', passing],
      ['member.delete', memberId],
    ]);
  });
});

describe('events tell neither when nor by whom something was written out of sight', () => {
  const cursorOf = async ({ member, at }: Team) => {
    let cursor = '';
    await member.workspaces.get(at, { onCursor: (now) => void (cursor = now) });
    return cursor;
  };

  it('of a page that was hidden before', async () => {
    const team = await newTeam(undefined, 100);
    const { owner, admin, member, at, world } = team;
    const pageId = await team.page('Page');
    const since = await cursorOf(team);
    await owner.access.changeSettings({ ...at, pageId, inherit: false, defaultAccess: 0 });
    await team.grant(pageId, admin, 400);
    const before = await member.changes.list({ ...at, since });
    expect(before.items).to.have.length(1);
    expect(before.items[0]).to.include({ type: 'page.hide', id: pageId, byId: owner.memberId });
    world.pass(3_600_000);
    await admin.pages.update({ ...at, pageId, name: 'Secret' });
    const [after] = (await member.changes.list({ ...at, since })).items;
    expect([after!.type, after!.at, after!.byId]).to.deep.equal(['page.hide', before.items[0]!.at, owner.memberId]);
  });

  it('of the page of a task that is moved between hidden boards', async () => {
    const team = await newTeam(undefined, 0);
    const { owner, admin, member, at, world } = team;
    const [one, other] = [await team.board('One'), await team.board('Other')];
    const folder = await team.page('Folder');
    const taskId = await team.task(one.id, 'Task');
    await owner.pages.create({ ...at, name: 'Task', type: 'task', taskId, parentId: folder });
    await team.grant(folder, member, 100);
    for (const { id } of [one, other]) await team.grant(id, admin, 400);
    await team.grant(folder, admin, 400);
    const since = await cursorOf(team);
    await owner.pages.update({ ...at, pageId: taskId, metadata: { n: 1 } });
    const before = (await member.changes.list({ ...at, since })).items;
    world.pass(3_600_000);
    await admin.tasks.update({ ...at, taskId, boardId: other.id });
    const after = (await member.changes.list({ ...at, since })).items.filter(({ type }) => type === 'page.update');
    expect(after.map(({ at: when, byId }) => [when, byId])).to.deep.equal([[before[0]!.at, owner.memberId]]);
  });

  it('of a task that is put where it stands on a hidden board', async () => {
    const team = await newTeam(undefined, 0);
    const { owner, member, at } = team;
    const [hidden, folder] = [await team.board('Hidden'), await team.page('Folder')];
    const taskId = await team.task(hidden.id, 'Task');
    await owner.pages.create({ ...at, name: 'Task', type: 'task', taskId, parentId: folder });
    await team.grant(folder, member, 100);
    const since = await cursorOf(team);
    await owner.tasks.update({ ...at, taskId, afterTaskId: null });
    expect((await member.changes.list({ ...at, since })).items).to.deep.equal([]);
  });

  it('of a task that came into sight without its board', async () => {
    const team = await newTeam(undefined, 0);
    const { owner, member, at } = team;
    const hidden = await team.board('Hidden');
    const taskId = await team.task(hidden.id, 'Task');
    await owner.pages.create({ ...at, name: 'Task', type: 'task', taskId });
    const since = await cursorOf(team);
    await owner.tasks.update({ ...at, taskId, statusOrderKey: 7 });
    await team.grant(taskId, member, 100);
    const { items } = await member.changes.list({ ...at, since });
    expect(items.map(({ type, id }) => [type, id])).to.deep.equal([['page.show', taskId]]);
  });

  it('of a page out of sight, where an answer ends before what the reader sees', async () => {
    const team = await newTeam(undefined, 0);
    const { owner, admin, member, at, world } = team;
    const [secretId, pageId] = [await team.page('Secret'), await team.page('Page')];
    const since = await cursorOf(team);
    world.pass(3_600_000);
    await admin.pages.update({ ...at, pageId: secretId, name: 'Hidden' });
    world.pass(3_600_000);
    await team.grant(pageId, member, 100);
    const knowing = await member.changes.list({ ...at, since, limit: 1 });
    expect(knowing.items.map(({ type, id }) => [type, id])).to.deep.equal([['page.show', pageId]]);
    // One in whose process nothing is known of the structures of before.
    const startedAnew = personOf(createEngine(world.ports), member.userId, member.name);
    const unknowing = await startedAnew.changes.list({ ...at, since, limit: 1 });
    expect(unknowing.items.map(({ type }) => type)).to.deep.equal(['scope']);
    for (const event of [...knowing.items, ...unknowing.items]) {
      expect([event.at, event.byId], event.type).to.deep.equal([null, null]);
    }
    expect((await owner.changes.list({ ...at, since, limit: 1 })).items[0]).to.include({ byId: admin.memberId });
  });

  it('of what was written last, by the event that has a board read anew', async () => {
    const team = await newTeam(undefined, 0);
    const { owner, admin, member, at, world } = team;
    const [board, hidden] = [await team.board('Board'), await team.board('Hidden')];
    const taskId = await team.task(board.id, 'Task');
    const since = await cursorOf(team);
    await owner.tasks.update({ ...at, taskId, boardId: hidden.id });
    await team.grant(board.id, member, 100);
    world.pass(3_600_000);
    await admin.pages.update({ ...at, pageId: hidden.id, name: 'Secret' });
    const startedAnew = personOf(createEngine(world.ports), member.userId, member.name);
    const { items } = await startedAnew.changes.list({ ...at, since });
    expect(items.map(({ type }) => type)).to.deep.equal(['scope', 'page.hide']);
    expect(items.map((event) => event.at)).not.to.include(world.time());
  });
});
