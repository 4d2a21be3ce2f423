import { expect } from 'chai';
import { board, newId, task } from '../../../contract/records.ts';
import { rejects } from '../../../fixtures/errors.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { eachOf } from '../../../fixtures/each-of.ts';
import {
  expectAllDone,
  GROWING,
  type GrowingRequest,
  largeWorkspace,
} from '../../../fixtures/world/growing-requests.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { emptyMongodbStore, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';
import { WrittenDocuments } from '../../../fixtures/mongodb/written-documents.ts';
import { createEngine } from '../../../../core/engine.ts';
import { sessionOf } from '../../../../core/session.ts';
import { realPorts } from '../service.ts';

/** ESPALIER_GROWING: tasks and pages of the large workspace. */
const SIZE = Number(process.env['ESPALIER_GROWING'] ?? 600);

/**
 * Documents that one transaction may write: a chunk or a step, what is noted of it, its job and its locks. Where fields
 * of tasks change, the history of each has one more.
 */
const MOST: Readonly<Record<GrowingRequest | 'import', number>> = {
  import: 520,
  crowded: 120,
  tag: 160,
  status: 160,
  member: 160,
  board: 120,
  page: 120,
  // Of its log, changes and entries of histories.
  workspace: 520,
};

describe('transactions of requests that concern very much, on MongoDB', function () {
  this.timeout(Math.max(120_000, SIZE * 100));
  let store: Store;
  let written: WrittenDocuments;

  before(async function () {
    await mongodbUrl(this);
    store = await emptyMongodbStore('transaction_size', {
      client: { monitorCommands: true },
      observe: (client) => (written = new WrittenDocuments(client)),
    });
  });

  after(() => store?.close());

  it('write no more documents the more there are', async () => {
    // What is deleted is purged at once.
    const ports = { ...realPorts(store), keepTrash: 0 };
    const engine = createEngine(ports);
    const operator = sessionOf(engine, { kind: 'operator' });
    const { large, records } = largeWorkspace(SIZE);
    const most: Record<string, number> = {};
    written.take();
    await operator.imports.workspace({ records: eachOf(records) });
    most['import'] = written.take().most;
    const owner = sessionOf(engine, { kind: 'user', userId: large.owner });
    for (const name of Object.keys(GROWING) as GrowingRequest[]) {
      if (name === 'workspace') await expectAllDone(owner, large);
      await GROWING[name](owner, large);
      await finishJobs(ports);
      const { most: here, transactions } = written.take();
      most[name] = here;
      expect(transactions, name).to.be.above(name === 'crowded' || name === 'board' ? 1 : SIZE / 100);
    }
    for (const [name, limit] of Object.entries(MOST)) expect(most[name], name).to.be.within(3, limit);
    expect((await operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('are refused where one document would be larger than the database takes, and leave nothing', async () => {
    const home = board(newId());
    const [small, large] = [task(home, 1), { ...task(home, 2), description: 'x'.repeat(17_000_000) }];
    const write = store.write(async (tx) => {
      for (const one of [small, large]) await tx.tasks.insert(one);
    });
    await rejects(write, { code: 'store-busy' });
    expect(await store.read((tx) => tx.tasks.get(home.workspaceId, small.id))).to.equal(null);
  });
});
