import { expect } from 'chai';
import { createEngine } from '../../../core/engine.ts';
import { newTeam } from '../../fixtures/team.ts';
import { personOf } from '../../fixtures/world.ts';

const TASKS = 20;
const REVISIONS = 10;

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

    let steps = 0;
    /** Look-ups of pages since the last step, and the most between two. */
    let [looks, most] = [0, 0];
    const step = () => {
      steps += 1;
      most = Math.max(most, looks);
      looks = 0;
      return null;
    };
    const engine = createEngine({ ...world.ports, yielder: () => ({ step }) });
    const [ada, ben] = [personOf(engine, owner.userId, 'Ada'), personOf(engine, member.userId, 'Ben')];
    let since = '';
    await ben.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    const counted = async () => {
      const structure = (await world.store.read((tx) => tx.structures.get(at.workspaceId)))!;
      const page = structure.page.bind(structure);
      structure.page = (id) => {
        looks += 1;
        return page(id);
      };
    };
    for (let n = 0; n < REVISIONS; n += 1) {
      await ada.access.grant({ ...at, pageId: folder, memberId: guest.memberId, access: n % 2 === 0 ? 100 : 200 });
      await counted();
    }
    for (const taskId of taskIds) await ada.tasks.update({ ...at, taskId, boardId: hidden.id });
    await ada.access.grant({ ...at, pageId: folder, memberId: member.memberId, access: 300 });
    await counted();

    [steps, looks, most] = [0, 0, 0];
    const { items } = await ben.changes.list({ ...at, since, limit: 500 });
    step();
    expect(items.map(({ type }) => type)).to.deep.equal(['page.show']);
    expect(steps).to.be.at.least(TASKS);
    // Board and folder, in each of these structures: looked at once, not again for each task.
    expect(most)
      .to.be.at.least(REVISIONS)
      .and.at.most(6 * REVISIONS);
  });
});
