import { Overlay } from '../../store-kv/engine/overlay.ts';
import type { LastTransaction } from '../files/last-transaction.ts';
import { hasCurrentSchema, migrate } from '../schema.ts';
import { type Database, openTransaction } from './snapshot.ts';

/** The most attempts at a transaction while other processes open the store and set the lock file back. */
const MAX_ATTEMPTS = 100;

/**
 * Brings a store that was just opened to the schema version of this release.
 *
 * @throws `store-unavailable` if the file belongs to another program, or was written by a newer release
 */
export function upgradeFile(db: Database, last: Pick<LastTransaction, 'wasSetBack'>): void {
  const stored = openTransaction(db);
  if (hasCurrentSchema(stored)) return;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const isDone = db.transactionSync(() => {
      // The transaction ends without a write; the next one builds on the last commit.
      if (last.wasSetBack(db)) return false;
      const changes = new Overlay(stored);
      migrate(changes);
      for (const change of changes.changes()) stored.write(change);
      return true;
    });
    if (isDone) return;
  }
  throw new Error('Other processes open the store all the time.');
}
