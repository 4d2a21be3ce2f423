import { expect } from 'chai';
import type { ReadTransaction } from '../../../../core/ports/store.ts';
import { trashedPaths } from '../../../../core/trash/paths.ts';
import { newTrashTeam } from '../../../fixtures/suite/trash-team.ts';

const PAGES = 1_200;
const AT_ONCE = 500;

describe('the paths of very many pages in the trash', () => {
  it('are read 500 pages at a time, with a step before each', async () => {
    const team = await newTrashTeam();
    const top = await team.page('Top');
    const pages: string[] = [];
    for (let n = 0; n < PAGES; n += 1) pages.push(await team.page(`p${n}`, top));
    await team.owner.pages.delete({ ...team.at, pageId: top });
    await team.world.store.read(async (tx) => {
      const structure = (await tx.structures.get(team.at.workspaceId))!;
      const asked: number[] = [];
      const steps: number[] = [];
      const trash: ReadTransaction['trash'] = Object.create(tx.trash, {
        many: {
          value: (workspaceId: string, ids: readonly string[]) => {
            asked.push(ids.length);
            return tx.trash.many(workspaceId, ids);
          },
        },
      });
      const watched: ReadTransaction = Object.create(tx, { trash: { value: trash } });
      const step = (units = 1) => {
        steps.push(units);
        return null;
      };
      const paths = await trashedPaths(watched, structure, pages, { step });
      expect(paths.size).to.equal(PAGES + 1);
      expect(asked.reduce((sum, count) => sum + count, 0)).to.equal(PAGES + 1);
      expect(Math.max(...asked)).to.equal(AT_ONCE);
      expect(steps).to.have.length.at.least(asked.length);
    });
  });
});
