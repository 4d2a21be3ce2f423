import type { Context } from '../ports/context.ts';
import { read } from '../write/transaction.ts';
import { requireAdministrator } from '../access/identify.ts';
import { shownWorkspace, type ShownWorkspace } from '../model/workspace/workspace.ts';
import { noRecords, type TransferCount, type TransferRecord } from '../model/transfer-record.ts';
import { yielderOf } from '../ports/yielder.ts';
import { openStaged } from './open-staged.ts';
import { Staging } from './staging.ts';

/** Steps that a record counts for: it is parsed, checked and written. */
const STEPS_PER_RECORD = 8;

/** What `imports.workspace` takes. */
export interface ImportWorkspace {
  /** The records, in the order of an export. An error thrown by the iterator ends the import without effect. */
  readonly records: AsyncIterable<TransferRecord>;
}

/** The result of `imports.workspace`. */
export interface ImportedWorkspace {
  /** The imported workspace. */
  readonly workspace: ShownWorkspace;
  /** The number of records of each kind in the export. */
  readonly count: TransferCount;
}

/**
 * Imports an exported workspace with its ids. Records are written in chunks, unreachable until one last small commit
 * creates the workspace; records of an interrupted import are removed. A user whose e-mail address exists here is
 * mapped to the existing user. If there are more than 100 new users, some may remain when the last commit fails. For
 * the operator and service administrators.
 *
 * @throws `workspace-exists`, `alias-taken`, `quota-exceeded`
 * @throws `store-busy` if it paused for so long that it was abandoned
 * @throws `invalid-input` for records that do not form a workspace
 */
export async function importWorkspace(context: Context, input: ImportWorkspace): Promise<ImportedWorkspace> {
  // Each chunk checks again; this early check keeps callers who may not import from learning anything.
  await read(context, (tx) => requireAdministrator(tx, context));
  const staging = new Staging(context);
  const count = noRecords();
  const yielder = yielderOf(context);
  try {
    for await (const transferred of input.records) {
      count[transferred.kind]++;
      await staging.add(transferred);
      // Reading records that are kept until the end, and writing to memory, would not let other work run.
      const pause = yielder.step(STEPS_PER_RECORD);
      if (pause !== null) await pause;
    }
    await staging.end();
    const workspace = await openStaged(context, staging);
    return { workspace: shownWorkspace(workspace), count };
  } catch (error) {
    // If this fails too, the lease ends by itself.
    await staging.abandon().catch(() => undefined);
    throw error;
  }
}
