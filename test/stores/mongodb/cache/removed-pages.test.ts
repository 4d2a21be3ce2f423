import { expect } from 'chai';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { rawDatabase } from '../../../fixtures/mongodb/mongodb.ts';
import { twoProcesses } from './two-processes.ts';

/** Removing a page marks it alone. A process that knows an older structure must find out about all below it. */
describe('pages removed by another process', function () {
  this.timeout(60_000);
  const operator = { caller: { kind: 'operator' } } as const;
  const processes = twoProcesses('removed', 0);

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
