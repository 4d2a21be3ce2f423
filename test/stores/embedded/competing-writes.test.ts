import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createEspalier } from '../../../adapters/service/index.ts';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { compete, EXTERNAL_IDS, KEYS, type Told } from './competing-writes.ts';
import { bundled } from '../../fixtures/process/bundled.ts';

const script = bundled(new URL('./competitor.main.js', import.meta.url));

describe('writes of two processes with eight clients each, which commit in groups by turns', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();

  it('take an external id once, an idempotency key once, and no running number twice', async () => {
    const path = join(folder, 'competing.db');
    const espalier = createEspalier({ store: embeddedStore({ path }) });
    const { id: userId } = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const ada = espalier.as({ id: userId });
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev' });
    await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
    const other = async (): Promise<Told> => {
      const { stdout } = await promisify(execFile)(process.execPath, [script(), path, userId, workspaceId, boardId]);
      return JSON.parse(stdout) as Told;
    };
    const told = await Promise.all([other(), compete(espalier, { userId, workspaceId, boardId })]);

    const created = told.flatMap((each) => each.created);
    expect(created.toSorted()).to.deep.equal(EXTERNAL_IDS.toSorted());
    expect([...new Set(told.flatMap((each) => each.refused))]).to.deep.equal(['external-id-taken']);

    const answers = new Set(told.flatMap((each) => each.keyed).map(([key, id]) => `${key} ${id}`));
    expect(answers.size).to.equal(KEYS.length);

    const { items } = await ada.tasks.list({ workspaceId, limit: 500, sort: ['num'] });
    const nums = items.map(({ num }) => num);
    expect(nums).to.deep.equal(Array.from({ length: EXTERNAL_IDS.length + KEYS.length }, (_, i) => i + 1));
    expect((await espalier.engine.doctor.check({ caller: { kind: 'operator' } })).findings).to.deep.equal([]);
    await espalier.close();
  });
});
