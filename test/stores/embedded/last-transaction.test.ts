import { expect } from 'chai';
import { open } from 'lmdb';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type EnvironmentInfo,
  LastTransaction,
  type Transactions,
} from '../../../adapters/store-embedded/files/last-transaction.ts';
import { keyEncoder, valueEncoder } from '../../../adapters/store-embedded/encoding/value-encoding.ts';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { openTransaction } from '../../../adapters/store-embedded/lmdb/snapshot.ts';
import { upgradeFile } from '../../../adapters/store-embedded/lmdb/upgrade.ts';
import { hasCurrentSchema } from '../../../adapters/store-embedded/schema.ts';
import type { KvValue } from '../../../adapters/store-kv/engine/kv.ts';
import type { Store } from '../../../core/ports/store.ts';
import { user } from '../../contract/records.ts';
import { needs, runs } from '../../fixtures/available.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { expectSound, preparedStore } from './crash/crashed-store.ts';
import { runWriter } from './crash/writer-process.ts';

/** Microseconds for which a process that opens a store is held up between reading the last id and writing it. */
const HELD_UP = 300_000;
const POSITION = 8;

describe('a store that is opened while another process commits', () => {
  const folder = temporaryFolder();

  async function createUser(store: Store): Promise<string> {
    const made = user();
    await store.write(async (tx) => tx.users.insert(made));
    return made.id;
  }

  async function missing(path: string, ids: readonly string[]): Promise<string[]> {
    const store = embeddedStore({ path });
    try {
      return await store.read(async (tx) => {
        const found = await Promise.all(ids.map(async (id) => tx.users.get(id)));
        return ids.filter((_, i) => found[i] === null);
      });
    } finally {
      await store.close();
    }
  }

  it('keeps a commit that the lock file no longer names', async () => {
    const path = join(folder, `${randomUUID()}.db`);
    const store = embeddedStore({ path });
    const ids: string[] = [];
    try {
      for (let i = 0; i < 5; i += 1) ids.push(await createUser(store));
      // In a process of its own: closing the lock file in this one would release the locks of lmdb on it.
      const script =
        'const fs = require("node:fs"); const file = fs.openSync(process.argv[1], "r+"); const bytes = Buffer.alloc(8);' +
        `fs.readSync(file, bytes, 0, 8, ${POSITION}); bytes.writeBigUInt64LE(bytes.readBigUInt64LE() - 1n);` +
        `fs.writeSync(file, bytes, 0, 8, ${POSITION});`;
      execFileSync(process.execPath, ['-e', script, `${path}-lock`]);
      for (let i = 0; i < 5; i += 1) ids.push(await createUser(store));
    } finally {
      await store.close();
    }
    expect(await missing(path, ids)).to.deep.equal([]);
  });

  it('loses nothing while others open it slowly', async function () {
    this.timeout(60_000);
    needs(this, 'strace', runs('strace', '-V'));
    const path = await preparedStore(folder);
    const inject = `inject=mmap:delay_enter=${HELD_UP}`;
    const under = ['strace', '-f', '-qq', '-o', '/dev/null', '-P', path, '-e', 'trace=mmap', '-e', inject];
    const store = embeddedStore({ path });
    const ids: string[] = [];
    const slow = { isDone: false };
    try {
      const report = runWriter({ path, clients: 2, steps: 5, seed: 1, under }).finally(() => (slow.isDone = true));
      while (!slow.isDone) ids.push(await createUser(store));
      const { acknowledged, errors } = await report;
      expect(errors).to.deep.equal([]);
      await expectSound(path, acknowledged);
    } finally {
      await store.close();
    }
    expect(await missing(path, ids)).to.deep.equal([]);
  });

  /** A lock file that names transaction 5. */
  function lockFile(): string {
    const lock = join(folder, 'lock');
    const bytes = Buffer.alloc(64);
    bytes.writeUInt32LE(0xbeefc0de);
    bytes.writeBigUInt64LE(5n, POSITION);
    writeFileSync(lock, bytes);
    return lock;
  }

  it('is corrected by the process that opened it', () => {
    for (const [last, corrected] of [
      [7, 7n],
      [5, 5n],
      [4, 5n],
    ] as const) {
      const lock = lockFile();
      const named = new LastTransaction(lock, 0o600);
      named.correct(transactions(last, 0));
      named.close();
      expect(readFileSync(lock).readBigUInt64LE(POSITION)).to.equal(corrected);
    }
  });

  it('is upgraded by a later transaction when others set it back meanwhile', async () => {
    const encoder = {
      encode: (value: KvValue) => valueEncoder.encode(value),
      decode: (bytes: Buffer) => valueEncoder.decode(bytes),
    };
    const db = open<KvValue, string>({ path: join(folder, `${randomUUID()}.db`), noSubdir: true, keyEncoder, encoder });
    try {
      let setBack = 0;
      upgradeFile(db, { wasSetBack: () => (setBack += 1) <= 2 });
      expect(setBack).to.equal(3);
      expect(hasCurrentSchema(openTransaction(db))).to.equal(true);
    } finally {
      await db.close();
    }
  });

  it('takes no writes when the lock file cannot be corrected', () => {
    const named = new LastTransaction(lockFile(), 0o600);
    const asks = (id: number, last: number) => named.wasSetBack(transactions(last, id));
    expect(asks(7, 6)).to.equal(false);
    expect(() => asks(5, 6)).to.throw();
    expect(asks(6, 7)).to.equal(true);
    named.close();
  });
});

/** @param last id of the last transaction @param writing id of the one that writes */
function transactions(last: number, writing: number): Transactions & EnvironmentInfo {
  return { env: { info: () => ({ lastTxnId: last }) }, getWriteTxnId: () => writing };
}
