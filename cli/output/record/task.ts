import type { CommentView } from '../../../core/comment/view.ts';
import type { LinkEnd } from '../../../core/model/content/task-links.ts';
import type { TaskView } from '../../../core/task/view.ts';
import { metadataLine } from '../../config/metadata.ts';
import { priorityName, relative } from '../../config/values.ts';
import { joined, multiLine, oneLine, safe, type SafeText, type Text } from '../../io/safe-text.ts';
import type { ShownTask, TaskNamer } from '../../task/names.ts';
import type { TableColumn } from '../table/column.ts';
import { checklistText } from './checklist.ts';
import { count } from '../table/count.ts';
import type { Style } from '../table/style.ts';

const TICK = '✓';

/** The columns of a list of tasks, with names. */
export function taskColumns(names: TaskNamer): readonly TableColumn<ShownTask>[] {
  return [
    { title: 'num', align: 'right', text: ({ num }) => `#${num}` },
    {
      title: 'title',
      cut: true,
      minWidth: 28,
      text: ({ title, complete }, style) => (complete ? style.dim(title) : title),
    },
    { title: 'status', cut: true, text: (task, style) => statusText(task, names, style) },
    { title: 'board', cut: true, dropOrder: 2, text: (task) => names.board(task) },
    { title: 'priority', dropOrder: 3, text: ({ priority }) => priorityName(priority) },
    { title: 'assigned', cut: true, dropOrder: 5, text: (task) => names.assignees(task) },
    { title: 'tags', cut: true, dropOrder: 4, text: (task, style) => names.tags(task, style) },
    { title: 'ends', dropOrder: 6, text: endText },
    { title: 'changed', dropOrder: 1, text: ({ updatedAt }) => relative(updatedAt) },
    { title: 'id', wide: true, text: ({ id }) => id },
  ];
}

/** Whether a task is open and its end date has passed, in UTC as for `--overdue`. */
export function isOverdue({ dateEnd, complete }: Pick<ShownTask, 'dateEnd' | 'complete'>): boolean {
  return dateEnd !== null && !complete && dateEnd < new Date().toISOString().slice(0, 10);
}

function endText(task: ShownTask, style: Style): Text {
  const { dateEnd } = task;
  if (dateEnd === null) return '';
  return isOverdue(task) ? style.red(dateEnd) : dateEnd;
}

function statusText(task: ShownTask, names: TaskNamer, style: Style): Text {
  const name = names.status(task);
  return task.complete ? style.green(safe`${TICK} ${name}`) : name;
}

type Fact = readonly [label: string, value: Text];

/** The fields of a task besides title and description; empty if not set. */
function factsOf(task: ShownTask, names: TaskNamer, style: Style): readonly Fact[] {
  return [
    ['board', task.boardId === null ? 'hidden from you' : names.board(task)],
    ['status', names.status(task)],
    ['complete', task.complete ? style.green('yes') : 'no'],
    ['priority', priorityName(task.priority)],
    ['starts', task.dateStart ?? ''],
    ['ends', endText(task, style)],
    ['tags', names.tags(task, style)],
    ['assigned', names.assignees(task)],
    ['external', task.externalId === null ? '' : oneLine(task.externalId)],
    ['metadata', oneLine(metadataLine(task.metadata))],
  ];
}

const LINK_LABELS: readonly (readonly [type: LinkEnd, label: string])[] = [
  ['parent', 'parent'],
  ['child', 'children'],
  ['blocks', 'blocks'],
  ['blockedBy', 'blocked by'],
  ['relates', 'relates to'],
  ['duplicates', 'duplicates'],
  ['duplicatedBy', 'duplicated by'],
];

function linkFacts(task: ShownTask, names: TaskNamer): readonly Fact[] {
  return LINK_LABELS.map(([type, label]): Fact => {
    const tasks = names.linked(task, type);
    const isCounted = type === 'child' && task.childCount > 0;
    return [label, isCounted ? safe`${String(task.childDone)} of ${String(task.childCount)} done: ${tasks}` : tasks];
  });
}

/** A task with its text, links, checklist and comments. */
export function taskText(task: TaskView, names: TaskNamer, style: Style): SafeText {
  const created: Fact = ['created', safe`${relative(task.createdAt)} by ${names.member(task.createdById)}`];
  const facts = [...factsOf(task, names, style), ...linkFacts(task, names), created, ['id', task.id] as const];
  const checklist = checklistText(task.checklist, (id) => names.member(id), style);
  const comments = task.comments.map((comment) => commentText(comment, names, style));
  const description = task.description === '' ? '' : safe`\n${multiLine(task.description.trimEnd())}\n`;
  return joined([headOf(task, style), ...factLines(facts, style), description, checklist, ...comments]);
}

/** A created task. */
export function createdText(task: TaskView, names: TaskNamer, style: Style): SafeText {
  const facts = factsOf(task, names, style).filter(([label]) => label !== 'complete' || task.complete);
  return joined([safe`Created ${headOf(task, style)}`, ...factLines(facts, style)]);
}

/** The changed fields of a task. */
export function changesText(before: ShownTask, after: ShownTask, names: TaskNamer, style: Style): SafeText {
  const areWhole = 'links' in before && 'links' in after;
  const facts = (task: ShownTask) => [...factsOf(task, names, style), ...(areWhole ? linkFacts(task, names) : [])];
  const [old, now] = [facts(before), facts(after)];
  const changes = now.flatMap(([label, value], i): Fact[] => {
    const was = old[i]![1];
    return String(was) === String(value) ? [] : [[label, changeText(was, value, style)]];
  });
  const place: Fact[] =
    before.statusId === after.statusId && before.statusOrderKey !== after.statusOrderKey
      ? [['order', changeText(String(before.statusOrderKey), String(after.statusOrderKey), style)]]
      : [];
  const title: Fact[] =
    before.title === after.title ? [] : [['title', changeText(oneLine(before.title), oneLine(after.title), style)]];
  const size = ({ description }: ShownTask) => (description === '' ? '' : count(description.length, 'character'));
  const text: Fact[] =
    before.description === after.description
      ? []
      : [['text', size(before) === size(after) ? 'changed' : changeText(size(before), size(after), style)]];
  const all = [...title, ...text, ...changes, ...place];
  return joined([headOf(after, style), ...(all.length === 0 ? [safe`No differences.\n`] : factLines(all, style))]);
}

function changeText(was: Text, is: Text, style: Style): SafeText {
  const shown = (value: Text) => (String(value) === '' ? 'none' : value);
  return safe`${style.dim(String(shown(was)))} -> ${shown(is)}`;
}

function headOf({ num, title }: ShownTask, style: Style): SafeText {
  return safe`${style.bold(safe`#${String(num)} ${oneLine(title)}`)}\n`;
}

function factLines(facts: readonly Fact[], style: Style): readonly SafeText[] {
  const filled = facts.filter(([, value]) => String(value) !== '');
  const longest = Math.max(...filled.map(([label]) => label.length));
  return filled.map(([label, value]) => safe`${style.dim(label.padEnd(longest))}  ${value}\n`);
}

function commentText(comment: CommentView, names: TaskNamer, style: Style): SafeText {
  const when = `${relative(comment.createdAt)}${comment.edited ? ', edited' : ''}`;
  const text = joined(
    multiLine(comment.content)
      .written.split('\n')
      .map((line) => safe`  ${line}\n`),
  );
  return safe`\n${style.bold(names.member(comment.authorId))} ${style.dim(`${when}  ${comment.id}`)}\n${text}`;
}
