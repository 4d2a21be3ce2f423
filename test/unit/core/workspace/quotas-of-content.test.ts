import { expect } from 'chai';
import type { Quotas } from '../../../../core/model/service/quotas.ts';
import { acme, exported, imported } from '../../transfer/exported.ts';
import { newTeam, type Colleague } from '../../../fixtures/world/team.ts';
import { newWorld, outcome, type World } from '../../../fixtures/world/world.ts';
import { FULL, under, withBoard } from '../../../fixtures/world/quotas.ts';

describe('quotas', () => {
  describe('of tasks', () => {
    it('count every way in: alone, in a batch, with a page, by an import', async () => {
      const { team, at, id } = await withBoard();
      const limited = under({ tasks: 3 }, team);
      const owner = limited.as(team.owner);
      const batch = (count: number) =>
        owner.tasks.createMany({
          ...at,
          tasks: Array.from({ length: count }, () => ({ boardId: id, title: 'more' })),
        });
      expect(await outcome(batch(4))).to.equal(FULL);
      expect((await owner.tasks.list(at)).items.length).to.equal(0);
      expect(await outcome(batch(2))).to.equal('ok');
      const nested = () => owner.pages.create({ ...at, name: 'n', type: 'task', parentId: id });
      expect(await outcome(nested())).to.equal('ok');
      expect(await outcome(nested())).to.equal(FULL);
      expect(await outcome(batch(1))).to.equal(FULL);
      expect(await outcome(owner.tasks.create({ ...at, boardId: id, title: 'alone' }))).to.equal(FULL);
      const board = {
        ...at,
        memberId: team.admin.memberId,
        externalId: 'B',
        name: 'B',
        statuses: [{ name: 'To do' }],
        tags: [],
        tasks: [{ externalId: 'T', title: 'T', status: 'To do' }],
      };
      expect(await outcome(limited.operator.imports.board(board))).to.equal(FULL);
      expect((await team.owner.boards.list(at)).length).to.equal(1);
    });

    it('do not count what is deleted, purged or not yet', async () => {
      const { team, at, id } = await withBoard();
      const owner = under({ tasks: 3 }, team).as(team.owner);
      const add = (boardId = id) => owner.tasks.create({ ...at, boardId, title: 't' });
      const [first] = [await add(), await add()];
      const other = await team.board('Other');
      await add(other.id);
      expect(await outcome(add())).to.equal(FULL);
      await owner.tasks.delete({ ...at, taskId: first.id });
      expect([await outcome(add()), await outcome(add())]).to.deep.equal(['ok', FULL]);
      await owner.boards.delete({ ...at, boardId: other.id });
      expect([await outcome(add()), await outcome(add())]).to.deep.equal(['ok', FULL]);
      await team.world.purge();
      expect(await outcome(add())).to.equal(FULL);
      const kept = await team.world.store.write((tx) => tx.tasks.ensureTaskCount(at.workspaceId));
      expect(kept).to.equal(3);
    });

    it('let those that came before the quota stay, and move', async () => {
      const { team, at, id } = await withBoard();
      const taskId = await team.task(id, 'a');
      await team.task(id, 'b');
      const other = await team.board('Other');
      const owner = under({ tasks: 1 }, team).as(team.owner);
      expect(await outcome(owner.tasks.update({ ...at, taskId, boardId: other.id, title: 'c' }))).to.equal('ok');
      expect(await outcome(owner.tasks.create({ ...at, boardId: id, title: 'c' }))).to.equal(FULL);
    });

    it('are of each workspace by itself', async () => {
      const { team, id, at } = await withBoard();
      const owner = under({ tasks: 1, boards: 1, pages: 1 }, team).as(team.owner);
      await owner.tasks.create({ ...at, boardId: id, title: 'a' });
      const { id: workspaceId } = await owner.workspaces.create({ name: 'Second' });
      const board = await owner.boards.create({ workspaceId, name: 'B' });
      await owner.statuses.create({ workspaceId, boardId: board.id, name: 'S' });
      expect(await outcome(owner.tasks.create({ workspaceId, boardId: board.id, title: 'a' }))).to.equal('ok');
    });
  });

  describe('of pages and boards', () => {
    it('count folders, boards, task pages and pages opened for tasks', async () => {
      const { team, at, id } = await withBoard();
      const taskId = await team.task(id, 'card');
      const owner = under({ pages: 4, boards: 2 }, team).as(team.owner);
      const page = (type: 'folder' | 'board' | 'task', parentId: string | null = null) =>
        outcome(owner.pages.create({ ...at, name: 'p', type, parentId }));
      expect(await page('board')).to.equal('ok');
      expect(await page('board')).to.equal(FULL);
      expect(await outcome(owner.boards.create({ ...at, name: 'b' }))).to.equal(FULL);
      expect(await page('folder')).to.equal('ok');
      expect(await page('task', id)).to.equal('ok');
      for (const type of ['folder', 'board', 'task'] as const) expect(await page(type, id)).to.equal(FULL);
      const open = { ...at, name: 'p', type: 'task', parentId: id, taskId } as const;
      expect(await outcome(owner.pages.create(open))).to.equal(FULL);
      expect((await owner.pages.list(at)).length).to.equal(4);
      expect((await owner.tasks.list(at)).items.length).to.equal(2);
    });

    it('give room again when something goes, and mind changes by others', async () => {
      const team = await newTeam();
      const owner = under({ pages: 2 }, team).as(team.owner);
      const add = () => owner.pages.create({ ...team.at, name: 'p', type: 'folder' });
      const first = await add();
      await team.page('by another process');
      expect(await outcome(add())).to.equal(FULL);
      await owner.pages.delete({ ...team.at, pageId: first.id });
      expect([await outcome(add()), await outcome(add())]).to.deep.equal(['ok', FULL]);
    });
  });

  describe('of depth', () => {
    it('count nested pages and boards, and the whole of what moves', async () => {
      const team = await newTeam();
      const { at } = team;
      const owner = under({ depth: 3 }, team).as(team.owner);
      const add = async (parentId: string | null) =>
        (await owner.pages.create({ ...at, name: 'p', type: 'folder', parentId })).id;
      const move = (pageId: string, parentId: string | null) =>
        outcome(owner.pages.update({ ...at, pageId, parentId }));
      const a = await add(null);
      const b = await add(a);
      const c = await add(b);
      expect(await outcome(add(c))).to.equal(FULL);
      expect(await outcome(owner.boards.create({ ...at, name: 'b', parentId: c }))).to.equal(FULL);
      expect(await outcome(owner.boards.create({ ...at, name: 'b', parentId: b }))).to.equal('ok');
      const other = await add(null);
      const under1 = await add(other);
      expect(await move(a, other)).to.equal(FULL);
      expect(await move(b, under1)).to.equal(FULL);
      expect(await move(b, other)).to.equal('ok');
      expect(await move(c, under1)).to.equal('ok');
      expect(await move(under1, b)).to.equal(FULL);
      expect(await move(under1, null)).to.equal('ok');
      expect(await outcome(owner.pages.update({ ...at, pageId: c, name: 'renamed', orderIndex: 0 }))).to.equal('ok');
    });

    it('let what is too deep already move up or sideways, and no deeper', async () => {
      const team = await newTeam();
      const { at } = team;
      const chain: string[] = [];
      for (let i = 0; i < 6; i += 1) chain.push(await team.page(`p${i}`, chain.at(-1) ?? null));
      const sibling = await team.page('sibling', chain[3]);
      const owner = under({ depth: 2 }, team).as(team.owner);
      const move = (pageId: string, parentId: string | null) =>
        outcome(owner.pages.update({ ...at, pageId, parentId }));
      const last = chain[5]!;
      expect(await move(chain[1]!, await team.page('another'))).to.equal('ok');
      expect(await move(chain[1]!, chain[0]!)).to.equal('ok');
      expect(await move(last, sibling)).to.equal('ok');
      expect(await move(sibling, chain[4]!)).to.equal(FULL);
      expect(await move(last, chain[2]!)).to.equal('ok');
      expect(await move(chain[3]!, null)).to.equal('ok');
      expect(await move(chain[3]!, chain[1]!)).to.equal(FULL);
    });
  });

  describe('of a board and a task', () => {
    it('count statuses and tags', async () => {
      const { team, at, id } = await withBoard();
      const owner = under({ statuses: 2, tags: 1 }, team).as(team.owner);
      const on = { ...at, boardId: id };
      expect(await outcome(owner.statuses.create({ ...on, name: 'b' }))).to.equal('ok');
      expect(await outcome(owner.statuses.create({ ...on, name: 'c' }))).to.equal(FULL);
      expect(await outcome(owner.tags.create({ ...on, name: 'a' }))).to.equal('ok');
      expect(await outcome(owner.tags.create({ ...on, name: 'b' }))).to.equal(FULL);
      const second = await team.board('Second');
      expect(await outcome(owner.tags.create({ ...at, boardId: second.id, name: 'a' }))).to.equal('ok');
    });

    it('let a board that has more stay as it is', async () => {
      const { team, at, id, todo } = await withBoard();
      const on = { ...at, boardId: id };
      for (const name of ['b', 'c']) await team.owner.statuses.create({ ...on, name });
      const owner = under({ statuses: 1 }, team).as(team.owner);
      expect(await outcome(owner.statuses.update({ ...on, statusId: todo, name: 'x' }))).to.equal('ok');
      expect(await outcome(owner.boards.update({ ...on, name: 'x' }))).to.equal('ok');
      expect(await outcome(owner.tags.create({ ...on, name: 'a' }))).to.equal('ok');
      expect(await outcome(owner.statuses.delete({ ...on, statusId: todo }))).to.equal('ok');
      expect(await outcome(owner.statuses.create({ ...on, name: 'd' }))).to.equal(FULL);
    });

    it('count comments', async () => {
      const { team, at, id } = await withBoard();
      const taskId = await team.task(id, 'a');
      const owner = under({ comments: 1 }, team).as(team.owner);
      const comment = () => owner.comments.create({ ...at, taskId, content: 'c' });
      const { id: commentId } = await comment();
      expect(await outcome(comment())).to.equal(FULL);
      expect((await owner.tasks.get({ ...at, taskId })).comments.length).to.equal(1);
      await owner.comments.delete({ ...at, taskId, commentId });
      expect(await outcome(comment())).to.equal('ok');
      await team.owner.comments.create({ ...at, taskId, content: 'more' });
      expect(await outcome(owner.tasks.update({ ...at, taskId, title: 'x' }))).to.equal('ok');
    });
  });

  describe('of an imported workspace', () => {
    const into = async (quotas: Quotas, text: string): Promise<{ world: World; result: string }> => {
      const plain = newWorld();
      const { operator } = under(quotas, { world: plain });
      const world: World = { ...plain, operator };
      return { world, result: await outcome(imported(world, text)) };
    };

    it('hold for all that it brings', async () => {
      const here = newWorld();
      const { workspaceId } = await acme(here);
      const text = await exported(here, workspaceId);
      const just: Required<Quotas> = {
        members: 2,
        copies: 1,
        pages: 3,
        depth: 3,
        boards: 1,
        tasks: 20,
        statuses: 2,
        tags: 1,
        comments: 1,
        workspaces: 1,
        tokens: 1,
        invitations: 1,
        idempotencyKeys: 1,
        idempotencyBytes: 1,
        entries: 10,
        pageEntries: 10,
        assignees: 10,
        taskTags: 10,
      };
      expect((await into(just, text)).result).to.equal('ok');
      for (const name of ['members', 'pages', 'depth', 'tasks', 'statuses'] as const) {
        const { world, result } = await into({ [name]: just[name] - 1 }, text);
        expect(result, name).to.equal(FULL);
        expect(await world.store.read((tx) => tx.structures.get(workspaceId))).to.equal(null);
      }
    });
  });

  describe('of access entries', () => {
    it('count those of a page and of a workspace', async () => {
      const team = await newTeam();
      const [a, b] = [await team.page('a'), await team.page('b')];
      const owner = under({ pageEntries: 2, entries: 3 }, team).as(team.owner);
      const grant = (pageId: string, { memberId }: Colleague, access: 100 | 200 = 100) =>
        outcome(owner.access.grant({ ...team.at, pageId, memberId, access }));
      expect([await grant(a, team.admin), await grant(a, team.member)]).to.deep.equal(['ok', 'ok']);
      expect([await grant(a, team.guest), await grant(a, team.member, 200)]).to.deep.equal([FULL, 'ok']);
      expect([await grant(b, team.admin), await grant(b, team.member)]).to.deep.equal(['ok', FULL]);
      await owner.access.revoke({ ...team.at, pageId: a, memberId: team.admin.memberId });
      expect(await grant(b, team.member)).to.equal('ok');
      await owner.pages.delete({ ...team.at, pageId: b });
      expect(await grant(a, team.guest)).to.equal('ok');
    });
  });

  describe('of what a task carries', () => {
    it('count assignees and tags, set at once or one by one', async () => {
      const { team, at, id } = await withBoard();
      const owner = under({ assignees: 1, taskTags: 1 }, team).as(team.owner);
      const tag = async (name: string) => (await owner.tags.create({ ...at, boardId: id, name })).id;
      const [red, blue] = [await tag('red'), await tag('blue')];
      const [one, two] = [team.owner.memberId, team.member.memberId];
      const create = (more: object) => outcome(owner.tasks.create({ ...at, boardId: id, title: 't', ...more }));
      expect(await create({ tags: [red, blue] })).to.equal(FULL);
      expect(await create({ assignees: [one, two] })).to.equal(FULL);
      const { id: taskId } = await owner.tasks.create({
        ...at,
        boardId: id,
        title: 't',
        tags: [red],
        assignees: [one],
      });
      expect(await outcome(owner.tasks.addTag({ ...at, taskId, tagId: blue }))).to.equal(FULL);
      expect(await outcome(owner.tasks.assign({ ...at, taskId, memberId: two }))).to.equal(FULL);
      expect(await outcome(owner.tasks.update({ ...at, taskId, tags: [blue], assignees: [two] }))).to.equal('ok');
    });
  });
});
