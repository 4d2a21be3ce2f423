import { expect } from 'chai';
import type { Session } from '../../../../core/session.ts';
import type { TransferRecord } from '../../../../core/index.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld, personOf } from '../../../fixtures/world/world.ts';
import { exportedRecords, imported, textOf } from '../../transfer/exported.ts';

const TASKS = 300;
/** More of them than one, so that a wrong order is not right by chance. */
const TIED = 6;

type At = { readonly workspaceId: string };

async function titlesOf(session: Session, at: At, boardId: string): Promise<readonly string[]> {
  const { items } = await session.tasks.list({ ...at, boardId: [boardId], sort: ['position'], limit: 500 });
  return items.map(({ title }) => title);
}

async function childrenOf(session: Session, at: At, parentId: string): Promise<readonly string[]> {
  const below = (await session.pages.list(at)).filter((page) => page.parentId === parentId);
  return below.toSorted((a, b) => a.orderIndex - b.orderIndex).map(({ name }) => name);
}

/** The owner of a workspace with a board of 300 tasks and a folder of six, brought from a file with other keys. */
async function withKeys(keyOfTask: (n: number) => number) {
  const { owner, at, world, board, page } = await newTeam();
  const { id: boardId } = await board('Board');
  const folder = await page('Folder');
  for (let n = 0; n < TIED; n += 1) await page(`Page ${n}`, folder);
  const tasks = Array.from({ length: TASKS }, (_, n) => ({ boardId, title: `Task ${n}` }));
  await owner.tasks.createMany({ ...at, tasks });
  let n = 0;
  const changed = ({ ...one }: TransferRecord): TransferRecord => {
    if (one.kind === 'task') return { ...one, record: { ...one.record, statusOrderKey: keyOfTask((n += 1)) } };
    return one.kind === 'page' ? { ...one, record: { ...one.record, orderKey: 5 } } : one;
  };
  const there = newWorld();
  await imported(there, await textOf((await exportedRecords(world, at.workspaceId)).map(changed)));
  return { session: personOf(there.engine, owner.userId, 'Owner'), at, boardId, folder, there };
}

describe('the order of a copy', () => {
  it('is that of its source where pages have the same key', async () => {
    const { session, at, folder } = await withKeys((n) => n * 1024);
    const { id } = await session.pages.copy({ ...at, pageId: folder });
    expect(await childrenOf(session, at, id)).to.deep.equal(await childrenOf(session, at, folder));
  });

  it('is that of its source where columns have the same key, also when the copy changes', async () => {
    const { owner, at } = await newTeam();
    for (const orderKey of [0, 2 ** 52]) {
      const { id: boardId } = await owner.boards.create({ ...at, name: 'Board' });
      const names = Array.from({ length: TIED }, (_, n) => `Status ${n}`);
      for (const name of names) await owner.statuses.create({ ...at, boardId, name, orderKey });
      const { id } = await owner.boards.copy({ ...at, boardId });
      await owner.statuses.create({ ...at, boardId: id, name: 'First', orderKey: -(2 ** 52) });
      const { statuses } = await owner.boards.get({ ...at, boardId: id });
      expect(statuses.map(({ name }) => name)).to.deep.equal(['First', ...names]);
    }
  });

  const columns: readonly (readonly [string, (n: number) => number])[] = [
    ['adjacent', (n) => n],
    ['adjacent at the end of their range', (n) => 2 ** 52 - TASKS + n],
    ['adjacent, the latest task first', (n) => TASKS - n],
  ];
  for (const [what, keyOfTask] of columns) {
    it(`is that of its source where more keys than usual are ${what}`, async () => {
      const { session, at, boardId, there } = await withKeys(keyOfTask);
      const { id } = await session.boards.copy({ ...at, boardId, tasks: true });
      expect(await titlesOf(session, at, id)).to.deep.equal(await titlesOf(session, at, boardId));
      expect((await there.operator.doctor.check()).findings).to.deep.equal([]);
    });
  }
});
