import type { LogTrimming } from '../../model/job.ts';
import type { KeepChanges } from '../../model/log/kept-changes.ts';
import type { ReadTransaction, Store, Transaction } from '../../ports/store.ts';
import { keptChangesIn, setLogAge, trimOldest } from './trim-log.ts';

/** Changes that one step removes. */
const CHANGES_PER_STEP = 1_000;
/** Workspaces that one step of {@link logTrimmingStep} looks at. */
const WORKSPACES_PER_STEP = 8;

/**
 * Whether any workspace has changes that are too old. O(1).
 *
 * @param defaults where the settings of the store say nothing
 * @param now in ms
 */
export async function hasExpiredChanges(
  tx: ReadTransaction,
  defaults: KeepChanges | undefined,
  now: number,
): Promise<boolean> {
  return (await oldestExpired(tx, defaults, now)) !== null;
}

/** Removes some changes from the log that has the oldest, in one small transaction. Workspaces are not walked through. */
export function removeExpired(store: Store, defaults: KeepChanges | undefined, now: number): Promise<void> {
  return store.write(async (tx) => {
    const id = await oldestExpired(tx, defaults, now);
    if (id === null) return;
    await setLogAge(tx, id, await trimOldest(tx, id, await keptChangesIn(tx, defaults), now, CHANGES_PER_STEP));
  });
}

/** The workspace with the oldest change, if that is too old. */
async function oldestExpired(
  tx: Pick<ReadTransaction, 'logAges' | 'settings'>,
  defaults: KeepChanges | undefined,
  now: number,
): Promise<string | null> {
  const [first] = await tx.logAges.list('oldest', {}, { limit: 1 });
  if (first === undefined) return null;
  const { milliseconds } = await keptChangesIn(tx, defaults);
  return Date.parse(first.oldestAt) < now - milliseconds ? first.id : null;
}

/** Removes what the settings allow no longer, some workspaces at a time, until all were looked at. */
export async function logTrimmingStep(
  tx: Transaction,
  job: LogTrimming,
  { clock }: { readonly clock: { now(): number } },
): Promise<LogTrimming | null> {
  const workspaces = await tx.workspaces.list('all', {}, { after: job.after, limit: WORKSPACES_PER_STEP });
  const kept = await keptChangesIn(tx, undefined);
  let room = CHANGES_PER_STEP;
  let { after } = job;
  for (const { id } of workspaces) {
    const { floor } = await tx.changeLog.head(id);
    await trimOldest(tx, id, kept, clock.now(), room);
    room -= (await tx.changeLog.head(id)).floor - floor;
    if (room <= 0) return { ...job, after };
    after = id;
  }
  return workspaces.length < WORKSPACES_PER_STEP ? null : { ...job, after };
}
