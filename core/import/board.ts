import { requireAdministrator } from '../access/identify.ts';
import { viewerAfter } from '../access/viewer.ts';
import { found } from '../kernel/errors.ts';
import { insertPage } from '../page/create.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import { write } from '../write/transaction.ts';
import { importInSteps } from './board-in-steps.ts';
import { recordsIn, type ImportBoard, type ImportReport } from './imported-board.ts';
import {
  importComments,
  boardFor,
  newCounts,
  importOwner,
  statusIdsOf,
  taskFor,
  trashArchived,
} from './board-records.ts';

/** The most tasks, items and comments imported in one transaction; more are imported in several. */
const BATCH = 250;

/**
 * Imports a board with its authors and times. A second import of the same board adds only what is missing. A new board
 * appears with all its records or not at all. Additions to an existing board are atomic up to 250 tasks, items and comments;
 * more are added in several transactions, and a call that fails between them can be repeated. For the operator and
 * service administrators.
 *
 * @throws `external-id-taken` if another record takes the external id of the board during the import
 * @throws `store-busy` if another import of the board is running
 */
export function importBoard(context: Context, input: ImportBoard): Promise<ImportReport> {
  const records = input.tasks.reduce((sum, draft) => sum + recordsIn(draft), 0);
  if (records > BATCH) return importInSteps(context, input);
  return write(context, (tx) => importAtOnce(tx, context, input));
}

async function importAtOnce(tx: Transaction, context: Context, input: ImportBoard): Promise<ImportReport> {
  await requireAdministrator(tx, context);
  const owner = await importOwner(tx, input);
  const counts = newCounts();
  let viewer = owner;
  const board = await boardFor({ tx, context, viewer, counts }, input, async (page) => {
    await insertPage(tx, owner, page, { shows: true });
    viewer = viewerAfter(owner, found(await tx.structures.get(input.workspaceId)));
  });
  const importing = { tx, context, viewer, counts };
  const statusIds = statusIdsOf(board);
  for (const draft of input.tasks) {
    const known = await taskFor(importing, board, statusIds, draft);
    if (known === null) continue;
    const task = await importComments(importing, known.task, draft.comments ?? []);
    if (known.isNew && draft.archived === true) await trashArchived(importing, task);
  }
  return { boardId: board.id, created: counts.created, existing: counts.existing };
}
