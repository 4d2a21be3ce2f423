import type { WorkspaceAddress } from '../../model/address.ts';
import { viewerOf } from '../../access/viewer.ts';
import type { Context } from '../../ports/context.ts';
import { snapshotIncomplete } from '../../kernel/errors.ts';
import { yielderOf } from '../../ports/yielder.ts';
import { read } from '../../write/transaction.ts';
import type { SnapshotItem } from './item.ts';
import { PresentAccess } from './present-access.ts';
import { recordsSeen } from './records.ts';
import { taken, withReader } from './reader-error.ts';
import { TimeLimit } from './time-limit.ts';

/** In seconds: as long as a database keeps what it is read from. */
const TIME_LIMIT = 240;

/** What `changes.snapshot` takes. */
export interface ReadSnapshot extends WorkspaceAddress {
  /** Receives the items one by one; the snapshot awaits each call. */
  readonly sink: (item: SnapshotItem) => Promise<void> | void;
}

/**
 * Reads everything that the caller sees of a workspace at one cursor, which is the first item. The changes after the
 * cursor keep it current. Access is checked again during the read: if anything is hidden from the member meanwhile, the
 * snapshot ends.
 *
 * @throws `snapshot-incomplete` if the caller may see less than at the start, or after 240 s
 * @throws the reason of the call's signal
 */
export async function readSnapshot(context: Context, { workspaceId, sink }: ReadSnapshot): Promise<void> {
  const limit = new TimeLimit(context, 'A snapshot', TIME_LIMIT);
  let isBegun = false;
  try {
    const reading = read(context, async (tx) => {
      // A store that restarts its work, as after an election, has passed on a part already.
      if (isBegun) throw snapshotIncomplete('The store had to restart the read: start the snapshot again.');
      let cursor = '';
      const onCursor = (of: string) => {
        cursor = of;
        context.onCursor?.(of);
      };
      const viewer = await viewerOf(tx, { ...context, onCursor }, workspaceId);
      const records = await recordsSeen(tx, viewer);
      isBegun = true;
      await taken(() => limit.give(() => sink({ kind: 'head', cursor })));
      const access = new PresentAccess(context, viewer);
      const yielder = yielderOf(context);
      for await (const { item, pageIds } of records) {
        await access.require(pageIds);
        await taken(() => limit.give(() => sink(item)));
        // A sink that never waits would not let other work run.
        const pause = yielder.step();
        if (pause !== null) await pause;
      }
    });
    await withReader(reading);
  } finally {
    limit.stop();
  }
}
