import { assert, expect } from 'chai';
import { eventually, type Mongod } from '../../../fixtures/mongodb/mongod.ts';
import { ownReplicaSet } from '../../../fixtures/mongodb/own-replica-set.ts';
import { changeAndLook, LARGE_CHANGES, newLargeBoard, SETTLED } from '../job/large-changes.ts';

/** ESPALIER_LARGE_FAILOVERS: how often the primary is lost; ESPALIER_LARGE_TASKS: tasks of each change. */
const ROUNDS = Number(process.env['ESPALIER_LARGE_FAILOVERS'] ?? 1);
const TASKS = Number(process.env['ESPALIER_LARGE_TASKS'] ?? 50);
/** How long each change may take to be made once more, in ms: the steps of a copy take turns with the others. */
const ALL_CHANGED = 4 * SETTLED;

/** In turn: it steps down and goes on as a secondary, or is killed and starts again later. */
const LOSSES: readonly ((primary: Mongod) => Promise<unknown>)[] = [
  (primary) =>
    eventually(async () => {
      const { isWritablePrimary } = await primary.command({ hello: 1 });
      if (isWritablePrimary === true) await primary.command({ replSetStepDown: 5, force: true });
    }),
  (primary) => primary.stop('SIGKILL'),
];

describe('changes of many tasks, restores and copies while the primary is lost', function () {
  this.timeout(2 * SETTLED + ROUNDS * 2 * ALL_CHANGED);
  const cluster = ownReplicaSet();

  it(`are whole or not there, lose nothing acknowledged and go on, ${ROUNDS} times`, async () => {
    const { set } = cluster;
    const [first, second] = [cluster.open(), cluster.open()];
    const { id: userId } = await first.users.create({ name: 'Ada', email: 'ada@example.org' });
    const { id: workspaceId } = await first.as(userId).workspaces.create({ name: 'Acme' });
    const at = { workspaceId };
    const boards: Awaited<ReturnType<typeof newLargeBoard>>[] = [];
    for (const _ of Object.keys(LARGE_CHANGES)) boards.push(await newLargeBoard(first.as(userId), at, TASKS));

    const stop = new AbortController();
    const told = boards.map(() => ({ count: 0 }));
    const changes = Object.values(LARGE_CHANGES).map((change, n) => {
      const [writing, reading] = n % 2 === 0 ? [first, second] : [second, first];
      const board = { ...boards[n]!, at, writing, writer: writing.as(userId), reader: reading.as(userId) };
      return changeAndLook(change, board, told[n]!, stop.signal);
    });
    const more = () => {
      const before = told.map(({ count }) => count);
      return eventually(async () => assert(told.every(({ count }, n) => count >= before[n]! + 1)), ALL_CHANGED);
    };
    const rounds = async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await more();
        const primary = await set.primary();
        await LOSSES[round % LOSSES.length]!(primary);
        await more();
        if (!primary.running) await primary.start();
        await set.settled();
      }
    };
    try {
      await Promise.race([rounds(), Promise.all(changes)]);
    } finally {
      stop.abort();
    }
    await Promise.all(changes);
    await eventually(async () => {
      await first.idle();
      const jobs = await first.store.read((tx) => tx.jobs.list('all', {}, { limit: 100 }));
      expect(jobs.map(({ kind }) => kind).filter((kind) => kind !== 'trash-purge')).to.deep.equal([]);
    }, SETTLED);
    // What it reads may be gone after the last election.
    const { findings } = await eventually(() => first.operator.doctor.check(), SETTLED);
    expect(findings).to.deep.equal([]);
  });
});
