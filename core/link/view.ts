import { levelOnTask, type Viewer } from '../access/viewer.ts';
import { VIEW } from '../model/access/level.ts';
import { type HasLinks, linkedAs, linkedIds, type LinkEnd, linksOf } from '../model/content/task-links.ts';
import type { Task } from '../model/content/task.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { visitItems } from '../kernel/stepwise.ts';
import { tasksById } from '../task/by-id.ts';

/** A link of a task to another task. */
export interface TaskLinkView {
  /** `parent`, `blocks`, `relates`, `duplicates`, or the other end of one: `child`, `blockedBy`, `duplicatedBy`. */
  readonly type: LinkEnd;
  /** The linked task. Absent if the caller may not see it. */
  readonly taskId?: string;
  /** Present if the caller may not see the linked task. */
  readonly hidden?: true;
}

/** The summary of the links of a task in lists. Only linked tasks that the caller sees count. */
export interface LinkSummary {
  /** The parent task. Null if there is none that the caller may see. */
  readonly parentTaskId: string | null;
  /** The number of children. */
  readonly childCount: number;
  /** The number of children that are complete. */
  readonly childDone: number;
  /** Whether a task that blocks it is not complete. */
  readonly blocked: boolean;
}

/** Linked tasks that a viewer sees, by id. */
export type SeenLinked = ReadonlyMap<string, Task>;

/** The tasks among these ids that the viewer sees. Each is read once. O(ids), in steps. */
export async function seenAmong(tx: ReadTransaction, viewer: Viewer, ids: Iterable<string>): Promise<SeenLinked> {
  const { yielder } = viewer;
  const once = new Set<string>();
  await visitItems(ids, yielder, (id) => void once.add(id));
  const seen = new Map<string, Task>();
  const note = (task: Task | null): void => {
    if (task !== null && levelOnTask(viewer, task) >= VIEW) seen.set(task.id, task);
  };
  await visitItems(await tasksById(tx, viewer, [...once]), yielder, note);
  return seen;
}

/** The ids of tasks that several tasks are linked to, lazily: a long list has very many. */
function* idsOf<T>(tasks: readonly T[], linked: (task: T) => readonly string[]): Iterable<string> {
  for (const task of tasks) yield* linked(task);
}

/** The links that a summary counts. */
const SUMMARISED: readonly LinkEnd[] = ['parent', 'child', 'blockedBy'];

/** The tasks that the summaries of these are made from. O(links), in steps. */
export function summarisedBy(tx: ReadTransaction, viewer: Viewer, tasks: readonly HasLinks[]): Promise<SeenLinked> {
  const linked = (task: HasLinks) => SUMMARISED.flatMap((end) => linkedAs(task, end));
  return seenAmong(tx, viewer, idsOf(tasks, linked));
}

export function linkSummary(task: HasLinks, seen: SeenLinked): LinkSummary {
  const those = (end: LinkEnd) => linkedAs(task, end).flatMap((id) => seen.get(id) ?? []);
  const children = those('child');
  return {
    parentTaskId: those('parent')[0]?.id ?? null,
    childCount: children.length,
    childDone: children.filter(({ complete }) => complete).length,
    blocked: those('blockedBy').some(({ complete }) => !complete),
  };
}

export function linkViews(task: HasLinks, seen: SeenLinked): readonly TaskLinkView[] {
  return Array.from(linksOf(task), ([type, taskId]) => (seen.has(taskId) ? { type, taskId } : { type, hidden: true }));
}

const NO_VIEWS: readonly TaskLinkView[] = [];

/** The links of each of several tasks. Tasks without any cost nothing. O(links), in steps. */
export async function linkViewsOf(
  tx: ReadTransaction,
  viewer: Viewer,
  tasks: readonly HasLinks[],
): Promise<readonly (readonly TaskLinkView[])[]> {
  if (tasks.every(({ links }) => links === undefined)) return tasks.map(() => NO_VIEWS);
  const seen = await seenAmong(tx, viewer, idsOf(tasks, linkedIds));
  return tasks.map((task) => linkViews(task, seen));
}

/** All tasks that a task is linked to, as far as the viewer sees them. At most 700. */
export function linkedTo(tx: ReadTransaction, viewer: Viewer, task: HasLinks): Promise<SeenLinked> {
  return seenAmong(tx, viewer, linkedIds(task));
}
