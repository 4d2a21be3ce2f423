import { sees, type Viewer } from '../access/viewer.ts';
import { mapInSteps } from '../kernel/stepwise.ts';
import type { Board } from '../model/content/board.ts';
import type { ReadTransaction } from '../ports/store.ts';
import {
  memberNames,
  namesOn,
  pageName,
  type MemberName,
  type PageName,
  type StatusName,
  type TagName,
} from './names.ts';

/** What can be expanded in a list of tasks. */
export const TASK_EXPANSIONS = ['status', 'board', 'tags', 'assignees', 'createdBy'] as const;
/** An id of a task in a list that `expand` resolves to a name. */
export type TaskExpansion = (typeof TASK_EXPANSIONS)[number];

/** What can be expanded in a task with its comments; `author`: of each comment. */
export const FULL_TASK_EXPANSIONS = [...TASK_EXPANSIONS, 'author'] as const;
/** An id of a single task that `expand` resolves to a name. */
export type FullTaskExpansion = (typeof FULL_TASK_EXPANSIONS)[number];

/** The requested names of the ids in a task. It is not part of the task: updates ignore it. */
export interface TaskNames {
  /** Null if the caller may not see the board. */
  readonly status?: StatusName | null;
  /** Null if the caller may not see the board. */
  readonly board?: PageName | null;
  /** In the order of `tags`. */
  readonly tags?: readonly TagName[];
  /** In the order of `assignees`. */
  readonly assignees?: readonly MemberName[];
  /** The member who created it. */
  readonly createdBy?: MemberName;
}

/** Names of statuses and tags that are kept by their ids in the time in which a record is read. */
const NAMES_PER_UNIT = 16;

/** The ids in a task, as a member reads it. */
interface NamingTask {
  readonly boardId: string | null;
  readonly statusId: string | null;
  readonly tags: readonly string[];
  readonly assignees: readonly string[];
  readonly createdById: string;
}

/**
 * Resolves the ids in tasks to names. Two reads for all tasks: of their boards, and of the members. O(tasks + ids).
 *
 * @param tasks as the viewer sees them, or saw them when they wrote them
 */
export async function taskNames<T extends NamingTask>(
  tx: ReadTransaction,
  viewer: Viewer,
  tasks: readonly T[],
  expand: readonly FullTaskExpansion[],
): Promise<(task: T) => TaskNames> {
  const asked = new Set(expand);
  const [boards, memberName] = await Promise.all([
    boardsOf(tx, viewer, asked.has('status') || asked.has('tags') ? tasks : []),
    memberNames(tx, viewer, membersIn(tasks, asked)),
  ]);
  // Each is made once, and may be of thousands of statuses and tags.
  const unitsOf = ({ statuses, tags }: Board) => Math.floor((statuses.length + tags.length) / NAMES_PER_UNIT);
  await mapInSteps([...boards.values()], viewer.yielder, unitsOf, namesOn);
  return (task) => {
    const board = task.boardId === null ? undefined : boards.get(task.boardId);
    const names = board === undefined ? undefined : namesOn(board);
    return {
      ...(asked.has('status') && { status: names?.statuses.get(task.statusId ?? '') ?? null }),
      ...(asked.has('board') && { board: pageName(viewer, task.boardId) }),
      ...(asked.has('tags') && { tags: task.tags.flatMap((id) => names?.tags.get(id) ?? []) }),
      ...(asked.has('assignees') && { assignees: task.assignees.map(memberName) }),
      ...(asked.has('createdBy') && { createdBy: memberName(task.createdById) }),
    };
  };
}

/** A board that a task was on when it was written may be hidden by the time its names are read. */
function boardsOf(tx: ReadTransaction, viewer: Viewer, tasks: readonly NamingTask[]) {
  const ids = [...new Set(tasks.flatMap(({ boardId }) => boardId ?? []))].filter((id) => sees(viewer, id));
  return ids.length === 0 ? new Map<string, Board>() : tx.boards.many(viewer.structure.workspace.id, ids);
}

function* membersIn(tasks: readonly NamingTask[], asked: ReadonlySet<FullTaskExpansion>): Iterable<string> {
  for (const { assignees, createdById } of tasks) {
    if (asked.has('assignees')) yield* assignees;
    if (asked.has('createdBy')) yield createdById;
  }
}
