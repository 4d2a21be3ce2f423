import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { SHARE_OF_WRITES } from '../../../../adapters/event-loop/loop-share.ts';
import type { Transaction } from '../../../../core/ports/store.ts';

/** `node exit.main.js PATH small|large|between|held|waiting|failing`: exits with 7 in or behind a write, stays in it, or fails. */
const [path = '', how = ''] = process.argv.slice(2);

/** Changes of which a part is in a transaction of its own by then. */
const LARGE = 3_000;

const store = embeddedStore({ path });

async function writeIn(tx: Transaction): Promise<void> {
  for (let i = 0; i < (how === 'large' || how === 'between' ? LARGE : 1); i += 1) {
    await tx.users.insert({
      id: `user-${i}`,
      version: 1,
      name: 'Ada',
      email: `ada-${i}@example.org`,
      emailVerified: false,
      avatar: null,
      phone: null,
      administrator: false,
      disabled: false,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    });
  }
}

if (how === 'waiting') {
  process.stdout.write('open\n');
  await once(process.stdin, 'data');
  // The engine has been asked for the lock by then.
  setImmediate(() => setImmediate(() => setImmediate(() => process.exit(7))));
}

let isWritten = false;
if (how === 'between') {
  const exitBehindTheFirst = { isOver: () => isWritten, next: () => process.exit(7) };
  Object.assign(SHARE_OF_WRITES, exitBehindTheFirst);
}

void store.write(async (tx) => {
  await writeIn(tx);
  isWritten = true;
  if (how === 'between') return;
  if (how !== 'held') process.exit(7);
  process.stdout.write('holds the lock\n');
  await setTimeout(600_000);
});
if (how === 'between') void store.write(async () => {});
if (how === 'failing') throw new TypeError('nobody expects it');
