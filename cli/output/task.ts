import type { CommentView } from '../../core/comment/view.ts';
import type { TaskSummary, TaskView } from '../../core/task/view.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { priorityName, relative } from '../config/values.ts';
import { joined, multiLine, oneLine, safe, type SafeText, type Text } from '../io/safe-text.ts';
import type { Column } from './column.ts';
import type { Style } from './style.ts';

export const TASK_COLUMNS: readonly Column<TaskSummary | TaskView>[] = [
  { title: 'num', align: 'right', text: ({ num }) => `#${num}` },
  { title: 'title', cut: true, text: ({ title, complete }, style) => (complete ? style.dim(title) : title) },
  { title: 'done', text: ({ complete }, style) => (complete ? style.green('yes') : '') },
  { title: 'priority', text: ({ priority }) => priorityName(priority) },
  { title: 'ends', text: ({ dateEnd }) => dateEnd ?? '' },
  { title: 'changed', text: ({ updatedAt }) => relative(updatedAt) },
  { title: 'id', spare: true, text: ({ id }) => id },
];

/** A task with its text and comments, by the names that people know. */
export async function taskText(space: WorkspaceLookup, task: TaskView, style: Style): Promise<SafeText> {
  const members = new Map((await space.members()).map(({ id, name }) => [id, oneLine(name)]));
  const who = (id: string): Text => members.get(id) ?? 'a former member';
  const board = task.boardId === null ? null : await space.boardView(task.boardId);
  const named = (things: readonly { readonly id: string; readonly name: string }[] | undefined, id: string) =>
    oneLine(things?.find((thing) => thing.id === id)?.name ?? id);
  const facts: readonly (readonly [string, Text])[] = [
    ['board', board === null ? 'hidden from you' : oneLine(board.name)],
    ['status', task.statusId === null ? '' : named(board?.statuses, task.statusId)],
    ['complete', task.complete ? style.green('yes') : 'no'],
    ['priority', priorityName(task.priority)],
    [
      'planned',
      [task.dateStart, task.dateEnd]
        .map((day, i) => (day === null ? '' : `${i === 0 ? 'from' : 'until'} ${day}`))
        .filter(Boolean)
        .join(' '),
    ],
    [
      'tags',
      joined(
        task.tags.map((id) => named(board?.tags, id)),
        ', ',
      ),
    ],
    ['assigned', joined(task.assignees.map(who), ', ')],
    ['created', safe`${relative(task.createdAt)} by ${who(task.createdById)}`],
    ['id', task.id],
  ];
  const lines = facts
    .filter(([, value]) => String(value) !== '')
    .map(([name, value]) => safe`${style.dim(name.padEnd(8))}  ${value}\n`);
  const comments = task.comments.map((comment) => commentText(comment, who, style));
  const description = task.description === '' ? '' : safe`\n${multiLine(task.description.trimEnd())}\n`;
  const head = style.bold(safe`#${String(task.num)} ${oneLine(task.title)}`);
  return joined([safe`${head}\n`, ...lines, description, ...comments]);
}

function commentText(comment: CommentView, who: (id: string) => Text, style: Style): SafeText {
  const when = `${relative(comment.createdAt)}${comment.edited ? ', edited' : ''}`;
  const text = joined(
    multiLine(comment.content)
      .written.split('\n')
      .map((line) => safe`  ${line}\n`),
  );
  return safe`\n${style.bold(who(comment.authorId))} ${style.dim(`${when}  ${comment.id}`)}\n${text}`;
}
