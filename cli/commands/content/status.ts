import type { StatusView } from '../../../core/board/view.ts';
import { type CommandCall, wholeNumber } from '../../call.ts';
import { confirm, YES } from '../../io/confirm.ts';
import { DRY_RUN } from '../../output/record/deletion-preview.ts';
import { count } from '../../output/table/count.ts';
import { nameText } from '../../output/record/being-removed.ts';
import type { TableColumn } from '../../output/table/column.ts';
import { METADATA_OPTION, METADATA_COLUMN, metadataGiven } from '../../config/metadata.ts';
import { changesGiven } from '../../config/changes-given.ts';
import { withoutUndefined } from '../../config/without-undefined.ts';
import { BOARD, boardPartOf, ITS_BOARD, boardOfCall } from '../../refs/board-part.ts';
import { option } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';
import { oneLine, safe } from '../../io/safe-text.ts';
import { requireEditing } from '../../task/would-refuse.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { conflict, unusable } from '../../../core/kernel/errors.ts';

const COLUMNS: readonly TableColumn<StatusView>[] = [
  { title: 'name', cut: true, text: nameText },
  { title: 'tasks', align: 'right', text: ({ taskCount }) => String(taskCount) },
  { title: 'done', text: ({ done }, style) => (done ? style.green('yes') : '') },
  { title: 'order', align: 'right', text: ({ orderKey }) => String(orderKey) },
  { title: 'id', wide: true, text: ({ id }) => id },
  METADATA_COLUMN,
];

const STATUS = { spec: '<status>', summary: 'name or id' };
const ORDER_KEY = option('--order-key <number>', 'sort key of the column');
const NEW_ORDER_KEY = { ...ORDER_KEY, summary: `${ORDER_KEY.summary} (default: last)` };
const FIELDS = [option('--done', 'tasks moved here become complete'), METADATA_OPTION];

/**
 * `status delete --dry-run`.
 *
 * @throws as the deletion would for the level of the caller and for the target of the tasks
 */
async function trial(
  call: CommandCall<{ readonly moveTo: string | undefined }>,
  workspace: WorkspaceLookup,
  boardId: string,
  statusId: string,
  moveTo: string | null,
): Promise<void> {
  await requireEditing(workspace, { boardId });
  if (moveTo === statusId) throw unusable('moveTo');
  const { statuses } = await workspace.boardView(boardId);
  const tasks = statuses.find(({ id }) => id === statusId)?.taskCount ?? 0;
  const what = safe`Deleting column ${oneLine(call.arg(0))}`;
  call.out.show({ tasks, moveTo }, () =>
    moveTo === null
      ? safe`${what} would leave ${count(tasks, 'task')}.\n`
      : safe`${what} would move ${count(tasks, 'task')} to ${oneLine(call.options.moveTo!)}.\n`,
  );
  call.out.note('Nothing was changed.');
  if (tasks > 0 && moveTo === null)
    throw conflict('status-not-empty', 'The column still has tasks: choose another column with --move-to.');
}

export const status: Noun = {
  name: 'status',
  summary: 'A status is a column of a board; moving a task to a done column completes it.',
  verbs: [
    verb({
      name: 'list',
      summary: 'list the columns of a board',
      options: [BOARD],
      examples: ['status list --board Launch'],
      async run(call) {
        const { workspace, boardId } = await boardOfCall(call);
        await call.out.list((await workspace.boardView(boardId)).statuses, COLUMNS);
      },
    }),
    verb({
      name: 'create',
      summary: 'add a column to a board',
      uses: ['statuses.create'],
      options: [BOARD, option('--name <name>', 'name of the column', { required: true }), NEW_ORDER_KEY, ...FIELDS],
      examples: ['status create --board Launch --name Review', 'status create --board Launch --name Dropped --done'],
      async run(call) {
        const { session, workspaceId, boardId } = await boardOfCall(call);
        const given = withoutUndefined({
          orderKey: wholeNumber('orderKey', call.options.orderKey),
          done: call.options.done,
          metadata: metadataGiven(call.options.metadata),
        });
        const name = call.options.name;
        call.out.record(await session.statuses.create({ workspaceId, boardId, name, ...given }), COLUMNS);
      },
    }),
    verb({
      name: 'edit',
      summary: 'edit a column',
      uses: ['statuses.update'],
      args: [STATUS],
      options: [
        ITS_BOARD,
        option('--name <name>', 'new name'),
        ORDER_KEY,
        ...FIELDS,
        option('--no-done', 'do not complete tasks moved here'),
      ],
      examples: ['status edit Todo --name "To do"'],
      async run(call) {
        const { session, workspaceId, boardId, id: statusId } = await boardPartOf(call, 'status');
        const changes = changesGiven({
          name: call.options.name,
          orderKey: wholeNumber('orderKey', call.options.orderKey),
          done: call.options.done,
          metadata: metadataGiven(call.options.metadata),
        });
        call.out.record(await session.statuses.update({ workspaceId, boardId, statusId, ...changes }), COLUMNS);
      },
    }),
    verb({
      name: 'delete',
      summary: 'delete a column',
      uses: ['statuses.delete'],
      args: [STATUS],
      options: [ITS_BOARD, option('--move-to <status>', 'move its tasks to this column'), DRY_RUN, YES],
      examples: ['status delete Later --board Roadmap --move-to Now --yes'],
      async run(call) {
        const { workspace, session, workspaceId, boardId, id: statusId } = await boardPartOf(call, 'status');
        const target = call.options.moveTo;
        const moveTo: { moveTo?: string } =
          target === undefined ? {} : { moveTo: await workspace.status(boardId, target) };
        if (call.options.dryRun) return trial(call, workspace, boardId, statusId, moveTo.moveTo ?? null);
        await confirm(call, `Deleting column ${call.arg(0)}`);
        await session.statuses.delete({ workspaceId, boardId, statusId, ...moveTo });
        call.out.note(`Deleted column ${call.arg(0)}.`);
      },
    }),
  ],
};
