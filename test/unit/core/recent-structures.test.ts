import { expect } from 'chai';
import { RecentStructures } from '../../../core/changes/recent-structures.ts';
import type { Structure } from '../../../core/model/workspace/structure.ts';
import { newTeam } from '../../fixtures/team.ts';

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
});
