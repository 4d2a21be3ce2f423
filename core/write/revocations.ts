import { REVOCATIONS_ID } from '../model/user/revocations.ts';
import type { Transaction } from '../ports/store.ts';

/** Counts revocations of tokens and disabled users, so that calls that wait in other processes end soon. */
export async function countRevocation(tx: Transaction): Promise<void> {
  const known = await tx.revocations.get(REVOCATIONS_ID);
  if (known === null) await tx.revocations.insert({ id: REVOCATIONS_ID, count: 1 });
  else await tx.revocations.replace({ ...known, count: known.count + 1 });
}
