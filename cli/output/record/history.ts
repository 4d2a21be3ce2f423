import { describeHistoryEntry } from '../../../core/history/describe.ts';
import type { HistoryEntryView } from '../../../core/history/view.ts';
import type { Slice } from '../../../core/kernel/record.ts';
import type { CommandCall } from '../../call.ts';
import { relative } from '../../config/values.ts';
import type { OptionValues } from '../../option.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { withMember } from './members.ts';
import { memberNamer } from '../../task/names.ts';
import { oneLine, safe, type Text } from '../../io/safe-text.ts';
import type { SliceRequest } from '../../all-items.ts';
import { printPages, type PAGING } from '../paging.ts';
import type { TableColumn } from '../table/column.ts';

/** Prints a history: sentences for people, the entries as they are for scripts. */
export async function printHistory(
  call: CommandCall<OptionValues<typeof PAGING>>,
  workspace: WorkspaceLookup,
  list: (part: SliceRequest) => Promise<Slice<HistoryEntryView>>,
): Promise<void> {
  const nameOf = await memberNamer(workspace, call.out.isForPeople);
  const columns: readonly TableColumn<HistoryEntryView>[] = [
    { title: 'when', text: ({ at }) => relative(at) },
    { title: 'what', cut: true, text: (entry) => sentence(entry, nameOf) },
  ];
  await printPages(call, list, async (items) => {
    await call.out.list(await withMember(call, workspace, items, 'byId'), columns);
    if (items.some(({ truncated }) => truncated)) call.out.note('Earlier history is not kept.');
  });
}

/** "Ada moved it from Todo to Doing and assigned it to Ben". */
function sentence(entry: HistoryEntryView, nameOf: (id: string) => Text): Text {
  const who = entry.byId === null ? 'Somebody' : nameOf(entry.byId);
  return safe`${who} ${oneLine(describeHistoryEntry(entry))}`;
}
