import { expect } from 'chai';
import { setKeepChanges } from '../../../../core/service/keep-changes.ts';
import { sessionOf } from '../../../../core/session.ts';
import { storeTrashSeconds } from '../../../../core/trash/retention.ts';
import { outcome } from '../../../fixtures/world/world.ts';
import { twoProcesses } from './two-processes.ts';

/** Guards go by settings of a moment ago; who shows or changes settings goes by those of now. */
describe('settings that another process has changed a moment ago', function () {
  this.timeout(60_000);
  const processes = twoProcesses('settings');
  const operator = () => {
    const [one, other] = [processes.one, processes.other].map(({ engine }) => sessionOf(engine, { kind: 'operator' }));
    return { one: one!, other: other! };
  };

  it('are shown', async () => {
    const { one, other } = operator();
    await other.quotas.get();
    const set = await one.quotas.update({ tasks: 7 });
    expect(await other.quotas.get()).to.deep.equal(set);
  });

  it('stay when others are changed', async () => {
    const { one, other } = operator();
    await other.quotas.get();
    await one.quotas.update({ tasks: 7 });
    await other.quotas.update({ boards: 8 });
    await setKeepChanges(processes.one.ports, { count: 1_000 });
    await storeTrashSeconds(processes.other.store, 60);
    await one.quotas.update({ pages: 9 });
    const settings = await processes.one.store.read((tx) => tx.settings.get({ latest: true }));
    expect(settings).to.deep.include({
      quotas: { tasks: 7, boards: 8, pages: 9 },
      keepChanges: { count: 1_000 },
      trashSeconds: 60,
    });
    const { items } = await one.audit.service({});
    expect(items.map(({ before }) => before)).to.deep.equal([{ pages: null }, { boards: null }, { tasks: null }]);
  });

  it('are set back', async () => {
    const { one, other } = operator();
    await other.quotas.update({ tasks: 7 });
    await other.quotas.get();
    await one.quotas.update({ tasks: 8 });
    expect((await other.quotas.update({ tasks: 7 })).tasks).to.equal(7);
    expect((await one.quotas.get()).tasks).to.equal(7);
  });

  it('have another version', async () => {
    const { one, other } = operator();
    const { version } = await one.quotas.update({ tasks: 7 });
    expect((await other.quotas.get()).version).to.equal(version);
    await one.quotas.update({ tasks: 8 });
    expect(await outcome(other.quotas.update({ boards: 9 }, { ifVersion: [version] }))).to.equal('version-mismatch');
  });
});
