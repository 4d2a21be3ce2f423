import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { mongodbStore } from '../../../adapters/mongodb/index.ts';
import { createEngine } from '../../../core/engine.ts';
import { needs } from '../../support/available.ts';
import { eventually, type ReplicaSet, startReplicaSet } from '../../support/mongod.ts';
import { realPorts } from '../service.ts';
import { FAULTS } from './fault.ts';
import type { Orders, Report } from './worker.ts';

/** ESPALIER_FAULTS: how many, in turn. The first four make the usual run. ESPALIER_FAULT: of one kind only. */
const COUNT = Number(process.env['ESPALIER_FAULTS'] ?? 4);
const ONLY = process.env['ESPALIER_FAULT'];
const KINDS = FAULTS.filter(([name]) => ONLY === undefined || name === ONLY);
const BACK_WITHIN = 15_000;
const WORKER = fileURLToPath(new URL('worker.js', import.meta.url));

describe('faults under load', function () {
  this.timeout(60_000 + COUNT * 40_000);
  let set: ReplicaSet | null = null;
  const workers: ChildProcess[] = [];

  before(async function () {
    set = await startReplicaSet();
    needs(this, 'a mongod: set MONGOMS_SYSTEM_BINARY', set !== null);
  });

  after(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await set?.stop();
  });

  it('lose and double nothing that was acknowledged, and the service is back in time', async () => {
    const { url } = set as ReplicaSet;
    const store = mongodbStore({ url });
    const engine = createEngine(realPorts(store));
    const operator = { caller: { kind: 'operator' } } as const;
    const { id: userId } = await engine.users.create(operator, { name: 'Ada', email: 'ada@example.org' });
    const call = { caller: { kind: 'user', userId } } as const;
    const { id: workspaceId } = await engine.workspaces.create(call, { name: 'Acme' });
    const { id: boardId } = await engine.boards.create(call, { workspaceId, name: 'Kanban' });
    await engine.statuses.create(call, { workspaceId, boardId, name: 'Open' });

    const made: Extract<Report, { kind: 'made' }>[] = [];
    const refused: Extract<Report, { kind: 'refused' }>[] = [];
    const unexpected: string[] = [];
    const ended = ['a', 'b'].map((name) => {
      const worker = fork(WORKER);
      workers.push(worker);
      worker.on('message', (report: Report) => {
        if (report.kind === 'made') made.push(report);
        else if (report.kind === 'refused') refused.push(report);
        else unexpected.push(...report.unexpected);
      });
      worker.send({ url, userId, workspaceId, boardId, name, clients: 4 } satisfies Orders);
      return once(worker, 'exit');
    });
    const more = async (count: number) => {
      const target = made.length + count;
      await eventually(async () => assert(made.length >= target, `${made.length} of ${target}`), 60_000);
    };
    await more(50);

    const outages: string[] = [];
    for (let i = 0; i < COUNT; i += 1) {
      const [name, fault] = KINDS[i % KINDS.length] as (typeof FAULTS)[number];
      let at = 0;
      await fault(
        set as ReplicaSet,
        () => (at = Date.now()),
        async () => {
          await more(1);
          const outage = Date.now() - at;
          outages.push(`${name} ${outage} ms`);
          assert(outage < BACK_WITHIN, `${name}: ${outage} ms`);
          await more(30);
        },
      );
      await (set as ReplicaSet).settled();
    }

    for (const worker of workers) worker.send('stop');
    await Promise.all(ended);
    assert.deepEqual(unexpected, []);
    const { findings } = await engine.doctor.check(operator);
    assert.deepEqual(findings, []);
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
    await store.close();
    const byTitle = new Map(tasks.map((task) => [task.title, task]));
    assert.equal(byTitle.size, tasks.length, 'a task was made twice');
    assert.equal(new Set(tasks.map(({ num }) => num)).size, tasks.length, 'a running number was given twice');
    for (const { title, num, before } of made) {
      assert.equal(byTitle.get(title)?.num, num, `${title} was acknowledged and is lost`);
      assert(num > before, `${title} has a smaller number than one acknowledged before`);
    }
    const made_ = `${made.length} made, ${refused.length} refused, ${tasks.length - made.length} unknown`;
    console.log(`      ${made_}; out of service: ${outages.join(', ')}`);
  });
});
