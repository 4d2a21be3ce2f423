import type { BoardView } from '../../core/board/view.ts';
import type { TaskSummary, TaskView } from '../../core/task/view.ts';
import { joined, oneLine, type Text } from '../io/safe-text.ts';
import type { Style } from '../output/table/style.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';

type Of = TaskSummary | TaskView;

/** The names of the ids in tasks. */
export interface TaskNames {
  board(task: Of): Text;
  status(task: Of): Text;
  tags(task: Of, style: Style): Text;
  /** Without colours. */
  tagNames(task: Of): readonly string[];
  assignees(task: Of): Text;
  member(memberId: string): Text;
}

/** Reads the members, and each board of the tasks once. */
export async function namesIn(workspace: WorkspaceLookup, tasks: readonly Of[]): Promise<TaskNames> {
  const ids = [...new Set(tasks.flatMap(({ boardId }) => boardId ?? []))];
  const [members, views] = await Promise.all([
    workspace.members(),
    Promise.all(ids.map((id) => workspace.boardView(id))),
  ]);
  const people = new Map(members.map(({ id, name }) => [id, oneLine(name)]));
  const boards = new Map(views.map((view) => [view.id, view]));
  const boardOf = ({ boardId }: Of): BoardView | undefined => (boardId === null ? undefined : boards.get(boardId));
  const tagOf = (task: Of, id: string) => boardOf(task)?.tags.find((one) => one.id === id);
  const member = (id: string): Text => people.get(id) ?? 'a former member';
  return {
    member,
    board: (task) => (task.boardId === null ? '' : oneLine(boardOf(task)?.name ?? task.boardId)),
    status: (task) =>
      oneLine(boardOf(task)?.statuses.find(({ id }) => id === task.statusId)?.name ?? task.statusId ?? ''),
    tags: (task, style) =>
      joined(
        task.tags.map((id) => {
          const tag = tagOf(task, id);
          return tag === undefined ? id : style.painted(tag.color, oneLine(tag.name));
        }),
        ', ',
      ),
    tagNames: (task) => task.tags.map((id) => tagOf(task, id)?.name ?? id),
    assignees: (task) => joined(task.assignees.map(member), ', '),
  };
}
