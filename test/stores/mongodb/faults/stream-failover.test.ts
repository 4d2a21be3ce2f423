import { assert, expect } from 'chai';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import { eventually } from '../../../fixtures/mongodb/mongod.ts';
import { ownReplicaSet } from '../../../fixtures/mongodb/own-replica-set.ts';

/** How often the primary is killed. */
const ROUNDS = Number(process.env['ESPALIER_FAILOVERS'] ?? 1);
/** Tasks that are made before the primary is killed, and again after it. */
const TASKS = 20;
const WATCHERS = 4;

describe('streams of changes while the primary is killed', function () {
  this.timeout(60_000 + ROUNDS * 60_000);
  const cluster = ownReplicaSet();

  it(`tell every acknowledged task once, whichever process wrote it, ${ROUNDS} times`, async () => {
    const { set } = cluster;
    const first = cluster.open();
    const processes = [first, cluster.open()];
    const { id: userId } = await first.users.create({ name: 'Ada', email: 'ada@example.org' });
    const [one] = processes.map((espalier) => espalier.as(userId));
    const { id: workspaceId } = await one!.workspaces.create({ name: 'Acme' });
    const { id: boardId } = await one!.boards.create({ workspaceId, name: 'Board' });
    await one!.statuses.create({ workspaceId, boardId, name: 'To do' });
    let since = '';
    await one!.workspaces.get({ workspaceId }, { onCursor: (now) => void (since = now) });

    const stop = new AbortController();
    const told: string[][] = [];
    const watching = Array.from({ length: WATCHERS }, async (_, n) => {
      const ids: string[] = [];
      told.push(ids);
      const reader = processes[n % processes.length]!.as(userId);
      for await (const event of reader.changes.watch({ workspaceId, since, kind: ['task'], signal: stop.signal })) {
        if (event.type === 'task.create') ids.push(event.id!);
      }
    });

    const acknowledged: string[] = [];
    const writers = processes.map(async (espalier) => {
      const writer = espalier.as(userId);
      while (!stop.signal.aborted) {
        try {
          acknowledged.push((await writer.tasks.create({ workspaceId, boardId, title: 'Task' })).id);
        } catch (error) {
          // The outcome is unknown.
          if (!(error instanceof EspalierError && error.code.startsWith('store-'))) throw error;
        }
      }
    });
    const more = async () => {
      const target = acknowledged.length + TASKS;
      await eventually(async () => assert(acknowledged.length >= target), 60_000);
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      await more();
      const primary = await set.primary();
      await primary.stop('SIGKILL');
      await more();
      await primary.start();
      await set.settled();
    }
    const all = [...acknowledged];
    for (const ids of told) {
      await eventually(async () => assert(all.every((id) => ids.includes(id))), 60_000);
    }
    stop.abort();
    await Promise.all([...watching, ...writers]);
    for (const ids of told) expect(new Set(ids).size).to.equal(ids.length);
  });
});
