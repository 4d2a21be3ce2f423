import { assert, expect } from 'chai';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mongodbStore } from '../../../../adapters/store-mongodb/index.ts';
import { createEngine } from '../../../../core/engine.ts';
import { explain } from '../../../proofs/history/check.ts';
import type { Operation } from '../../../proofs/history/operation.ts';
import { recorder } from '../../../proofs/history/record.ts';
import { eventually } from '../../../fixtures/mongodb/mongod.ts';
import { ownReplicaSet } from '../../../fixtures/mongodb/own-replica-set.ts';
import { realPorts } from '../service.ts';
import { bareWrite } from './bare-write.ts';
import { FAULTS } from './fault.ts';
import type { Orders, Report } from './worker.ts';
import { bundled } from '../../../fixtures/process/bundled.ts';

/** ESPALIER_FAULTS: how many, in turn. The first four make the usual run. ESPALIER_FAULT: of one kind only. */
const COUNT = Number(process.env['ESPALIER_FAULTS'] ?? 4);
const ONLY = process.env['ESPALIER_FAULT'];
const KINDS = FAULTS.filter(([name]) => ONLY === undefined || name === ONLY);
/** In ms. It may take as long as the bare driver takes for a write, and this much longer. */
const BACK_WITHIN = 15_000;
const LONGER = 1_000;
const script = bundled(new URL('worker.js', import.meta.url));

describe('faults under load', function () {
  this.timeout(60_000 + COUNT * 60_000);
  const cluster = ownReplicaSet();
  const workers: ChildProcess[] = [];

  afterEach(() => {
    for (const worker of workers) worker.kill('SIGKILL');
  });

  it('lose and double nothing that was acknowledged, and the service is back in time', async () => {
    const { set } = cluster;
    const { url } = set;
    const store = mongodbStore({ url });
    const history: Operation[] = [];
    const main = recorder(store, 'main', history);
    const prepare = async (by: string | null, noun: string, verb: string, input: Record<string, unknown>) => {
      const answer = await main.perform({ userId: by, noun, verb, input });
      assert('value' in answer);
      return (answer.value as { id: string }).id;
    };
    const userId = await prepare(null, 'users', 'create', { name: 'Ada', email: 'ada@example.org' });
    const workspaceId = await prepare(userId, 'workspaces', 'create', { name: 'Acme' });
    const boardId = await prepare(userId, 'boards', 'create', { workspaceId, name: 'Kanban' });
    await prepare(userId, 'statuses', 'create', { workspaceId, boardId, name: 'Open' });

    const made: Extract<Report, { kind: 'made' }>[] = [];
    const refused: Extract<Report, { kind: 'refused' }>[] = [];
    let reads = 0;
    const ended = ['a', 'b'].map((name) => {
      const worker = fork(script());
      workers.push(worker);
      worker.on('message', (report: Report) => {
        if (report.kind === 'made') made.push(report);
        else if (report.kind === 'refused') refused.push(report);
        else if (report.kind === 'read') reads += 1;
        else history.push(...report.history);
      });
      worker.send({ url, userId, workspaceId, boardId, name, clients: 4 } satisfies Orders);
      return once(worker, 'exit');
    });
    const more = async (count: number) => {
      const target = made.length + count;
      await eventually(async () => assert(made.length >= target, `${made.length} of ${target}`), 60_000);
    };
    const moreReads = async () => {
      // One may be on its way that was asked for before.
      const target = reads + 3;
      await eventually(async () => assert(reads >= target), 60_000);
    };
    await more(50);

    const outages: string[] = [];
    for (let i = 0; i < COUNT; i += 1) {
      const [name, fault] = KINDS[i % KINDS.length] as (typeof FAULTS)[number];
      let at = 0;
      let bare: Promise<number> = Promise.resolve(0);
      await fault(
        set,
        () => {
          at = Date.now();
          bare = bareWrite(url).then(() => Date.now() - at);
        },
        async () => {
          const since = (what: Promise<void>) => what.then(() => Date.now() - at);
          const [reading, writing] = await Promise.all([since(moreReads()), since(more(1))]);
          const possible = await bare;
          outages.push(`${name} ${reading}/${writing} ms (${possible})`);
          const bound = Math.max(BACK_WITHIN, possible + LONGER);
          for (const back of [reading, writing]) {
            assert(back < bound, `${name}: back after ${reading}/${writing} ms, possible after ${possible} ms`);
          }
          await more(30);
        },
      );
      await set.settled();
    }

    for (const worker of workers) worker.send('stop');
    await Promise.all(ended);
    expect(refused.filter(({ code }) => !['store-unavailable', 'store-busy'].includes(code))).to.deep.equal([]);
    const { findings } = await createEngine(realPorts(store)).doctor.check({ caller: { kind: 'operator' } });
    expect(findings).to.deep.equal([]);
    const tasks = await store.read((tx) =>
      tx.tasks.find({
        workspaceId,
        scope: null,
        filters: [],
        sort: [{ field: 'num', descending: false }],
        after: null,
        limit: 1_000_000,
      }),
    );
    await main.perform({ userId, noun: 'tasks', verb: 'list', input: { workspaceId, limit: 500, sort: ['-num'] } });
    await store.close();
    const byTitle = new Map(tasks.map((task) => [task.title, task]));
    expect(byTitle.size, 'a task was made twice').to.equal(tasks.length);
    expect(new Set(tasks.map(({ num }) => num)).size, 'a running number was given twice').to.equal(tasks.length);
    for (const { title, num, before } of made) {
      expect(byTitle.get(title)?.num, `${title} was acknowledged and is lost`).to.equal(num);
      assert(num > before, `${title} has a smaller number than one acknowledged before`);
    }
    const { runs } = await explain(history);
    const made_ = `${made.length} made, ${refused.length} refused, ${tasks.length - made.length} unknown, ${reads} reads`;
    console.log(`      ${made_}; ${history.length} calls in one order, found in ${runs} steps`);
    console.log(`      back after, reads/writes (the bare driver): ${outages.join(', ')}`);
  });
});
