import assert from 'node:assert/strict';
import { join } from 'node:path';
import { embeddedStore } from '../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../adapters/store-memory/index.ts';
import { createEngine } from '../../core/engine.ts';
import { EspalierError } from '../../core/kernel/errors.ts';
import { QUOTA_NAMES, type Quotas } from '../../core/model/quotas.ts';
import { sessionOf } from '../../core/session.ts';
import { realPorts } from '../mongodb/service.ts';
import { raceForPlaces } from '../support/quota-race.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { acme, exported, imported } from '../transfer/exported.ts';
import { newTeam, type Mate, type Team } from '../support/world-team.ts';
import { HOUR, newWorld, outcome, personOf, type Person, type World } from '../support/world.ts';

/** The same store behind quotas. What is there already was made without. */
function under(quotas: Quotas, { world }: Pick<Team, 'world'>) {
  const engine = createEngine({ ...world.ports, quotas });
  return {
    as: (person: Person): Person => personOf(engine, person.userId, person.name),
    operator: sessionOf(engine, { kind: 'operator' }),
  };
}

const FULL = 'quota-exceeded';

async function withBoard() {
  const team = await newTeam();
  return { team, at: team.at, ...(await team.board('Kanban')) };
}

describe('quotas', () => {
  const folder = temporaryFolder();

  it('are off unless set, and nonsense is refused', () => {
    const { ports } = newWorld();
    createEngine(ports);
    createEngine({ ...ports, quotas: {} });
    for (const name of QUOTA_NAMES) {
      createEngine({ ...ports, quotas: { [name]: 1 } });
      for (const most of [0, -1, 1.5, NaN, Infinity, '7', null]) {
        const create = () => createEngine({ ...ports, quotas: { [name]: most as never } });
        assert.throws(create, (error) => error instanceof EspalierError && error.code === 'invalid-input');
      }
    }
    assert.throws(() => createEngine({ ...ports, quotas: { tsaks: 1 } as never }), EspalierError);
  });

  it('say the limit, and not how much there is', async () => {
    const { team, at, id } = await withBoard();
    for (const title of ['a', 'b', 'c']) await team.task(id, title);
    const owner = under({ tasks: 2 }, team).as(team.owner);
    const error = await owner.tasks.create({ ...at, boardId: id, title: 'd' }).catch((caught: unknown) => caught);
    assert.ok(error instanceof EspalierError);
    assert.match(error.detail, /\b2 tasks\b/);
    assert.doesNotMatch(error.detail, /3/);
  });

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
      assert.equal(await outcome(batch(4)), FULL);
      assert.equal((await owner.tasks.list(at)).items.length, 0);
      assert.equal(await outcome(batch(2)), 'ok');
      const nested = () => owner.pages.create({ ...at, name: 'n', type: 'task', parentId: id });
      assert.equal(await outcome(nested()), 'ok');
      assert.equal(await outcome(nested()), FULL);
      assert.equal(await outcome(batch(1)), FULL);
      assert.equal(await outcome(owner.tasks.create({ ...at, boardId: id, title: 'alone' })), FULL);
      const board = {
        ...at,
        memberId: team.admin.memberId,
        externalId: 'B',
        name: 'B',
        statuses: [{ name: 'To do' }],
        tags: [],
        tasks: [{ externalId: 'T', title: 'T', status: 'To do' }],
      };
      assert.equal(await outcome(limited.operator.imports.board(board)), FULL);
      assert.equal((await team.owner.boards.list(at)).length, 1);
    });

    it('do not count what is deleted, purged or not yet', async () => {
      const { team, at, id } = await withBoard();
      const owner = under({ tasks: 3 }, team).as(team.owner);
      const add = (boardId = id) => owner.tasks.create({ ...at, boardId, title: 't' });
      const [first] = [await add(), await add()];
      const other = await team.board('Other');
      await add(other.id);
      assert.equal(await outcome(add()), FULL);
      await owner.tasks.delete({ ...at, taskId: first.id });
      assert.deepEqual([await outcome(add()), await outcome(add())], ['ok', FULL]);
      await owner.boards.delete({ ...at, boardId: other.id });
      assert.deepEqual([await outcome(add()), await outcome(add())], ['ok', FULL]);
      await team.world.purge();
      assert.equal(await outcome(add()), FULL);
      const kept = await team.world.store.write((tx) => tx.tasks.tally(at.workspaceId));
      assert.equal(kept, 3);
    });

    it('let those that came before the quota stay, and move', async () => {
      const { team, at, id } = await withBoard();
      const taskId = await team.task(id, 'a');
      await team.task(id, 'b');
      const other = await team.board('Other');
      const owner = under({ tasks: 1 }, team).as(team.owner);
      assert.equal(await outcome(owner.tasks.update({ ...at, taskId, boardId: other.id, title: 'c' })), 'ok');
      assert.equal(await outcome(owner.tasks.create({ ...at, boardId: id, title: 'c' })), FULL);
    });

    it('are of each workspace by itself', async () => {
      const { team, id, at } = await withBoard();
      const owner = under({ tasks: 1, boards: 1, pages: 1 }, team).as(team.owner);
      await owner.tasks.create({ ...at, boardId: id, title: 'a' });
      const { id: workspaceId } = await owner.workspaces.create({ name: 'Second' });
      const board = await owner.boards.create({ workspaceId, name: 'B' });
      await owner.statuses.create({ workspaceId, boardId: board.id, name: 'S' });
      assert.equal(await outcome(owner.tasks.create({ workspaceId, boardId: board.id, title: 'a' })), 'ok');
    });
  });

  describe('of pages and boards', () => {
    it('count folders, boards, task pages and pages opened for tasks', async () => {
      const { team, at, id } = await withBoard();
      const taskId = await team.task(id, 'card');
      const owner = under({ pages: 4, boards: 2 }, team).as(team.owner);
      const page = (type: 'folder' | 'board' | 'task', parentId: string | null = null) =>
        outcome(owner.pages.create({ ...at, name: 'p', type, parentId }));
      assert.equal(await page('board'), 'ok');
      assert.equal(await page('board'), FULL);
      assert.equal(await outcome(owner.boards.create({ ...at, name: 'b' })), FULL);
      assert.equal(await page('folder'), 'ok');
      assert.equal(await page('task', id), 'ok');
      for (const type of ['folder', 'board', 'task'] as const) assert.equal(await page(type, id), FULL);
      const open = { ...at, name: 'p', type: 'task', parentId: id, taskId } as const;
      assert.equal(await outcome(owner.pages.create(open)), FULL);
      assert.equal((await owner.pages.list(at)).length, 4);
      assert.equal((await owner.tasks.list(at)).items.length, 2);
    });

    it('give room again when something goes, and mind changes by others', async () => {
      const team = await newTeam();
      const owner = under({ pages: 2 }, team).as(team.owner);
      const add = () => owner.pages.create({ ...team.at, name: 'p', type: 'folder' });
      const first = await add();
      await team.page('by another process');
      assert.equal(await outcome(add()), FULL);
      await owner.pages.delete({ ...team.at, pageId: first.id });
      assert.deepEqual([await outcome(add()), await outcome(add())], ['ok', FULL]);
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
      assert.equal(await outcome(add(c)), FULL);
      assert.equal(await outcome(owner.boards.create({ ...at, name: 'b', parentId: c })), FULL);
      assert.equal(await outcome(owner.boards.create({ ...at, name: 'b', parentId: b })), 'ok');
      const other = await add(null);
      const under1 = await add(other);
      assert.equal(await move(a, other), FULL);
      assert.equal(await move(b, under1), FULL);
      assert.equal(await move(b, other), 'ok');
      assert.equal(await move(c, under1), 'ok');
      assert.equal(await move(under1, b), FULL);
      assert.equal(await move(under1, null), 'ok');
      assert.equal(await outcome(owner.pages.update({ ...at, pageId: c, name: 'renamed', orderIndex: 0 })), 'ok');
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
      assert.equal(await move(chain[1]!, await team.page('another')), 'ok');
      assert.equal(await move(chain[1]!, chain[0]!), 'ok');
      assert.equal(await move(last, sibling), 'ok');
      assert.equal(await move(sibling, chain[4]!), FULL);
      assert.equal(await move(last, chain[2]!), 'ok');
      assert.equal(await move(chain[3]!, null), 'ok');
      assert.equal(await move(chain[3]!, chain[1]!), FULL);
    });
  });

  describe('of members', () => {
    const invited = async (team: Team, person: Person) => {
      const { id } = await team.owner.invitations.create({ ...team.at });
      return outcome(person.invitations.join({ invitationId: id }));
    };

    it('count who joins and who comes back, not who has left', async () => {
      const team = await newTeam();
      const limited = under({ members: 4 }, team);
      const remove = ({ memberId }: Mate) => limited.as(team.owner).members.remove({ ...team.at, memberId });
      assert.equal(await invited(team, limited.as(team.outsider)), FULL);
      await remove(team.guest);
      assert.equal(await invited(team, limited.as(team.outsider)), 'ok');
      assert.equal(await invited(team, limited.as(team.guest)), FULL);
      await remove(team.member);
      assert.equal(await invited(team, limited.as(team.guest)), 'ok');
      assert.equal(await invited(team, limited.as(team.guest)), 'already-member');
    });

    it('leave the invitation pending', async () => {
      const team = await newTeam();
      const outsider = under({ members: 1 }, team).as(team.outsider);
      const { id } = await team.owner.invitations.create({ ...team.at });
      assert.equal(await outcome(outsider.invitations.join({ invitationId: id })), FULL);
      assert.equal((await team.outsider.invitations.read({ invitationId: id })).status, 'pending');
      const change = { ...team.at, memberId: team.member.memberId, role: 30 } as const;
      assert.equal(await outcome(under({ members: 1 }, team).as(team.owner).members.update(change)), 'ok');
    });
  });

  describe('of a board and a task', () => {
    it('count statuses and tags', async () => {
      const { team, at, id } = await withBoard();
      const owner = under({ statuses: 2, tags: 1 }, team).as(team.owner);
      const on = { ...at, boardId: id };
      assert.equal(await outcome(owner.statuses.create({ ...on, name: 'b' })), 'ok');
      assert.equal(await outcome(owner.statuses.create({ ...on, name: 'c' })), FULL);
      assert.equal(await outcome(owner.tags.create({ ...on, name: 'a' })), 'ok');
      assert.equal(await outcome(owner.tags.create({ ...on, name: 'b' })), FULL);
      const second = await team.board('Second');
      assert.equal(await outcome(owner.tags.create({ ...at, boardId: second.id, name: 'a' })), 'ok');
    });

    it('let a board that has more stay as it is', async () => {
      const { team, at, id, todo } = await withBoard();
      const on = { ...at, boardId: id };
      for (const name of ['b', 'c']) await team.owner.statuses.create({ ...on, name });
      const owner = under({ statuses: 1 }, team).as(team.owner);
      assert.equal(await outcome(owner.statuses.update({ ...on, statusId: todo, name: 'x' })), 'ok');
      assert.equal(await outcome(owner.boards.update({ ...on, name: 'x' })), 'ok');
      assert.equal(await outcome(owner.tags.create({ ...on, name: 'a' })), 'ok');
      assert.equal(await outcome(owner.statuses.delete({ ...on, statusId: todo })), 'ok');
      assert.equal(await outcome(owner.statuses.create({ ...on, name: 'd' })), FULL);
    });

    it('count comments', async () => {
      const { team, at, id } = await withBoard();
      const taskId = await team.task(id, 'a');
      const owner = under({ comments: 1 }, team).as(team.owner);
      const comment = () => owner.comments.create({ ...at, taskId, content: 'c' });
      const { id: commentId } = await comment();
      assert.equal(await outcome(comment()), FULL);
      assert.equal((await owner.tasks.get({ ...at, taskId })).comments.length, 1);
      await owner.comments.delete({ ...at, taskId, commentId });
      assert.equal(await outcome(comment()), 'ok');
      await team.owner.comments.create({ ...at, taskId, content: 'more' });
      assert.equal(await outcome(owner.tasks.update({ ...at, taskId, title: 'x' })), 'ok');
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
      assert.equal((await into(just, text)).result, 'ok');
      for (const name of ['members', 'pages', 'depth', 'tasks', 'statuses'] as const) {
        const { world, result } = await into({ [name]: just[name] - 1 }, text);
        assert.equal(result, FULL, name);
        assert.equal(await world.store.read((tx) => tx.structures.get(workspaceId)), null);
      }
    });
  });

  describe('of a user', () => {
    it('count memberships, of workspaces made and joined, not of those left or deleted', async () => {
      const team = await newTeam();
      const { outsider } = team;
      const limited = under({ workspaces: 2 }, team).as(outsider);
      const own = await limited.workspaces.create({ name: 'Own' });
      const { id: invitationId } = await team.owner.invitations.create({ ...team.at });
      const joined = await limited.invitations.join({ invitationId });
      assert.equal(await outcome(limited.workspaces.create({ name: 'Third' })), FULL);
      await limited.members.remove({ ...team.at, memberId: joined.id });
      assert.equal(await outcome(limited.workspaces.create({ name: 'Third' })), 'ok');
      const { id: again } = await team.owner.invitations.create({ ...team.at });
      assert.equal(await outcome(limited.invitations.join({ invitationId: again })), FULL);
      await limited.workspaces.delete({ workspaceId: own.id });
      assert.equal(await outcome(limited.invitations.join({ invitationId: again })), 'ok');
      assert.equal((await limited.workspaces.list()).length, 2);
    });

    it('count tokens, those made by an administrator too', async () => {
      const team = await newTeam();
      const limited = under({ tokens: 2 }, team);
      const owner = limited.as(team.owner);
      const { id: tokenId } = await owner.tokens.create({ name: 'a' });
      await limited.operator.tokens.createFor({ userId: team.owner.userId, name: 'b' });
      assert.equal(await outcome(owner.tokens.create({ name: 'c' })), FULL);
      const { userId } = team.owner;
      assert.equal(await outcome(limited.operator.tokens.createFor({ userId, name: 'c' })), FULL);
      assert.equal(await outcome(limited.as(team.admin).tokens.create({ name: 'own' })), 'ok');
      await owner.tokens.revoke({ tokenId });
      assert.equal(await outcome(owner.tokens.create({ name: 'c' })), 'ok');
    });

    it('count idempotency keys and bytes for a day, and only kept answers', async () => {
      const { team, at, id } = await withBoard();
      const engine = createEngine({ ...team.world.ports, quotas: { idempotencyKeys: 2, idempotencyBytes: 3_000 } });
      const caller = { kind: 'user', userId: team.owner.userId } as const;
      const create = (key: string, description = '') =>
        outcome(
          engine.tasks.create({ caller, once: { key, digest: 'd' } }, { ...at, boardId: id, title: 't', description }),
        );
      assert.equal(await create('a', 'x'.repeat(3_000)), FULL);
      assert.equal(await create('a', 'é'.repeat(1_400)), FULL);
      assert.deepEqual([await create('a'), await create('a'), await create('b')], ['ok', 'ok', 'ok']);
      assert.equal(await create('c'), FULL);
      assert.equal(await outcome(engine.tasks.create({ caller }, { ...at, boardId: id, title: 't' })), 'ok');
      team.world.pass(25 * HOUR);
      assert.equal(await create('c'), 'ok');
    });
  });

  describe('of invitations', () => {
    it('count what is pending: not accepted, revoked or expired', async () => {
      const team = await newTeam();
      const owner = under({ invitations: 2 }, team).as(team.owner);
      const invite = () => owner.invitations.create({ ...team.at, expiresAt: team.world.time(2 * HOUR) });
      const [first, second] = [await invite(), await invite()];
      assert.equal(await outcome(invite()), FULL);
      await owner.invitations.revoke({ ...team.at, invitationId: first.id });
      assert.deepEqual([await outcome(invite()), await outcome(invite())], ['ok', FULL]);
      await team.outsider.invitations.join({ invitationId: second.id });
      assert.deepEqual([await outcome(invite()), await outcome(invite())], ['ok', FULL]);
      team.world.pass(3 * HOUR);
      assert.deepEqual([await outcome(invite()), await outcome(invite()), await outcome(invite())], ['ok', 'ok', FULL]);
    });
  });

  describe('of access entries', () => {
    it('count those of a page and of a workspace', async () => {
      const team = await newTeam();
      const [a, b] = [await team.page('a'), await team.page('b')];
      const owner = under({ pageEntries: 2, entries: 3 }, team).as(team.owner);
      const grant = (pageId: string, { memberId }: Mate, access: 100 | 200 = 100) =>
        outcome(owner.access.grant({ ...team.at, pageId, memberId, access }));
      assert.deepEqual([await grant(a, team.admin), await grant(a, team.member)], ['ok', 'ok']);
      assert.deepEqual([await grant(a, team.guest), await grant(a, team.member, 200)], [FULL, 'ok']);
      assert.deepEqual([await grant(b, team.admin), await grant(b, team.member)], ['ok', FULL]);
      await owner.access.revoke({ ...team.at, pageId: a, memberId: team.admin.memberId });
      assert.equal(await grant(b, team.member), 'ok');
      await owner.pages.delete({ ...team.at, pageId: b });
      assert.equal(await grant(a, team.guest), 'ok');
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
      assert.equal(await create({ tags: [red, blue] }), FULL);
      assert.equal(await create({ assignees: [one, two] }), FULL);
      const { id: taskId } = await owner.tasks.create({
        ...at,
        boardId: id,
        title: 't',
        tags: [red],
        assignees: [one],
      });
      assert.equal(await outcome(owner.tasks.addTag({ ...at, taskId, tagId: blue })), FULL);
      assert.equal(await outcome(owner.tasks.assign({ ...at, taskId, memberId: two })), FULL);
      assert.equal(await outcome(owner.tasks.update({ ...at, taskId, tags: [blue], assignees: [two] })), 'ok');
    });
  });

  describe('kept in the store', () => {
    it('bind every engine on it; the smaller of both holds', async () => {
      const { team, at, id } = await withBoard();
      const { world } = team;
      const create = (quotas?: Quotas) =>
        outcome(
          under(quotas ?? {}, team)
            .as(team.owner)
            .tasks.create({ ...at, boardId: id, title: 't' }),
        );
      await world.operator.quotas.update({ tasks: 2 });
      assert.deepEqual([await create({ tasks: 1 }), await create({ tasks: 1 })], ['ok', FULL]);
      assert.deepEqual([await create({ tasks: 9 }), await create({ tasks: 9 })], ['ok', FULL]);
      assert.equal(await create(), FULL);
      await world.operator.quotas.update({ tasks: null });
      assert.equal(await create(), 'ok');
    });

    it('nest pages 100 deep unless they say otherwise', async () => {
      const team = await newTeam();
      const { world } = team;
      assert.equal((await world.operator.quotas.get()).depth, 100);
      let deepest: string | null = null;
      for (let i = 0; i < 100; i += 1) deepest = await team.page(`p${i}`, deepest);
      const deeper = () => outcome(team.page('deeper', deepest));
      assert.equal(await deeper(), FULL);
      await world.operator.quotas.update({ depth: null });
      assert.equal(await deeper(), 'ok');
    });

    it('are set by the operator and service administrators alone, and audited', async () => {
      const team = await newTeam();
      const { world } = team;
      assert.equal(await outcome(team.owner.quotas.update({ tasks: 1 })), 'forbidden');
      assert.equal(await outcome(team.owner.quotas.get()), 'forbidden');
      await world.operator.users.update({ userId: team.admin.userId, administrator: true });
      const before = await team.admin.quotas.get();
      const set = await team.admin.quotas.update({ tasks: 1, tags: null });
      assert.deepEqual({ ...set, tasks: null }, { ...before, updatedAt: world.time(), version: before.version + 1 });
      const [latest] = (await world.operator.audit.service({})).items;
      assert.deepEqual(
        [latest?.action, latest?.userId, latest?.before, latest?.after],
        ['quotas.update', team.admin.userId, { tasks: null }, { tasks: 1 }],
      );
      for (const limit of [0, 1.5, -1, 'x'] as never[]) {
        assert.equal(await outcome(world.operator.quotas.update({ tasks: limit })), 'invalid-input');
      }
      assert.equal(await outcome(world.operator.quotas.update({ tokens: 10_001 })), 'invalid-input');
    });
  });

  it('are not exceeded by many at once, in memory and in a file', async () => {
    const stores = [memoryStore(), embeddedStore({ path: join(folder, 'race.db') })];
    for (const store of stores) {
      const engines = (quotas: Quotas) => [1, 2].map(() => createEngine({ ...realPorts(store), quotas }));
      await raceForPlaces(async (quotas) => engines(quotas));
      await store.close();
    }
  });

  it('are checked behind who may, and do not stand in the way of an answer given before', async () => {
    const { team, at, id } = await withBoard();
    const engine = createEngine({ ...team.world.ports, quotas: { tasks: 1 } });
    const create = (person: Person) =>
      personOf(engine, person.userId, '').tasks.create({ ...at, boardId: id, title: 't' });
    const caller = { kind: 'user', userId: team.owner.userId } as const;
    const once = { key: 'k', digest: 'd' };
    const first = await engine.tasks.create({ caller, once }, { ...at, boardId: id, title: 't' });
    assert.equal(await outcome(create(team.owner)), FULL);
    assert.equal(await outcome(create(team.outsider)), 'not-found');
    const again = await engine.tasks.create({ caller, once }, { ...at, boardId: id, title: 't' });
    assert.equal(again.id, first.id);
  });
});
