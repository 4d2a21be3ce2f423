import { expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { personOf } from '../../../fixtures/world/world.ts';

const TASKS = 20;
const REVISIONS = 10;
const DEPTH = 20;
const PAGES = 100;

/** Counts look-ups of pages, and the most of them between two steps of an engine's work. */
class Looks {
  steps = 0;
  most = 0;
  #since = 0;

  readonly step = (): null => {
    this.steps += 1;
    this.most = Math.max(this.most, this.#since);
    this.#since = 0;
    return null;
  };

  reset(): void {
    [this.steps, this.most, this.#since] = [0, 0, 0];
  }

  /** Counts those in the structure that the workspace has now. */
  async watch(store: Store, workspaceId: string): Promise<void> {
    const structure = (await store.read((tx) => tx.structures.get(workspaceId)))!;
    const page = structure.page.bind(structure);
    structure.page = (id) => {
      this.#since += 1;
      return page(id);
    };
  }
}

describe('what many changes mean to a reader', () => {
  it('is computed in steps, each of which looks at one page in the structures between', async () => {
    const team = await newTeam();
    const { at, owner, member, guest, world, grant } = team;
    const folder = await team.page('Folder');
    const board = await team.board('Board', folder);
    const hidden = await team.board('Hidden');
    await grant(hidden.id, member, 0);
    const taskIds = [];
    for (let n = 0; n < TASKS; n += 1) taskIds.push(await team.task(board.id, `Task ${n}`));
    await grant(folder, member, 0);

    const looks = new Looks();
    const engine = createEngine({ ...world.ports, yielder: () => looks });
    const [ada, ben] = [personOf(engine, owner.userId, 'Ada'), personOf(engine, member.userId, 'Ben')];
    let since = '';
    await ben.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    for (let n = 0; n < REVISIONS; n += 1) {
      await ada.access.grant({ ...at, pageId: folder, memberId: guest.memberId, access: n % 2 === 0 ? 100 : 200 });
      await looks.watch(world.store, at.workspaceId);
    }
    for (const taskId of taskIds) await ada.tasks.update({ ...at, taskId, boardId: hidden.id });
    await ada.access.grant({ ...at, pageId: folder, memberId: member.memberId, access: 300 });
    await looks.watch(world.store, at.workspaceId);

    looks.reset();
    const { items } = await ben.changes.list({ ...at, since, limit: 500 });
    looks.step();
    expect(items.map(({ type }) => type)).to.deep.equal(['page.show']);
    expect(looks.steps).to.be.at.least(TASKS);
    // Board and folder, in each of these structures: looked at once, not again for each task.
    expect(looks.most)
      .to.be.at.least(REVISIONS)
      .and.at.most(6 * REVISIONS);
  });

  it('is computed page by page where the access to many has changed', async () => {
    const { at, member, world, page, grant } = await newTeam();
    let above = await page('Above');
    for (let n = 1; n < DEPTH; n += 1) above = await page(`Above ${n}`, above);
    const folder = await page('Folder', above);
    for (let n = 0; n < PAGES; n += 1) await page(`Page ${n}`, folder);
    const looks = new Looks();
    const engine = createEngine({ ...world.ports, yielder: () => looks });
    const ben = personOf(engine, member.userId, 'Ben');
    let since = '';
    await ben.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    await looks.watch(world.store, at.workspaceId);
    await grant(folder, member, 0);
    await looks.watch(world.store, at.workspaceId);

    looks.reset();
    const { items } = await ben.changes.list({ ...at, since });
    looks.step();
    expect(items.map(({ type }) => type)).to.deep.equal(['page.hide']);
    // A page and those above it, in both structures.
    expect(looks.most)
      .to.be.at.least(DEPTH)
      .and.at.most(6 * DEPTH);
  });

  it('is logged in steps, each of which looks at one task', async () => {
    const { at, owner, world, board: newBoard, task } = await newTeam();
    const board = await newBoard('Board');
    const taskIds: string[] = [];
    for (let n = 0; n < TASKS; n += 1) taskIds.push(await task(board.id, `Task ${n}`));
    const looks = new Looks();
    const engine = createEngine({ ...world.ports, yielder: () => looks });
    const ada = personOf(engine, owner.userId, 'Ada');
    await looks.watch(world.store, at.workspaceId);
    await ada.tasks.updateMany({ ...at, taskIds, set: { priority: 300 } });
    looks.step();
    expect(looks.most).to.be.within(1, TASKS / 2);
  });
});
