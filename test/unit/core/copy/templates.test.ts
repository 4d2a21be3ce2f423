import { expect } from 'chai';
import type { ListTasks } from '../../../../core/task/list/list.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { forSeeds } from '../../../contract/random.ts';
import { type Colleague, newTeam, type Team } from '../../../fixtures/world/team.ts';
import { DAY, newWorld, outcome, type World } from '../../../fixtures/world/world.ts';

/** The titles of the tasks that a list finds, which is also what it counts. */
async function listed(who: Colleague, team: Team, filters: Omit<ListTasks, 'workspaceId'> = {}): Promise<string> {
  const { items, total } = await who.tasks.list({ ...team.at, ...filters, count: true, limit: 500 });
  expect(total).to.equal(items.length);
  return items.map(({ title }) => title).join(' ');
}

/** A folder with a board below it, a board elsewhere, and a task of that with a page of its own in the folder. */
async function withBoards(world?: World) {
  const team = await newTeam(world);
  const { owner, at } = team;
  const folder = await team.page('Onboarding');
  const inner = await team.page('Inner', folder);
  const board = await team.board('Steps', inner);
  const live = await team.board('Live');
  await team.task(board.id, 'pattern');
  await team.task(live.id, 'work');
  const filed = await team.task(live.id, 'filed');
  await owner.pages.create({ ...at, name: 'filed', type: 'task', parentId: folder, taskId: filed });
  const mark = (template: boolean) => owner.pages.update({ ...at, pageId: folder, template });
  return { team, owner, at, folder, board, live, filed, mark };
}

describe('templates', () => {
  it('lists and counts leave out what is on a template or below it, unless it is asked for', async () => {
    const { team, owner, board, live, mark } = await withBoards();
    expect(await listed(owner, team)).to.equal('pattern work filed');
    expect((await mark(true)).template).to.equal(true);
    for (const who of [owner, team.member]) {
      expect(await listed(who, team)).to.equal('work');
      expect(await listed(who, team, { template: false, sort: ['position'] })).to.equal('work');
      expect(await listed(who, team, { template: true })).to.equal('pattern filed');
      expect(await listed(who, team, { template: true, sort: ['position'] })).to.equal('pattern filed');
      expect(await listed(who, team, { boardId: [board.id] })).to.equal('pattern');
      expect(await listed(who, team, { boardId: [live.id] })).to.equal('work filed');
      expect(await listed(who, team, { boardId: [live.id], template: false })).to.equal('work');
      expect(await listed(who, team, { boardId: [live.id], template: true })).to.equal('filed');
      expect(await listed(who, team, { statusId: [board.todo] })).to.equal('pattern');
      expect(await listed(who, team, { num: [1, 2] })).to.equal('pattern work');
      expect(await listed(who, team, { q: 'e' })).to.equal('');
      expect(await listed(who, team, { parentTaskId: ['none'] })).to.equal('work');
      expect(await listed(who, team, { excludeBoardId: [live.id] })).to.equal('');
    }
    expect((await mark(false)).template).to.equal(false);
    expect(await listed(owner, team)).to.equal('pattern work filed');
  });

  it('boards count their own tasks, templates or not', async () => {
    const { owner, at, board, live, mark } = await withBoards();
    await mark(true);
    for (const [boardId, tasks] of [
      [board.id, 1],
      [live.id, 2],
    ] as const) {
      const { statuses } = await owner.boards.get({ ...at, boardId });
      expect(statuses.map(({ taskCount }) => taskCount)).to.deep.equal([tasks]);
    }
  });

  it('a task that is seen without its board is left out by its own page alone', async () => {
    const { team, owner, at, folder, board, live, mark } = await withBoards();
    const apart = await team.task(board.id, 'apart');
    await owner.pages.create({ ...at, name: 'apart', type: 'task', parentId: null, taskId: apart });
    await team.grant(folder, team.member, 0);
    await team.grant(live.id, team.member, 0);
    await team.grant(apart, team.member, 100);
    await mark(true);
    expect(await listed(team.member, team)).to.equal('apart');
    expect(await listed(team.member, team, { template: true })).to.equal('');
    expect(await listed(owner, team)).to.equal('work');
  });

  it('a template that is hidden, or that is above a hidden page, changes nothing that is listed', async () => {
    const { team, owner, at, folder, live, mark } = await withBoards();
    const { member } = team;
    const hidden = await team.page('Hidden');
    const board = await team.board('Apart', hidden);
    await team.task(board.id, 'apart');
    await team.grant(hidden, member, 0);
    await team.grant(board.id, member, 100);
    await owner.pages.update({ ...at, pageId: hidden, template: true });
    const before = 'pattern work filed apart';
    expect(await listed(member, team)).to.equal(before);
    expect(await listed(member, team, { template: true })).to.equal('');
    expect(await listed(owner, team)).to.equal('pattern work filed');
    await owner.pages.update({ ...at, pageId: hidden, template: false });
    await mark(true);
    expect(await listed(member, team)).to.equal('work apart');
    await owner.pages.update({ ...at, pageId: hidden, parentId: folder });
    expect(await listed(member, team)).to.equal('work apart');
    expect(await listed(owner, team, { template: true })).to.equal('pattern filed apart');
    expect(await listed(member, team, { template: true, boardId: [board.id, live.id] })).to.equal('filed');
  });

  it('a change by filter finds what the list finds', async () => {
    const { owner, at, mark } = await withBoards();
    await mark(true);
    const set = { priority: 100 };
    expect(await owner.tasks.updateMany({ ...at, filter: {}, count: 1, set })).to.deep.equal({ count: 1 });
    expect(await owner.tasks.updateMany({ ...at, filter: { template: true }, count: 2, set })).to.deep.equal({
      count: 2,
    });
  });

  it('a copy of a template is none, and one that is made below a template belongs to it', async () => {
    const { team, owner, at, folder, board, mark } = await withBoards();
    await mark(true);
    await owner.pages.update({ ...at, pageId: board.id, template: true });
    const { page } = await owner.pages.copy({ ...at, pageId: folder, name: 'First day', tasks: true });
    expect(page!.template).to.equal(false);
    const pages = await owner.pages.list(at);
    expect(pages.filter(({ template }) => template).map(({ name }) => name)).to.deep.equal(['Onboarding', 'Steps']);
    expect(await listed(owner, team)).to.equal('work pattern');
    await owner.boards.copy({ ...at, boardId: board.id, parentId: folder, tasks: true });
    expect(await listed(owner, team)).to.equal('work pattern');
  });

  it('needs full access, and is in the history and the feed', async () => {
    const { team, owner, at, folder, mark } = await withBoards();
    const change = (who: Colleague) => outcome(who.pages.update({ ...at, pageId: folder, template: true }));
    expect(await change(await team.withLevel(folder, 300))).to.equal('forbidden');
    expect(await change(await team.withLevel(folder, 400))).to.equal('ok');
    let since = '';
    await owner.tasks.list(at, { onCursor: (seen) => void (since = seen) });
    await mark(false);
    const { items } = await owner.pages.history({ ...at, pageId: folder });
    expect(items.slice(0, 2).flatMap(({ changes }) => changes)).to.deep.equal([
      { field: 'template', from: true, to: false },
      { field: 'template', from: false, to: true },
    ]);
    const { items: events } = await owner.changes.list({ ...at, since });
    expect(events.map(({ type, fields }) => [type, fields])).to.deep.equal([['page.update', ['template']]]);
  });

  it('comes back from the trash', async () => {
    const { team, owner, at, folder, mark } = await withBoards(newWorld(memoryStore(), 0, undefined, DAY));
    await mark(true);
    await owner.pages.delete({ ...at, pageId: folder });
    expect(await listed(owner, team, { template: true })).to.equal('');
    await owner.trash.restore({ ...at, trashId: folder });
    expect(await listed(owner, team, { template: true })).to.equal('pattern filed');
  });

  it('whatever is a template, a task is in one of the two lists, as the pages in sight tell', async () => {
    await forSeeds(15, async (random) => {
      const team = await newTeam();
      const { owner, at } = team;
      const pages: (string | null)[] = [null];
      const boards: string[] = [];
      for (let n = 0; n < 6; n += 1) {
        const { id } = await team.board(`B${n}`, random.pick(pages));
        boards.push(id);
        pages.push(id, await team.page(`F${n}`, random.pick(pages)));
        const task = await team.task(random.pick(boards), `T${n}`);
        if (random.once(2)) {
          await owner.pages.create({ ...at, name: `T${n}`, type: 'task', parentId: random.pick(pages), taskId: task });
          pages.push(task);
        }
      }
      for (const pageId of pages) {
        if (pageId === null) continue;
        if (random.once(3)) await owner.pages.update({ ...at, pageId, template: true });
        if (random.once(2)) await team.grant(pageId, team.member, random.pick([0, 100]));
      }
      for (const who of [owner, team.member]) {
        const numbers = async (template: boolean) => {
          const { items, total } = await who.tasks.list({ ...at, template, count: true });
          expect(total).to.equal(items.length);
          return items.map(({ num }) => num);
        };
        const all = await who.tasks.list({ ...at, num: [1, 2, 3, 4, 5, 6] });
        const both = [...(await numbers(true)), ...(await numbers(false))].sort((a, b) => a - b);
        expect(both).to.deep.equal(all.items.map(({ num }) => num));
        // From pages and their changes a reader knows what is in a template.
        const seen = new Map((await who.pages.list(at)).map((page) => [page.id, page]));
        const isTemplate = (id: string | null): boolean => {
          const page = id === null ? undefined : seen.get(id);
          return page !== undefined && (page.template || isTemplate(page.parentId));
        };
        const told = all.items.filter(({ id, boardId }) => isTemplate(id) || isTemplate(boardId));
        expect(await numbers(true)).to.deep.equal(told.map(({ num }) => num));
      }
    });
  });
});
