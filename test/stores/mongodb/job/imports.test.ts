import { Readable } from 'node:stream';
import { expect } from 'chai';
import { v7 } from 'uuid';
import type { TransferRecord } from '../../../../core/index.ts';
import { imports } from '../../../fixtures/suite/imports.ts';
import { emptyMongodbStore, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';
import { newWorld, outcome } from '../../../fixtures/world/world.ts';
import { acme, exportedRecords } from '../../../unit/transfer/exported.ts';

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
});
