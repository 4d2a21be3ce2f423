import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { RecentStructures } from '../../../../core/changes/recent-structures.ts';
import { createEngine } from '../../../../core/engine.ts';
import { JobRunner } from '../../../../core/jobs/runner.ts';
import type { Structure } from '../../../../core/model/workspace/structure.ts';
import { UndoingStore } from '../../../fixtures/store/undoing-store.ts';
import { type Colleague, newTeam, type Team } from '../../../fixtures/world/team.ts';
import { newWorld, personOf } from '../../../fixtures/world/world.ts';

/** The pages that a follower is told of. */
async function toldOf(who: Colleague, { at }: Team, since: string): Promise<readonly string[]> {
  const { items } = await who.changes.list({ ...at, since });
  return items.map(({ type, id }) => `${type} ${id}`);
}

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

  it('has that of the cursor of a write that leaves the structure as it is', async () => {
    const team = await newTeam();
    const { world, owner, at } = team;
    const board = await team.board('Board');
    const engine = createEngine({ ...world.ports, recentStructures: new RecentStructures() });
    const own = { ...owner, ...personOf(engine, owner.userId, 'Owner') };
    let since = '';
    await own.tasks.create({ ...at, boardId: board.id, title: 'Task' }, { onCursor: (seen) => (since = seen) });
    await team.grant(board.id, team.member, 100);
    expect(await toldOf(own, team, since)).to.deep.equal([`page.update ${board.id}`]);
  });

  it('has none of a write that is undone with others', async () => {
    const store = new UndoingStore(memoryStore());
    const team = await newTeam(newWorld(store));
    const { world, owner, at } = team;
    const engine = createEngine({ ...world.ports, recentStructures: new RecentStructures() });
    const own = { ...owner, ...personOf(engine, owner.userId, 'Owner') };
    const folder = (name: string) =>
      own.pages.create({ ...at, name, type: 'folder', parentId: null }, { onCursor: () => undefined });
    let since = '';
    // Another process makes a page meanwhile, with the revision that the first of them had.
    store.undoNext(2, async () => {
      await team.page('Other');
      await own.pages.list(at, { onCursor: (seen) => (since = seen) });
    });
    const made = await Promise.all([folder('one'), folder('two')]);
    expect(await toldOf(own, team, since)).to.deep.equal(made.map(({ id }) => `page.create ${id}`));
  });

  it('has none of a step of a job that is undone, where another process does the step', async () => {
    const store = new UndoingStore(memoryStore());
    const team = await newTeam(newWorld(store));
    const { world, owner, at } = team;
    const ports = { ...world.ports, recentStructures: new RecentStructures() };
    const runner = new JobRunner(ports);
    const jobs = { finish: async () => false, moveToBackground: () => undefined, step: async () => null };
    const own = { ...owner, ...personOf(createEngine({ ...ports, jobs }), owner.userId, 'Owner') };
    await own.pages.copy({ ...at, pageId: await team.page('Folder'), name: 'Copy' });
    let since = '';
    store.undoNext(1, async () => {
      await team.page('Other');
      await owner.pages.list(at, { onCursor: (seen) => (since = seen) });
      await world.purge();
    });
    await runner.step();
    // Nothing is known of what that process showed.
    expect(await toldOf(own, team, since)).to.deep.equal(['scope null']);
  });
});
