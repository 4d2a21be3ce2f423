import type { StepPorts } from '../jobs/step.ts';
import { changed, timestamp } from '../kernel/record.ts';
import type { UserDisabling } from '../model/job.ts';
import type { Transaction } from '../ports/store.ts';

/**
 * Enables the user again whose workspaces were being checked, as the check has failed or was abandoned. Marks of older
 * releases ended no access.
 */
export async function restoreAccess(
  tx: Transaction,
  { id, origin }: UserDisabling,
  ports: Pick<StepPorts, 'clock'>,
): Promise<null> {
  const user = origin === undefined ? null : await tx.users.get(id);
  if (user?.disabled === true) await tx.users.replace(changed(user, { disabled: false }, timestamp(ports)));
  return null;
}
