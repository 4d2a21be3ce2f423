import { expect } from 'chai';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import { createEngine } from '../../../../core/engine.ts';
import type { ChangeEvent, ChangeSlice } from '../../../../core/index.ts';
import { withParts } from '../../../../core/ports/lazy-transaction.ts';
import type { ReadTransaction } from '../../../../core/ports/store.ts';
import { watchedCalls, wrappedStore } from '../../../fixtures/store/wrapped-store.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { outcome, personOf } from '../../../fixtures/world/world.ts';

/** Random combinations of what cursors consist of, beside all of an offset with a revision. */
const COMBINATIONS = 600;

describe('a cursor put together from parts of others', () => {
  it('is refused, or names no task that its reader never saw', async () => {
    const team = await newTeam(undefined, 0);
    const { at, owner, member: reader } = team;
    const [board, other, hidden] = [await team.board('Board'), await team.board('Other'), await team.board('Hidden')];
    await team.grant(board.id, reader, 100);
    const cursors = new Set<string>();
    const everSeen = new Set<string>();
    const look = async (): Promise<void> => {
      const onCursor = (cursor: string) => void cursors.add(cursor);
      const { items } = await reader.tasks.list({ ...at, limit: 500 }, { onCursor });
      for (const { id } of items) everSeen.add(id);
    };
    await look();
    const [first] = cursors;
    const catchUp = async (): Promise<void> => {
      const answer = await reader.changes.list({ ...at, since: first!, limit: 3 });
      cursors.add(answer.cursor);
    };
    const revoke = () => owner.access.revoke({ ...at, pageId: other.id, memberId: reader.memberId });
    const unseen: string[] = [];
    for (const isSeenAtOnce of [false, true, false]) {
      const [moved, deleted] = [await team.task(other.id, 'Moved'), await team.task(other.id, 'Deleted')];
      if (!isSeenAtOnce) unseen.push(moved, deleted);
      if (isSeenAtOnce) {
        await team.grant(other.id, reader, 100);
        await look();
        await catchUp();
        await revoke();
      }
      await look();
      await owner.tasks.update({ ...at, taskId: moved, boardId: hidden.id });
      await look();
      await owner.tasks.delete({ ...at, taskId: deleted });
      await catchUp();
      await look();
      await team.grant(other.id, reader, 100);
      await look();
      await catchUp();
      await revoke();
      await team.task(board.id, 'Next');
    }
    await team.grant(other.id, reader, 100);
    await look();
    expect(unseen.filter((id) => everSeen.has(id))).to.deep.equal([]);

    const named = async (since: string): Promise<readonly ChangeEvent[] | null> => {
      try {
        const all: ChangeEvent[] = [];
        for (let next: string | null = since; next !== null;) {
          const answer: ChangeSlice = await reader.changes.list({ ...at, since: next, limit: 4 });
          all.push(...answer.items);
          next = answer.next;
        }
        return all;
      } catch (error) {
        if (error instanceof EspalierError && error.code === 'cursor-expired') return null;
        throw error;
      }
    };
    for (const cursor of cursors) expect(await named(cursor), `${cursor} was given out`).to.not.equal(null);
    let refused = 0;
    for (const forged of forgedFrom([...cursors])) {
      const events = await named(forged);
      if (events === null) refused += 1;
      const leaked = (events ?? []).filter(({ type, id }) => type.startsWith('task') && !everSeen.has(id!));
      expect(leaked, forged).to.deep.equal([]);
    }
    expect(refused).to.be.greaterThan(0);
  });
});

describe('a cursor of a reader who catches up', () => {
  const wordsOf = (cursor: string) => cursor.split('.');
  const number = (text: string) => Number.parseInt(text, 36);
  const word = (of: number) => of.toString(36);

  async function catchingUp() {
    const team = await newTeam();
    const { at, owner, member, board } = team;
    const { id: boardId } = await board('Board');
    let since = '';
    await member.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    for (const name of ['One', 'Two', 'Three']) {
      await team.page(name);
      await team.task(boardId, name);
    }
    const list = (cursor: string, limit: number) => member.changes.list({ ...at, since: cursor, limit });
    const { cursor } = await list(since, 1);
    return { team, owner, list, cursor, boardId };
  }

  it('is refused with an end, an order or a time that no answer has', async () => {
    const { list, cursor } = await catchingUp();
    const [log, offset, revision, until, earlier] = wordsOf(cursor) as [string, string, string, string, string];
    const [kind, end] = [until[0]!, until.slice(1)];
    const told = async (...words: readonly string[]) => outcome(list(words.join('.'), 100));
    expect(await told(log, offset, revision, until, earlier)).to.equal('ok');
    const later = (text: string, by: number) => word(number(text) + by);
    for (const words of [
      [log, offset, revision, kind + later(end, 1), earlier],
      [log, offset, later(earlier, 1), kind + offset, earlier],
      [log, offset, earlier, until, later(earlier, 1)],
      [log, offset, revision, until, revision],
      ['', offset, revision, until, earlier],
      [log, end, later(revision, 1)],
    ]) {
      expect(await told(...words), words.join('.')).to.equal('cursor-expired');
    }
  });

  it('is refused with a structure of before the changes that are kept', async () => {
    const { team, list, cursor } = await catchingUp();
    const [log, offset] = wordsOf(cursor) as [string, string];
    await team.world.store.write((tx) => tx.changeLog.trim(team.workspaceId, number(offset), 1_000));
    expect(await outcome(list([log, offset, '1'].join('.'), 100))).to.equal('cursor-expired');
  });

  it('leads to the end, whatever is written before each answer', async () => {
    const { team, list, cursor, boardId } = await catchingUp();
    const created: string[] = [];
    const titles = ['Four', 'Five', 'Six', 'Seven', 'Eight'];
    for (let next: string | null = cursor; next !== null;) {
      const title = titles.shift();
      if (title !== undefined) created.push(await team.task(boardId, title));
      const answer: ChangeSlice = await list(next, 2);
      for (const { type, id } of answer.items) if (type === 'task.create' && created[0] === id) created.shift();
      ({ next } = answer);
    }
    expect([titles, created]).to.deep.equal([[], []]);
  });
});

describe('a cursor behind a change of a profile', () => {
  it('is taken although the structure changed without a change after it, and with no later structure', async () => {
    const { world, workspaceId, at, owner, member, page } = await newTeam();
    const pageId = await page('Page');
    await member.me.update({ name: 'Another' });
    await world.purge();
    let since = '';
    await member.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    await world.store.write(async (tx) => {
      const structure = (await tx.structures.get(workspaceId))!;
      await tx.structures.change(structure, { workspace: structure.workspace });
    });
    await owner.pages.update({ ...at, pageId, name: 'Renamed' });
    const told = async (cursor: string) =>
      (await member.changes.list({ ...at, since: cursor })).items.map(({ type }) => type);
    expect(await told(since)).to.deep.equal(['page.update']);
    const [log, offset, revision] = since.split('.');
    for (const other of [-1, 2]) {
      const forged = [log, offset, (Number.parseInt(revision!, 36) + other).toString(36)].join('.');
      expect(await outcome(told(forged)), forged).to.equal('cursor-expired');
    }
  });
});

describe('a cursor that says to show again what was hidden very long ago', () => {
  it('has no more read than an answer is about', async () => {
    const { world, at, owner, board, task } = await newTeam();
    const { id: boardId } = await board('Board');
    const tasks = Array.from({ length: 100 }, () => ({ boardId, title: 'Task' }));
    for (let n = 0; n < 6; n += 1) await owner.tasks.createMany({ ...at, tasks });
    let since = '';
    await owner.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    const last = await task(boardId, 'Last');
    const read: number[] = [];
    const watched = (log: ReadTransaction['changeLog']) =>
      watchedCalls(
        log,
        () => undefined,
        (method, answer) => {
          if (method === 'list') read.push((answer as readonly unknown[]).length);
        },
      );
    const store = wrappedStore(world.store, {
      read: (tx) => withParts(tx, { changeLog: () => watched(tx.changeLog) }),
    });
    const { changes } = personOf(createEngine({ ...world.ports, store }), owner.userId, 'Owner');
    const { items } = await changes.list({ ...at, since: `${since}.s0`, limit: 10 });
    expect(items.map(({ id }) => id)).to.include(last);
    expect(Math.max(...read)).to.be.within(1, 500);
  });
});

function* forgedFrom(cursors: readonly string[]): Iterable<string> {
  const [log] = cursors[0]!.split('.');
  const offsets = [...new Set(cursors.map((cursor) => cursor.split('.')[1]!))];
  const revisions = [...new Set(cursors.map((cursor) => cursor.split('.')[2]!))];
  for (const offset of offsets) for (const revision of revisions) yield `${log}.${offset}.${revision}`;
  let state = 1;
  const any = <T>(from: readonly T[]): T => {
    state = (state * 48_271) % 2_147_483_647;
    return from[state % from.length]!;
  };
  for (let n = 0; n < COMBINATIONS; n += 1) {
    const earlier = `${any(['e', 'm'])}${any(offsets)}.${any(revisions)}`;
    yield `${log}.${any(offsets)}.${any(revisions)}.${earlier}${any(['', `.s${any(offsets)}`])}`;
  }
}
