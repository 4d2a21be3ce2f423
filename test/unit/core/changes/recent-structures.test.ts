import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { RecentStructures } from '../../../../core/changes/recent-structures.ts';
import type { Structure } from '../../../../core/model/workspace/structure.ts';
import { newTeam } from '../../../fixtures/world/team.ts';

describe('the cache of recent structures', () => {
  it('evicts nothing that was read for what is written', async () => {
    const { world, workspaceId } = await newTeam();
    const structure = (await world.ports.store.read((tx) => tx.structures.get(workspaceId)))!;
    const at = (revision: number): Structure =>
      Object.create(structure, { revision: { value: revision } }) as Structure;
    const recent = new RecentStructures(800, 800);
    recent.add(at(1));
    for (let revision = 2; revision < 10; revision += 1) recent.addWritten(at(revision));
    const kept = [1, 2, 7, 8, 9].filter((revision) => recent.get(workspaceId, revision) !== undefined);
    expect(kept).to.deep.equal([1, 8, 9]);
  });

  it('has those that a job makes, so that its readers need not read everything again', async () => {
    const espalier = createEspalier({ store: memoryStore(), keepTrash: 0 });
    const { id: userId } = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const ada = espalier.as(userId);
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const at = { workspaceId };
    const { id: boardId } = await ada.boards.create({ ...at, name: 'Dev' });
    await ada.statuses.create({ ...at, boardId, name: 'To do' });
    const folder = async () => (await ada.pages.create({ ...at, name: 'Folder', type: 'folder' })).id;
    const [pageId, parentId] = [await folder(), await folder()];
    const { id: taskId } = await ada.tasks.create({ ...at, boardId, title: 'Task' });
    await ada.pages.create({ ...at, name: 'Task', type: 'task', taskId, parentId });
    let since = '';
    await ada.pages.list(at, { onCursor: (seen) => (since = seen) });
    await ada.access.changeSettings({ ...at, pageId, inherit: false, defaultAccess: 100 });
    // The job that removes what is left of it changes the structure once more.
    await ada.pages.delete({ ...at, pageId: parentId });
    await espalier.idle();
    await ada.access.changeSettings({ ...at, pageId, inherit: false, defaultAccess: 300 });
    const { items } = await ada.changes.list({ ...at, since });
    expect(items.map(({ type }) => type)).to.deep.equal(['page.delete', 'page.update']);
    await espalier.close();
  });
});
