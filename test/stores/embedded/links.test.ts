import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createEspalier } from '../../../adapters/service/index.ts';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { bundled } from '../../fixtures/process/bundled.ts';

const script = bundled(new URL('./linker.main.js', import.meta.url));
const PAIRS = 40;

describe('links that two processes make on one file', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();

  it('never close a cycle together: of each two that would, one is made', async () => {
    const path = join(folder, 'links.db');
    const espalier = createEspalier({ store: embeddedStore({ path }) });
    const user = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const ada = espalier.as(user);
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev' });
    await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
    const drafts = Array.from({ length: 2 * PAIRS }, (_, i) => ({ boardId, title: `Task ${i}` }));
    const ids = (await ada.tasks.createMany({ workspaceId, tasks: drafts })).map(({ id }) => id);
    const linked = async (order: readonly string[]) => {
      const { stdout } = await promisify(execFile)(process.execPath, [script(), path, user.id, workspaceId, ...order]);
      return stdout.trim().split('\n');
    };
    const pairs = Array.from({ length: PAIRS }, (_, i) => [ids[2 * i]!, ids[2 * i + 1]!] as const);
    const [there, back] = await Promise.all([
      linked(pairs.flat()),
      linked(pairs.toReversed().flatMap(([a, b]) => [b, a])),
    ]);
    const both = there.map((one, i) => [one, back.at(-1 - i)!].toSorted());
    expect(both).to.deep.equal(pairs.map(() => ['link-cycle', 'ok']));
    expect((await espalier.engine.doctor.check({ caller: { kind: 'operator' } })).findings).to.deep.equal([]);
    await espalier.close();
  });
});
