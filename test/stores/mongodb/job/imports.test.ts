import { Readable } from 'node:stream';
import { expect } from 'chai';
import { v7 } from 'uuid';
import type { TransferRecord } from '../../../../core/index.ts';
import { imports } from '../../../fixtures/suite/imports.ts';
import { emptyMongodbStore, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';
import { newWorld, outcome } from '../../../fixtures/world/world.ts';
import { acme, exportedRecords } from '../../../unit/transfer/exported.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

describe('imports of large workspaces, on MongoDB', function () {
  this.timeout(120_000);

  before(async function () {
    await mongodbUrl(this);
  });

  imports(() => emptyMongodbStore('imports'));

  it('take nothing from another workspace whose records have the same ids', async () => {
    const world = newWorld(await emptyMongodbStore('imports'));
    const { workspaceId, ada } = await acme(world, 3);
    const of = async () => [await ada.pages.list({ workspaceId }), await ada.members.list({ workspaceId })];
    const before = await of();
    const records = JSON.stringify(await exportedRecords(world, workspaceId));
    const other = records.replaceAll(workspaceId, v7()).replace('"alias":"acme"', '"alias":"other"');
    for (const kinds of [['page'], ['member']]) {
      const some = (JSON.parse(other) as TransferRecord[]).filter(({ kind }) =>
        ['workspace', 'user', 'member', ...kinds].includes(kind),
      );
      const importing = world.operator.imports.workspace({ records: Readable.from(some) });
      expect(await outcome(importing)).to.equal('workspace-exists');
      await world.purge();
    }
    expect(await of()).to.deep.equal(before);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
    await world.store.close();
  });

  for (const kind of ['task', 'comment', 'checklistItem', 'invitation'] as const) {
    it(`are refused for good where one ${kind} has the id of another in another workspace`, async () => {
      const world = newWorld(await emptyMongodbStore('imports'));
      const { workspaceId, boardId, ada } = await acme(world, 1);
      const { id: taskId } = await ada.tasks.create({ workspaceId, boardId, title: 'Greet everybody' });
      const of = { workspaceId, taskId };
      await ada.comments.create({ ...of, content: 'Hello' });
      await ada.checklists.create({ ...of, text: 'Greet' });
      const before = await ada.tasks.get(of);
      const records = await exportedRecords(world, workspaceId);
      const kept = records.filter((one) => one.kind === kind || one.kind === 'user');
      const ids = new Map(kept.map(({ record }) => [record.id, record.id]));
      const other = JSON.stringify(records)
        .replace('"alias":"acme"', '"alias":"other"')
        .replace(UUID, (id) => ids.get(id) ?? ids.set(id, v7()).get(id)!);
      const importing = world.operator.imports.workspace({ records: Readable.from(JSON.parse(other) as object[]) });
      expect(await outcome(importing)).to.equal('workspace-exists');
      expect(await ada.tasks.get(of)).to.deep.equal(before);
      await world.store.close();
    });
  }
});
