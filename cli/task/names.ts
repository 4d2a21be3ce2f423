import type { BoardView } from '../../core/board/view.ts';
import type { LinkEnd } from '../../core/model/content/task-links.ts';
import type { TaskSummary, TaskView } from '../../core/task/view.ts';
import { nullIfNotFound } from '../io/failure.ts';
import { joined, oneLine, safe, type Text } from '../io/safe-text.ts';
import type { Style } from '../output/table/style.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';

/** A task as it is in a list, or as it is read alone. */
export type ShownTask = TaskSummary | TaskView;

/** The names of the ids in tasks. */
export interface TaskNamer {
  board(task: ShownTask): Text;
  status(task: ShownTask): Text;
  tags(task: ShownTask, style: Style): Text;
  assignees(task: ShownTask): Text;
  member(memberId: string): Text;
  /** The tasks that it is linked to in this way, by number and title; empty for a task of a list. */
  linked(task: ShownTask, type: LinkEnd): Text;
}

/** The names of members; none are read if they are not shown. */
export async function memberNamer(workspace: WorkspaceLookup, areShown: boolean): Promise<(id: string) => Text> {
  const people = new Map((areShown ? await workspace.members() : []).map(({ id, name }) => [id, name]));
  return (id) => nameIn(people, id);
}

function nameIn(people: ReadonlyMap<string, string>, id: string): Text {
  const name = people.get(id);
  return name === undefined ? 'a former member' : oneLine(name);
}

/** The most tasks that are no longer linked and are read for their names. */
const MAX_UNLINKED = 20;

/** The number and title of tasks that these are linked to, of up to 500. */
async function linkedNames(
  { session, workspaceId }: WorkspaceLookup,
  tasks: readonly ShownTask[],
): Promise<ReadonlyMap<string, Text>> {
  const linkedTo = [...new Set(tasks.flatMap((task) => ('links' in task && task.links.length > 0 ? [task.id] : [])))];
  if (linkedTo.length === 0) return new Map();
  const { items } = await session.tasks.list({ workspaceId, linkedTo: linkedTo.slice(0, 100), limit: 500 });
  const known = new Set(items.map(({ id }) => id));
  const ids = tasks.flatMap((task) => ('links' in task ? task.links.flatMap((link) => link.taskId ?? []) : []));
  const unlinked = [...new Set(ids)].filter((id) => !known.has(id)).slice(0, MAX_UNLINKED);
  const others = await Promise.all(
    unlinked.map((taskId) => session.tasks.get({ workspaceId, taskId }).catch(nullIfNotFound)),
  );
  const named = [...items, ...others.filter((task) => task !== null)];
  return new Map(named.map(({ id, num, title }) => [id, safe`#${String(num)} ${oneLine(title)}`]));
}

/** The names in `expanded` of the tasks. For tasks without it, reads the members, and each of their boards once. */
export async function namesIn(workspace: WorkspaceLookup, tasks: readonly ShownTask[]): Promise<TaskNamer> {
  const bare = tasks.filter(({ expanded }) => expanded?.status === undefined || expanded.assignees === undefined);
  const ids = [...new Set(bare.flatMap(({ boardId }) => boardId ?? []))];
  const areNamed = tasks.length > 0 && bare.length === 0;
  const [members, views, linked] = await Promise.all([
    areNamed ? [] : workspace.members(),
    Promise.all(ids.map((id) => workspace.boardView(id))),
    linkedNames(workspace, tasks),
  ]);
  const people = new Map(members.map(({ id, name }) => [id, name]));
  for (const { id, name } of tasks.flatMap(({ expanded }) => expanded?.assignees ?? [])) {
    if (name !== null) people.set(id, name);
  }
  const boards = new Map(views.map((view) => [view.id, view]));
  const boardOf = ({ boardId }: ShownTask): BoardView | undefined =>
    boardId === null ? undefined : boards.get(boardId);
  const tagOf = (task: ShownTask, id: string) =>
    (task.expanded?.tags ?? boardOf(task)?.tags)?.find((one) => one.id === id);
  const statusOf = (task: ShownTask) =>
    task.expanded?.status ?? boardOf(task)?.statuses.find(({ id }) => id === task.statusId);
  const member = (id: string) => nameIn(people, id);
  return {
    member,
    board: (task) =>
      task.boardId === null ? '' : oneLine((task.expanded?.board ?? boardOf(task))?.name ?? task.boardId),
    status: (task) => oneLine(statusOf(task)?.name ?? task.statusId ?? ''),
    tags: (task, style) =>
      joined(
        task.tags.map((id) => {
          const tag = tagOf(task, id);
          return tag === undefined ? id : style.painted(tag.color, oneLine(tag.name));
        }),
        ', ',
      ),
    linked: (task, type) => {
      const those = 'links' in task ? task.links.filter((link) => link.type === type) : [];
      const hidden = those.filter((link) => link.hidden === true).length;
      const shown = those.flatMap(({ taskId }) => (taskId === undefined ? [] : [linked.get(taskId) ?? taskId]));
      return joined(hidden === 0 ? shown : [...shown, `${hidden} deleted or hidden from you`], ', ');
    },
    assignees: (task) => joined(task.assignees.map(member), ', '),
  };
}
