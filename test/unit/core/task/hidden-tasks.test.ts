import { expect } from 'chai';
import { PREFIX } from '../../../../adapters/store-kv/engine/key-prefixes.ts';
import { countingKvStore } from '../../../fixtures/store/counting-kv-store.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld } from '../../../fixtures/world/world.ts';

const HIDDEN = 100;

const lookUps = (got: readonly string[]) => got.filter((prefix) => prefix === PREFIX.taskById).length;

describe('tasks that their own pages hide', () => {
  it('cost a list of another board nothing', async () => {
    const asked = { got: [] as string[], put: [] };
    const team = await newTeam(newWorld(countingKvStore(asked)));
    const { owner, admin, member, guest, at, grant } = team;
    const [first, second, third] = [await team.board('First'), await team.board('Second'), await team.board('Third')];
    const seen = [await team.task(second.id, 'one'), await team.pagedTask(second.id), await team.task(third.id, 'two')];
    for (let n = 0; n < HIDDEN; n += 1) {
      const pageId = await team.pagedTask(first.id);
      await owner.access.changeSettings({ ...at, pageId, inherit: false, defaultAccess: 0 });
      await grant(pageId, guest, 100);
    }
    const onSecond = seen.slice(0, 2);
    for (const who of [admin, member, guest]) {
      const isGuest = who === guest;
      const lists = [
        [{ boardId: [second.id] }, isGuest ? [] : onSecond],
        [{ boardId: [second.id, third.id] }, isGuest ? [] : seen],
        [{ boardId: [second.id], complete: true }, []],
      ] as const;
      for (const [filter, ids] of lists) {
        for (const sort of ['num', 'updatedAt', 'title', 'position'] as const) {
          await who.tasks.list({ ...at, ...filter, sort: [sort] });
          asked.got.length = 0;
          const { items, total } = await who.tasks.list({ ...at, ...filter, sort: [sort], count: true });
          expect(asked.got.length, `${who.name} ${sort}`).to.be.below(HIDDEN);
          expect(items.map(({ id }) => id)).to.have.members(ids);
          expect(total).to.equal(ids.length);
        }
      }
    }
  });

  it('are counted once of their own board, until one of them has moved', async () => {
    const asked = { got: [] as string[], put: [] };
    const team = await newTeam(newWorld(countingKvStore(asked)));
    const { owner, admin, at } = team;
    const { id: boardId, todo } = await team.board('Board');
    const { id: done } = await owner.statuses.create({ ...at, boardId, name: 'Done' });
    for (const title of ['one', 'two', 'three']) await team.task(boardId, title);
    const hidden: string[] = [];
    for (let n = 0; n < HIDDEN; n += 1) {
      const pageId = await team.pagedTask(boardId);
      await owner.access.changeSettings({ ...at, pageId, inherit: false, defaultAccess: 0 });
      hidden.push(pageId);
    }
    const costOf = async <T>(call: Promise<T>) => {
      asked.got.length = 0;
      return { answer: await call, isSmall: lookUps(asked.got) < HIDDEN };
    };
    const total = async (filter: object) => {
      const { answer, isSmall } = await costOf(
        admin.tasks.list({ ...at, boardId: [boardId], ...filter, limit: 1, count: true }),
      );
      return [answer.total, isSmall];
    };
    expect(await total({})).to.deep.equal([3, false]);
    expect(await total({})).to.deep.equal([3, true]);
    expect(await total({ statusId: [todo] })).to.deep.equal([3, true]);
    expect(await total({ excludeStatusId: [todo] })).to.deep.equal([0, true]);
    const renamed = await costOf(admin.statuses.update({ ...at, boardId, statusId: todo, name: 'Open' }));
    expect([renamed.answer.taskCount, renamed.isSmall]).to.deep.equal([3, true]);
    await owner.tasks.update({ ...at, taskId: hidden[0]!, statusId: done });
    expect(await total({ statusId: [todo] })).to.deep.equal([3, false]);
    expect(await total({ statusId: [done] })).to.deep.equal([0, true]);
  });
});
