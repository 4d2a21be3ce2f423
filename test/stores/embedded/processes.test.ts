import { assert, expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { needs, runs } from '../../fixtures/available.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { expectSound, preparedStore } from './crash/crashed-store.ts';
import { inspect } from './crash/inspect.ts';
import { WORKSPACE_ID } from './crash/workload.ts';
import { runWriter, writeOnce } from './crash/writer-process.ts';

/** ESPALIER_STEPS: changes that each of the 32 clients makes. */
const STEPS = Number(process.env['ESPALIER_STEPS'] ?? 40);

describe('an embedded store in four processes of eight clients each', function () {
  this.timeout(60_000 + STEPS * 200);
  const folder = temporaryFolder();

  it('loses no change, and everybody sees the changes of all', async () => {
    const path = await preparedStore(folder);
    const watching = embeddedStore({ path });
    try {
      const reports = await Promise.all(
        [1, 2, 3, 4].map((seed) => runWriter({ path, clients: 8, steps: STEPS, seed })),
      );
      for (const { acknowledged, errors, closed } of reports) {
        assert(closed);
        expect(errors).to.deep.equal([]);
        expect(acknowledged.length).to.equal(8 * STEPS);
      }
      const acknowledged = reports.flatMap((report) => report.acknowledged);
      await expectSound(path, acknowledged);
      const seen = await watching.read((tx) =>
        tx.changes.list('ofWorkspace', { workspaceId: WORKSPACE_ID }, { limit: acknowledged.length + 1 }),
      );
      expect(seen.length).to.equal(acknowledged.length);
    } finally {
      await watching.close();
    }
  });

  it('shows what another process wrote even when no turn of the event loop has passed', async () => {
    const path = await preparedStore(folder);
    const store = embeddedStore({ path });
    try {
      expect(
        await store.read((tx) => tx.changes.list('ofWorkspace', { workspaceId: WORKSPACE_ID }, { limit: 9 })),
      ).to.deep.equal([]);
      const id = writeOnce(path);
      const seen = await store.read((tx) =>
        tx.changes.list('ofWorkspace', { workspaceId: WORKSPACE_ID }, { limit: 9 }),
      );
      expect(seen.map((each) => each.id)).to.deep.equal([id]);
    } finally {
      await store.close();
    }
  });

  it('is found sound by a process that reads all the while', async () => {
    const path = await preparedStore(folder);
    const writing = { done: false };
    const writers = Promise.all([5, 6].map((seed) => runWriter({ path, clients: 8, steps: STEPS, seed }))).finally(
      () => {
        writing.done = true;
      },
    );
    const reading = embeddedStore({ path });
    try {
      while (!writing.done) {
        expect(await inspect(reading, [])).to.deep.equal([]);
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      await reading.close();
    }
    await writers;
  });

  it('is refused to a process of another container that has the id of one that reads', async function () {
    needs(this, 'unshare', runs('unshare', '--pid', '--fork', 'true'));
    const path = await preparedStore(folder);
    const module = new URL('../../../adapters/store-embedded/index.js', import.meta.url).href;
    const opening = (then: string) => {
      const script = `import(${JSON.stringify(module)}).then(async ({ embeddedStore }) => {
        const store = embeddedStore({ path: ${JSON.stringify(path)} });
        await store.ready();
        ${then}
      }).catch(({ code, cause }) => console.log(process.pid, code, cause === undefined));`;
      return ['--pid', '--fork', '--kill-child', process.execPath, '-e', script];
    };
    const holder = spawn('unshare', opening('console.log("open"); setInterval(() => {}, 1_000);'));
    try {
      await once(holder.stdout, 'data');
      const refused = spawnSync('unshare', opening('await store.close();'), { encoding: 'utf8' });
      expect(refused.stdout.trim()).to.equal('1 store-unavailable true');
    } finally {
      holder.kill('SIGKILL');
      await once(holder, 'close');
    }
  });
});
