import { expect } from 'chai';
import { join } from 'node:path';
import { open } from 'lmdb';
import type { Share } from '../../../adapters/event-loop/loop-share.ts';
import { LastTransaction } from '../../../adapters/store-embedded/files/last-transaction.ts';
import { CommitFailure } from '../../../adapters/store-embedded/lmdb/commit-failure.ts';
import { ExpectedWrites } from '../../../adapters/event-loop/expected-writes.ts';
import { GroupCommit } from '../../../adapters/store-embedded/lmdb/group-commit.ts';
import type { Kv, KvValue } from '../../../adapters/store-kv/engine/kv.ts';
import type { Database } from '../../../adapters/store-embedded/lmdb/snapshot.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const CLIENTS = 4;
const ROUNDS = 20;
/** More turns of the event loop than a group takes to see who else is there. */
const LATER = 20;
/** In milliseconds: never over while the test runs. */
const LONG = 60_000;

const folder = temporaryFolder();
let databases = 0;

describe('a group commit', () => {
  async function batchesOf(wait: number): Promise<number> {
    let groups = 0;
    const { commits, close } = opened({ onGroup: () => (groups += 1), expected: new ExpectedWrites(wait, wait) });
    const write = (): Promise<void> =>
      new Promise((committed, failed) => commits.add({ run: async () => {}, committed, failed }));
    const together = turnstile(CLIENTS);
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        // The first group takes one writer, and the second the others who come meanwhile.
        await write();
        await together();
        for (let round = 0; round < ROUNDS; round += 1) {
          // Half of the clients send their writes through another process.
          if (client % 2 === 1 && round > 0) for (let turn = 0; turn < LATER; turn += 1) await nextTurn();
          await write();
        }
      }),
    );
    await close();
    return groups;
  }

  it('waits for writers that come later than others, so that all share one sync', async () => {
    expect(await batchesOf(LONG)).to.be.at.most(ROUNDS + 3);
  });
});

describe('writes of one group', () => {
  it('let other work run in between when they take long', async () => {
    const order: string[] = [];
    const { commits, close } = opened({ share: { isOver: () => order.length > 0, next: nextTurn } });
    const write = (name: string): Promise<void> =>
      new Promise((committed, failed) => {
        const run = async (): Promise<void> => {
          order.push(name);
          setImmediate(() => order.push(`after ${name}`));
        };
        commits.add({ run, committed, failed });
      });
    await Promise.all([write('first'), write('second'), write('third')]);
    expect(order.slice(0, 5)).to.deep.equal(['first', 'after first', 'second', 'after second', 'third']);
    await close();
  });
});

describe('a write of a group', () => {
  it('lets other work run before its changes are written when it took long', async () => {
    const order: string[] = [];
    const { db, commits, close } = opened({ share: { isOver: () => order.includes('run'), next: nextTurn } });
    const putSync = db.putSync.bind(db);
    db.putSync = (key: string, value: KvValue) => {
      order.push('written');
      putSync(key, value);
    };
    await new Promise<void>((committed, failed) => {
      const run = async (kv: Kv): Promise<void> => {
        kv.put('key', 'value');
        order.push('run');
        setImmediate(() => order.push('others'));
      };
      commits.add({ run, committed, failed });
    });
    expect(order).to.deep.equal(['run', 'others', 'written']);
    await close();
  });
});

describe('a commit that fails', () => {
  it('refuses writes that threw on what others had written in it, too: that was never kept', async () => {
    const { db, commits, close } = opened({});
    const childTransaction = db.childTransaction.bind(db);
    db.childTransaction = async (work: () => unknown) => {
      await childTransaction(work);
      throw new Error('The disk is gone.');
    };
    const errorOf = (run: () => Promise<void>): Promise<unknown> =>
      new Promise((failed) => commits.add({ run, committed: () => failed(null), failed }));
    const [early, late] = [new Error('on committed state'), new Error('on what is not committed')];
    const errors = await Promise.all([
      errorOf(() => Promise.reject(early)),
      errorOf(() => Promise.resolve()),
      errorOf(() => Promise.reject(late)),
    ]);
    expect(errors[0]).to.equal(early);
    for (const error of errors.slice(1)) expect(error).to.be.instanceOf(CommitFailure);
    await close();
  });
});

interface Given {
  readonly onGroup?: () => void;
  readonly expected?: ExpectedWrites;
  readonly share?: Share;
}

/** Group commits of a new database, which do not wait for later writes unless they are told to. */
function opened({ onGroup = () => {}, expected = new ExpectedWrites(0), share }: Given) {
  const path = join(folder, `${(databases += 1)}.db`);
  const last = new LastTransaction(`${path}-lock`, 0o600);
  const db = open({ path, noSubdir: true, overlappingSync: false }) as Database;
  const commits = new GroupCommit(db, last, onGroup, () => false, expected, share);
  const close = async (): Promise<void> => {
    await commits.idle();
    await db.close();
    last.close();
  };
  return { db, commits, close };
}

/** Lets nobody through before all have come. */
function turnstile(count: number): () => Promise<void> {
  let open!: () => void;
  const all = new Promise<void>((resolve) => (open = resolve));
  return () => {
    if ((count -= 1) === 0) open();
    return all;
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
