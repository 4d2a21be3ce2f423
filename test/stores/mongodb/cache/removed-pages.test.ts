import { expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { rawDatabase } from '../../../fixtures/mongodb/mongodb.ts';
import { DAY, personOf } from '../../../fixtures/world/world.ts';
import { twoProcesses } from './two-processes.ts';

/** Removing a page marks it alone. A process that knows an older structure must find out about all below it. */
describe('pages removed by another process', function () {
  this.timeout(60_000);
  const operator = { caller: { kind: 'operator' } } as const;
  const processes = twoProcesses('removed', 0);

  it('are there again with all below them, once that process has restored them', async () => {
    const { id: userId } = await processes.one.engine.users.create(operator, { name: 'Ada', email: 'ada@example.org' });
    const ada = personOf(createEngine({ ...processes.one.ports, keepTrash: DAY }), userId, 'Ada');
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const folder = async (name: string, parentId: string | null) =>
      (await ada.pages.create({ workspaceId, name, type: 'folder', parentId })).id;
    const top = await folder('Top', null);
    await folder('Below', await folder('Middle', top));
    const listed = async () =>
      (await processes.other.as(userId).pages.list({ workspaceId })).map(({ name }) => name).toSorted();
    const before = await listed();
    expect(before).to.deep.equal(['Below', 'Middle', 'Top']);
    await ada.pages.delete({ workspaceId, pageId: top });
    expect(await listed()).to.deep.equal([]);
    await ada.trash.restore({ workspaceId, trashId: top });
    expect(await listed()).to.deep.equal(before);
  });

  for (const swept of [false, true]) {
    it(`are gone with all below them, ${swept ? 'swept already' : 'before it is swept'}`, async () => {
      const { id: userId } = await processes.one.engine.users.create(operator, {
        name: 'Ada',
        email: 'ada@example.org',
      });
      const [ada, again] = [processes.one.as(userId), processes.other.as(userId)];
      const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
      const folder = async (name: string, parentId: string | null = null) =>
        (await ada.pages.create({ workspaceId, name, type: 'folder', ...(parentId === null ? {} : { parentId }) })).id;
      const listed = async () => (await again.pages.list({ workspaceId })).map(({ name }) => name).toSorted();
      const top = await folder('Top');
      await folder('Below', await folder('Middle', top));
      await folder('Stays');
      const moved = await folder('Moved');
      await folder('With it', moved);
      const saved = await folder('Saved', top);
      expect((await listed()).length).to.equal(7);

      await ada.pages.update({ workspaceId, pageId: moved, parentId: top });
      await ada.pages.update({ workspaceId, pageId: saved, parentId: null });
      await folder('New', moved);
      await ada.pages.delete({ workspaceId, pageId: top });
      const pages = (await rawDatabase('removed')).collection('pages');
      const marked = () => pages.countDocuments({ removedAt: { $exists: true } });
      expect(await marked()).to.equal(1);
      if (swept) {
        await finishJobs(processes.one.ports);
        expect(await marked()).to.equal(6);
      }
      expect(await listed()).to.deep.equal(['Saved', 'Stays']);
      expect((await again.pages.list({ workspaceId })).length).to.deep.equal(
        (await ada.pages.list({ workspaceId })).length,
      );
      expect((await processes.other.engine.doctor.check(operator)).findings).to.deep.equal([]);
    });
  }
});
