import type { Change } from '../../core/model/change.ts';
import type { Task } from '../../core/model/task.ts';

type Ids = readonly (string | null)[];
type Values = readonly unknown[];

/** How the records of a kind that there are most of are taken apart: ids are kept in 16 bytes, the rest as JSON. */
interface Shape {
  /** In the order in which the engine makes them. */
  readonly fields: readonly string[];
  readonly ids: number;
  readonly lists: number;
  parts(record: object): Parts;
  record(ids: Ids, lists: readonly Ids[], rest: Values): object;
}

export interface Parts {
  readonly ids: Ids;
  /** Lists of ids. */
  readonly lists: readonly Ids[];
  readonly rest: Values;
}

/** Stands for a time of change that is the time of creation. */
const UNCHANGED = 0;

const TASK: Shape = shape<Omit<Task, 'boardEdits'>>(
  5,
  2,
  (task) => ({
    ids: [task.id, task.workspaceId, task.boardId, task.statusId, task.createdById],
    lists: [task.tags, task.assignees],
    rest: [
      task.num,
      task.title,
      task.description,
      task.statusOrderKey,
      task.priority,
      task.complete,
      task.dateStart,
      task.dateEnd,
      task.externalId,
      task.commentCount,
      task.createdAt,
      task.updatedAt === task.createdAt ? UNCHANGED : task.updatedAt,
      task.version,
    ],
  }),
  (ids, lists, v) => ({
    id: ids[0],
    workspaceId: ids[1],
    num: v[0],
    title: v[1],
    description: v[2],
    boardId: ids[2],
    statusId: ids[3],
    statusOrderKey: v[3],
    priority: v[4],
    complete: v[5],
    createdById: ids[4],
    dateStart: v[6],
    dateEnd: v[7],
    externalId: v[8],
    tags: lists[0],
    assignees: lists[1],
    commentCount: v[9],
    createdAt: v[10],
    updatedAt: v[11] === UNCHANGED ? v[10] : v[11],
    version: v[12],
  }),
);

/** One with changes of nothing but what belongs to its board. */
const TASK_WITH_BOARD_EDITS: Shape = shape<Task>(
  TASK.ids,
  TASK.lists,
  (task) => {
    const { ids, lists, rest } = TASK.parts(task);
    const { count, version, updatedAt } = task.boardEdits!;
    return { ids, lists, rest: [...rest, count, version, updatedAt] };
  },
  (ids, lists, v) => {
    const [count, version, updatedAt] = v.slice(-3);
    return { ...TASK.record(ids, lists, v), boardEdits: { count, version, updatedAt } } as Record<keyof Task, unknown>;
  },
);

const CHANGE: Shape = shape<Change>(
  4,
  0,
  ({ id, workspaceId, recordId, userId, kind, action, version, requestId, at }) => ({
    ids: [id, workspaceId, recordId, userId],
    lists: [],
    rest: [kind, action, version, requestId, at],
  }),
  (ids, _, v) => ({
    id: ids[0],
    workspaceId: ids[1],
    kind: v[0],
    action: v[1],
    recordId: ids[2],
    version: v[2],
    userId: ids[3],
    requestId: v[3],
    at: v[4],
  }),
);

/** What is stored depends on these: shapes may be added, never changed or moved. */
export const SHAPES: readonly Shape[] = [TASK, CHANGE, TASK_WITH_BOARD_EDITS];

/** The number of the shape that a record has, or -1. */
export function shapeOf(record: object): number {
  const fields = Object.keys(record);
  return SHAPES.findIndex(
    (each) => each.fields.length === fields.length && each.fields.every((field, i) => field === fields[i]),
  );
}

function shape<T extends object>(
  ids: number,
  lists: number,
  parts: (record: T) => Parts,
  record: (ids: Ids, lists: readonly Ids[], rest: Values) => Record<keyof T, unknown>,
): Shape {
  const fields = Object.keys(record([], [], []));
  return { fields, ids, lists, parts: (each) => parts(each as T), record };
}
