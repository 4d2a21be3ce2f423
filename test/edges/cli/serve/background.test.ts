import { expect } from 'chai';
import { join } from 'node:path';
import { openStore } from '../../../../adapters/service/index.ts';
import { sessionOf } from '../../../../core/session.ts';
import type { Job } from '../../../../core/model/job.ts';
import { startServe } from './serve-process.ts';
import { createEngine } from '../../../../core/engine.ts';
import { WatchedStore } from '../../../fixtures/store/watched-store.ts';
import { outcome } from '../../../fixtures/world/world.ts';
import { realPorts } from '../../../stores/mongodb/service.ts';
import { cliDirectory, type CliDirectory } from '../in-process.ts';

/** What the command line tells of work that goes on in the background. */
describe('background work on the command line', () => {
  let here: CliDirectory;

  beforeEach(async () => {
    here = await cliDirectory();
    here.env['ESPALIER_STORE'] = 'file:here.db';
  });

  afterEach(() => here.close());

  it('says of a column and a tag that they are being removed', async () => {
    await here.ok(['user', 'create', '--name', 'Ada', '--email', 'ada@example.org']);
    const store = new WatchedStore(await openStore(`file:${join(here.path, 'here.db')}`));
    const ports = realPorts(store);
    const engine = createEngine(ports);
    const [user] = (await sessionOf(engine, { kind: 'operator' }).users.list()).items;
    const ada = sessionOf(engine, { kind: 'user', userId: user!.id });
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Board' });
    const board = { workspaceId, boardId };
    const [todo, done] = [
      await ada.statuses.create({ ...board, name: 'Todo' }),
      await ada.statuses.create({ ...board, name: 'Done' }),
    ];
    const { id: tagId } = await ada.tags.create({ ...board, name: 'bug' });
    const tasks = Array.from({ length: 200 }, (_, n) => ({ boardId, title: `t${n}`, tags: [tagId] }));
    await ada.tasks.createMany({ workspaceId, tasks });
    // Ended behind the first commit of each.
    for (const begun of [
      () => ada.statuses.delete({ ...board, statusId: todo.id, moveTo: done.id }),
      () => ada.tags.delete({ ...board, tagId }),
    ]) {
      store.reach = 1;
      expect(await outcome(begun())).to.equal('store-unavailable');
      store.reach = Infinity;
    }
    // As if another process had claimed them: none from here on works on them.
    const far = new Date(Date.now() + 60_000).toISOString();
    await store.write(async (tx) => {
      for (const job of await tx.jobs.list('ofWorkspace', { workspaceId }, { limit: 9 }))
        await tx.jobs.replace({ ...job, notBefore: far });
    });
    await store.close();
    here.env['ESPALIER_AS'] = 'ada@example.org';
    const columns = await here.ok(['status', 'list', '--board', 'Board']);
    expect(columns.stdout.split('\n').filter((line) => line.includes('(being removed)')).length).to.equal(1);
    expect(columns.stdout).to.match(/Todo \(being removed\)/);
    expect((await here.ok(['tag', 'list', '--board', 'Board'])).stdout).to.match(/bug \(being removed\)/);
    expect((await here.ok(['board', 'show', 'Board'])).stdout).to.match(/Todo \(being removed\) \d+/);
    const json = (await here.ok(['tag', 'list', '--board', 'Board', '--json'])).json<{ beingRemoved: boolean }[]>();
    expect(json.map(({ beingRemoved }) => beingRemoved)).to.deep.equal([true]);
  });

  it('is named in the log of the service when it fails', async function () {
    this.timeout(60_000);
    const store = await openStore(`file:${join(here.path, 'here.db')}`);
    const { ids } = realPorts(store);
    const job = { id: ids.next(), workspaceId: ids.next(), kind: 'of a newer release', notBefore: null };
    await store.write((tx) => tx.jobs.insert(job as unknown as Job));
    await store.close();
    const service = startServe(here, '--port', '0');
    const logged = await service.line(({ msg }) => msg.startsWith('background job failed'));
    expect(logged).to.include({ job: job.kind, jobId: job.id, workspaceId: job.workspaceId });
    service.child.kill('SIGTERM');
    await service.done;
  });

  it('is logged without a stack when the store is out of reach, but with one for debugging', async () => {
    const store = 'mongodb://127.0.0.1:9/none?serverSelectionTimeoutMS=100';
    for (const [level, hasStack] of [
      ['info', false],
      ['debug', true],
    ] as const) {
      const { code, stderr } = await startServe(here, '--port', '0', '--store', store, '--log-level', level).done;
      expect([code, /^ *at /m.test(stderr.replaceAll('\\n', '\n'))], stderr).to.deep.equal([1, hasStack]);
      expect(stderr).to.include('"code":"store-unavailable"');
    }
  });
});
