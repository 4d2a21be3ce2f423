import type { ChecklistItemView } from '../../../core/checklist/view.ts';
import { joined, oneLine, safe, type SafeText, type Text } from '../../io/safe-text.ts';
import type { TableColumn } from '../table/column.ts';
import type { Style } from '../table/style.ts';

type MemberNamer = (memberId: string) => Text;

/**
 * The columns of a list of items.
 *
 * @param all the whole checklist, for the numbers by which commands refer to its items
 */
export function checklistColumns(
  nameOf: MemberNamer,
  all: readonly ChecklistItemView[] = [],
): readonly TableColumn<ChecklistItemView>[] {
  const numbers = new Map(all.map(({ id }, i) => [id, String(i + 1)]));
  return [
    ...(all.length === 0
      ? []
      : [{ title: 'num', align: 'right' as const, text: ({ id }: ChecklistItemView) => numbers.get(id) ?? '' }]),
    { title: 'done', text: ({ done }) => (done ? '[x]' : '[ ]') },
    { title: 'text', cut: true, text: ({ text, done }, style) => (done ? style.dim(text) : text) },
    { title: 'assigned', cut: true, text: ({ assigneeId }) => (assigneeId === null ? '' : nameOf(assigneeId)) },
    { title: 'id', wide: true, text: ({ id }) => id },
  ];
}

/** A checklist in a task, with the numbers by which commands refer to its items. */
export function checklistText(items: readonly ChecklistItemView[], nameOf: MemberNamer, style: Style): SafeText {
  const lines = items.map(({ text, done, assigneeId }, i) => {
    const whose = assigneeId === null ? '' : safe` @${nameOf(assigneeId)}`;
    const line = safe`[${done ? 'x' : ' '}] ${oneLine(text)}${whose}`;
    return safe`${String(i + 1).padStart(3)}. ${done ? style.dim(line) : line}\n`;
  });
  return items.length === 0 ? joined([]) : joined([safe`\n`, ...lines]);
}

/** How much of a checklist is done; empty without one. */
export function checklistProgress({ checklistDone, checklistTotal }: ChecklistCounts): string {
  return checklistTotal === 0 ? '' : `${checklistDone}/${checklistTotal} done`;
}

interface ChecklistCounts {
  readonly checklistDone: number;
  readonly checklistTotal: number;
}
