import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import type { Espalier } from '../../../../adapters/service/index.ts';
import type { Session } from '../../../../core/session.ts';
import { eventually } from '../../../fixtures/mongodb/mongod.ts';

/** A board of many tasks, with pages below it, and two processes that work on it. */
export interface LargeBoard {
  readonly writer: Session;
  readonly reader: Session;
  readonly writing: Espalier;
  readonly at: { readonly workspaceId: string };
  readonly boardId: string;
  readonly statusIds: readonly [string, string];
  readonly taskIds: readonly string[];
}

/** A call that changes much at once, to and fro between states. */
interface LargeChange {
  /** The state that one snapshot shows. Fails if it is only a part of one. */
  readonly see: (board: LargeBoard, session: Session) => Promise<string>;
  /** Changes the state. @returns the state from then on, which is acknowledged */
  readonly next: (board: LargeBoard, state: string) => Promise<string>;
}

const PAGES = 10;
/** How long a loaded machine may take for what goes on by itself while the primary is lost, such as a step of a copy, in ms. */
export const SETTLED = 300_000;
const COPY = 'Copy';

export const LARGE_CHANGES: Readonly<Record<string, LargeChange>> = {
  'a change of many': {
    see: async ({ at, boardId, taskIds }, session) => {
      const { statuses } = await session.boards.get({ ...at, boardId });
      const counts = statuses.map(({ taskCount }) => taskCount);
      expect(counts).to.have.members([0, taskIds.length]);
      return counts[0] === 0 ? 'second' : 'first';
    },
    next: async ({ writer, at, boardId, statusIds, taskIds }, state) => {
      const to = state === 'first' ? 'second' : 'first';
      const set = { statusId: statusIds[to === 'first' ? 0 : 1] };
      await writer.tasks.updateMany({ ...at, filter: { boardId: [boardId] }, count: taskIds.length, set });
      return to;
    },
  },
  'a deletion of many, and as many new ones': {
    see: async ({ at, boardId, taskIds }, session) => {
      const { total } = await session.tasks.list({ ...at, boardId: [boardId], limit: 1, count: true });
      expect(total).to.be.oneOf([0, taskIds.length]);
      return total === 0 ? 'none' : 'all';
    },
    next: async ({ writer, at, boardId, taskIds }, state) => {
      if (state === 'none') {
        await writer.tasks.createMany({ ...at, tasks: taskIds.map((id) => ({ boardId, title: id })) });
        return 'all';
      }
      await writer.tasks.deleteMany({ ...at, filter: { boardId: [boardId] }, count: taskIds.length });
      return 'none';
    },
  },
  'a deletion of a board, and its restoring': {
    see: async ({ at, boardId }, session) => {
      const pages = await session.pages.list(at);
      const below = pages.filter(({ id, parentId }) => id === boardId || parentId === boardId).length;
      expect(below).to.be.oneOf([0, 1 + PAGES]);
      return below === 0 ? 'gone' : 'there';
    },
    next: async ({ writer, at, boardId, taskIds }, state) => {
      if (state === 'there') {
        await writer.boards.delete({ ...at, boardId });
        return 'gone';
      }
      await writer.trash.restore({ ...at, trashId: boardId });
      const { total } = await writer.tasks.list({ ...at, boardId: [boardId], limit: 1, count: true });
      expect(total).to.equal(taskIds.length);
      return 'there';
    },
  },
  'a copy, and its deletion': {
    see: async ({ at, taskIds }, session) => {
      const copies = (await session.boards.list(at)).filter(({ name }) => name === COPY);
      for (const { id } of copies) {
        // Deleted since.
        const copy = await session.boards.get({ ...at, boardId: id }).catch(nullIfMissing);
        if (copy !== null) expect(copy.statuses[0]!.taskCount).to.equal(taskIds.length);
      }
      return copies.length === 0 ? 'none' : 'one';
    },
    next: async ({ writer, writing, at, boardId }, state) => {
      if (state === 'none') {
        const { id } = await writer.boards.copy({ ...at, boardId, name: COPY, tasks: true });
        // One that was begun goes on by itself: it is acknowledged, too.
        await whileCopying(writing, () => writer.boards.get({ ...at, boardId: id }));
        return 'one';
      }
      // One whose answer was lost may still be on its way.
      await whileCopying(writing, async () => expect(await copiesUnderWay(writing)).to.deep.equal([]));
      const copies = (await writer.boards.list(at)).filter(({ name }) => name === COPY);
      for (const { id } of copies) await writer.boards.delete({ ...at, boardId: id, permanently: true });
      return 'none';
    },
  },
};

async function copiesUnderWay({ store }: Espalier) {
  const jobs = await store.read((tx) => tx.jobs.list('all', {}, { limit: 100 }));
  return jobs.filter(({ kind }) => kind === 'copy');
}

/**
 * Tries again until it works. The steps of a copy take turns with the changes of others, so that it may take much longer
 * than they do: it fails when the copies under way have stood still for as long as a step may take.
 */
async function whileCopying<T>(service: Espalier, attempt: () => Promise<T>): Promise<T> {
  for (let before = ''; ;) {
    const copies = JSON.stringify(await eventually(() => copiesUnderWay(service), SETTLED));
    if (copies === before) return attempt();
    before = copies;
    const done = await eventually(attempt, SETTLED).then(
      (value) => ({ value }),
      () => null,
    );
    if (done !== null) return done.value;
  }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof EspalierError && error.code === 'not-found') return null;
  throw error;
}

/** A board with so many tasks, all in its first of two statuses, and pages below it. */
export async function newLargeBoard(session: Session, at: LargeBoard['at'], tasks: number) {
  const { id: boardId } = await session.boards.create({ ...at, name: 'Board' });
  const { id: first } = await session.statuses.create({ ...at, boardId, name: 'First' });
  const { id: second } = await session.statuses.create({ ...at, boardId, name: 'Second' });
  const titles = Array.from({ length: tasks }, (_, n) => ({ boardId, title: `t${n}` }));
  const made = await session.tasks.createMany({ ...at, tasks: titles });
  for (let n = 0; n < PAGES; n += 1) {
    await session.pages.create({ ...at, name: `p${n}`, type: 'folder', parentId: boardId });
  }
  return { boardId, statusIds: [first, second] as const, taskIds: made.map(({ id }) => id) };
}

/** How many calls were acknowledged. */
export interface Acknowledged {
  count: number;
}

/**
 * Makes a change again and again, and reads what it leaves by another process meanwhile: never a part of it, and while
 * no call is on its way what the last one was acknowledged with. A call that the store refuses may have been written.
 *
 * @throws any other error
 */
export async function changeAndLook(
  { see, next }: LargeChange,
  board: LargeBoard,
  told: Acknowledged,
  stop: AbortSignal,
): Promise<void> {
  let acknowledged: { readonly state: string } | null = null;
  const looking = async () => {
    while (!stop.aborted) {
      const before = acknowledged;
      const seen = await passing(see(board, board.reader));
      if (seen !== null && before !== null && before === acknowledged) expect(seen).to.equal(before.state);
      await setTimeout(50);
    }
  };
  const changing = async () => {
    let state = await see(board, board.writer);
    while (!stop.aborted) {
      const isKnown = acknowledged !== null;
      acknowledged = null;
      try {
        state = await next(board, state);
        acknowledged = { state };
        told.count += 1;
      } catch (error) {
        // After a call without an answer it may turn out only now that it was written.
        if (!(error instanceof EspalierError) || (isKnown && !error.code.startsWith('store-'))) throw error;
        state = await eventually(() => see(board, board.writer), SETTLED);
      }
    }
  };
  await Promise.all([looking(), changing()]);
}

/** Null where the store is out of reach. */
async function passing(seen: Promise<string>): Promise<string | null> {
  try {
    return await seen;
  } catch (error) {
    if (error instanceof EspalierError && error.code.startsWith('store-')) return null;
    throw error;
  }
}
