import { createEspalier, openStore } from '../../adapters/service/index.ts';
import type { Session } from '../../core/session.ts';
import { median } from '../figures.ts';
import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import type { Scale } from '../scale.ts';
import { freshPlace } from '../stores.ts';

const TASKS = { smoke: 50, quick: 1_000, full: 1_000 } as const satisfies Record<Scale['name'], number>;
/** The most that one call may take, in ms. */
const MOST = 300;

interface Board {
  readonly at: { readonly workspaceId: string };
  readonly boardId: string;
  readonly done: string;
  readonly tag: string;
  readonly memberId: string;
  readonly taskIds: readonly string[];
}

type Call = (session: Session, board: Board, round: number) => Promise<unknown>;

const set =
  (fields: (board: Board, round: number) => object): Call =>
  (session, board, round) =>
    session.tasks.updateMany({ ...board.at, taskIds: board.taskIds, set: fields(board, round) });

/** Each form of a change of many tasks. What one leaves is what the next begins with. */
const CALLS: Readonly<Record<string, Call>> = {
  'set-fields': set((_, round) => ({ priority: round + 1, metadata: { round } })),
  'found-by-filter': (session, { at, boardId, taskIds }, round) =>
    session.tasks.updateMany({
      ...at,
      filter: { boardId: [boardId], excludePriority: [900] },
      count: taskIds.length,
      set: { priority: 100 + round },
    }),
  'move-to-status': set(({ done }) => ({ statusId: done })),
  'add-tag': set(({ tag }) => ({ addTags: [tag] })),
  'remove-tag': set(({ tag }) => ({ removeTags: [tag] })),
  assign: set(({ memberId }) => ({ addAssignees: [memberId] })),
  unassign: set(({ memberId }) => ({ removeAssignees: [memberId] })),
  delete: (session, { at, taskIds }) => session.tasks.deleteMany({ ...at, taskIds }),
};

/** Changing 1,000 tasks in one call, in process, on the embedded store. */
export const manyPart: Part = {
  name: 'many',
  async run(scale) {
    const size = TASKS[scale.name];
    const place = (await freshPlace('embedded'))!;
    const espalier = createEspalier({ store: await openStore(place.url) });
    try {
      const { id: userId } = await espalier.operator.users.create({ name: 'Ada', email: 'ada@example.org' });
      const session = espalier.as(userId);
      const { id: workspaceId, memberId } = await session.workspaces.create({ name: 'Acme' });
      const took = new Map<string, number[]>();
      for (let round = 0; round <= scale.rounds; round += 1) {
        const board = await newBoard(session, workspaceId, memberId, size);
        for (const [name, call] of Object.entries(CALLS)) {
          const begun = performance.now();
          await call(session, board, round);
          // The first round warms up.
          if (round > 0) took.set(name, [...(took.get(name) ?? []), performance.now() - begun]);
        }
        await session.boards.delete({ workspaceId, boardId: board.boardId });
        const begun = performance.now();
        // With the tasks that are left on it: as many again.
        await session.trash.restore({ workspaceId, trashId: board.boardId });
        if (round > 0) took.set('restore-board', [...(took.get('restore-board') ?? []), performance.now() - begun]);
      }
      return Array.from(took, ([name, times]): Row =>
        judged({
          name: `many-${name}`,
          work: `${size} tasks in one call, durable, embedded: ${name}`,
          unit: 'ms',
          figure: median(times),
          target: { atMost: MOST },
        }),
      );
    } finally {
      await espalier.close();
    }
  },
};

async function newBoard(session: Session, workspaceId: string, memberId: string, size: number): Promise<Board> {
  const at = { workspaceId };
  const { id: boardId } = await session.boards.create({ ...at, name: 'Board' });
  await session.statuses.create({ ...at, boardId, name: 'Todo' });
  const { id: done } = await session.statuses.create({ ...at, boardId, name: 'Done', done: true });
  const { id: tag } = await session.tags.create({ ...at, boardId, name: 'red' });
  const tasks = Array.from({ length: size }, (_, n) => ({ boardId, title: `t${n}` }));
  const left = tasks.map((task) => ({ ...task, title: 'left', priority: 900 }));
  await session.tasks.createMany({ ...at, tasks: left });
  const taskIds = (await session.tasks.createMany({ ...at, tasks })).map(({ id }) => id);
  return { at, boardId, done, tag, memberId, taskIds };
}
