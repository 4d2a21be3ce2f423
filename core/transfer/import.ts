import type { Context } from '../ports/context.ts';
import { read } from '../write/transaction.ts';
import { requireAdministrator } from '../access/identify.ts';
import type { Workspace } from '../model/workspace.ts';
import { noRecords, type TransferCount, type TransferRecord } from '../model/transfer-record.ts';
import { openStaged } from './open-staged.ts';
import { Staging } from './staging.ts';

export interface ImportWorkspace {
  /** The records, in the order of an export. An error thrown by the iterator ends the import without effect. */
  readonly records: AsyncIterable<TransferRecord>;
}

export interface ImportedWorkspace {
  readonly workspace: Workspace;
  readonly count: TransferCount;
}

/**
 * Imports an exported workspace with its ids. It is written in chunks that nobody can reach, until one last small commit
 * puts the workspace in place; what an interrupted import has written is removed. A user whose e-mail address exists here
 * is mapped to the existing user; of more than 100 who are new, some may stay when the last commit fails. For the
 * operator and service administrators.
 *
 * @throws `workspace-exists`, `alias-taken`, `quota-exceeded`
 * @throws `store-busy` when it paused for so long that it was given up
 * @throws `invalid-input` for records that do not make up a workspace
 */
export async function importWorkspace(context: Context, input: ImportWorkspace): Promise<ImportedWorkspace> {
  // Each chunk checks again; this early check makes sure that a caller who may not import learns nothing.
  await read(context, (tx) => requireAdministrator(tx, context));
  const staging = new Staging(context);
  const count = noRecords();
  try {
    for await (const transferred of input.records) {
      count[transferred.kind]++;
      await staging.add(transferred);
    }
    await staging.end();
    return { workspace: await openStaged(context, staging), count };
  } catch (error) {
    await staging.abandon();
    throw error;
  }
}
