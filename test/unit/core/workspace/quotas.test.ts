import { assert, expect } from 'chai';
import { throws } from '../../../fixtures/errors.ts';
import { join } from 'node:path';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../../core/engine.ts';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import { QUOTA_NAMES, type Quotas } from '../../../../core/model/service/quotas.ts';
import { sessionOf } from '../../../../core/session.ts';
import { realPorts } from '../../../stores/mongodb/service.ts';
import { raceForPlaces } from '../../../fixtures/quota-race.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { acme, exported, imported } from '../../transfer/exported.ts';
import { newTeam, type Colleague, type Team } from '../../../fixtures/team.ts';
import { HOUR, newWorld, outcome, personOf, type Person, type World } from '../../../fixtures/world.ts';

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
        throws(create, (error: unknown) => error instanceof EspalierError && error.code === 'invalid-input');
      }
    }
    throws(() => createEngine({ ...ports, quotas: { tsaks: 1 } as never }), EspalierError);
  });

  it('say the limit, and not how much there is', async () => {
    const { team, at, id } = await withBoard();
    for (const title of ['a', 'b', 'c']) await team.task(id, title);
    const owner = under({ tasks: 2 }, team).as(team.owner);
    const error = await owner.tasks.create({ ...at, boardId: id, title: 'd' }).catch((caught: unknown) => caught);
    assert(error instanceof EspalierError);
    expect(error.detail).to.match(/\b2 tasks\b/);
    expect(error.detail).to.not.match(/3/);
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

  describe('of members', () => {
    const invited = async (team: Team, person: Person) => {
      const { id } = await team.owner.invitations.create({ ...team.at });
      return outcome(person.invitations.join({ invitationId: id }));
    };

    it('count who joins and who comes back, not who has left', async () => {
      const team = await newTeam();
      const limited = under({ members: 4 }, team);
      const remove = ({ memberId }: Colleague) => limited.as(team.owner).members.remove({ ...team.at, memberId });
      expect(await invited(team, limited.as(team.outsider))).to.equal(FULL);
      await remove(team.guest);
      expect(await invited(team, limited.as(team.outsider))).to.equal('ok');
      expect(await invited(team, limited.as(team.guest))).to.equal(FULL);
      await remove(team.member);
      expect(await invited(team, limited.as(team.guest))).to.equal('ok');
      expect(await invited(team, limited.as(team.guest))).to.equal('already-member');
    });

    it('leave the invitation pending', async () => {
      const team = await newTeam();
      const outsider = under({ members: 1 }, team).as(team.outsider);
      const { id } = await team.owner.invitations.create({ ...team.at });
      expect(await outcome(outsider.invitations.join({ invitationId: id }))).to.equal(FULL);
      expect((await team.outsider.invitations.read({ invitationId: id })).status).to.equal('pending');
      const change = { ...team.at, memberId: team.member.memberId, role: 30 } as const;
      expect(await outcome(under({ members: 1 }, team).as(team.owner).members.update(change))).to.equal('ok');
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

  describe('of a user', () => {
    it('count memberships, of workspaces made and joined, not of those left or deleted', async () => {
      const team = await newTeam();
      const { outsider } = team;
      const limited = under({ workspaces: 2 }, team).as(outsider);
      const own = await limited.workspaces.create({ name: 'Own' });
      const { id: invitationId } = await team.owner.invitations.create({ ...team.at });
      const joined = await limited.invitations.join({ invitationId });
      expect(await outcome(limited.workspaces.create({ name: 'Third' }))).to.equal(FULL);
      await limited.members.remove({ ...team.at, memberId: joined.id });
      expect(await outcome(limited.workspaces.create({ name: 'Third' }))).to.equal('ok');
      const { id: again } = await team.owner.invitations.create({ ...team.at });
      expect(await outcome(limited.invitations.join({ invitationId: again }))).to.equal(FULL);
      await limited.workspaces.delete({ workspaceId: own.id });
      expect(await outcome(limited.invitations.join({ invitationId: again }))).to.equal('ok');
      expect((await limited.workspaces.list()).length).to.equal(2);
    });

    it('count tokens, those made by an administrator too', async () => {
      const team = await newTeam();
      const limited = under({ tokens: 2 }, team);
      const owner = limited.as(team.owner);
      const { id: tokenId } = await owner.tokens.create({ name: 'a' });
      await limited.operator.tokens.createFor({ userId: team.owner.userId, name: 'b' });
      expect(await outcome(owner.tokens.create({ name: 'c' }))).to.equal(FULL);
      const { userId } = team.owner;
      expect(await outcome(limited.operator.tokens.createFor({ userId, name: 'c' }))).to.equal(FULL);
      expect(await outcome(limited.as(team.admin).tokens.create({ name: 'own' }))).to.equal('ok');
      await owner.tokens.revoke({ tokenId });
      expect(await outcome(owner.tokens.create({ name: 'c' }))).to.equal('ok');
    });

    it('count idempotency keys and bytes for a day, and only kept answers', async () => {
      const { team, at, id } = await withBoard();
      const engine = createEngine({ ...team.world.ports, quotas: { idempotencyKeys: 2, idempotencyBytes: 3_000 } });
      const caller = { kind: 'user', userId: team.owner.userId } as const;
      const create = (key: string, description = '') =>
        outcome(
          engine.tasks.create(
            { caller, idempotencyKey: { key, digest: 'd' } },
            { ...at, boardId: id, title: 't', description },
          ),
        );
      expect(await create('a', 'x'.repeat(3_000))).to.equal(FULL);
      expect(await create('a', 'é'.repeat(1_400))).to.equal(FULL);
      expect([await create('a'), await create('a'), await create('b')]).to.deep.equal(['ok', 'ok', 'ok']);
      expect(await create('c')).to.equal(FULL);
      expect(await outcome(engine.tasks.create({ caller }, { ...at, boardId: id, title: 't' }))).to.equal('ok');
      team.world.pass(25 * HOUR);
      expect(await create('c')).to.equal('ok');
    });
  });

  describe('of invitations', () => {
    it('count what is pending: not accepted, revoked or expired', async () => {
      const team = await newTeam();
      const owner = under({ invitations: 2 }, team).as(team.owner);
      const invite = () => owner.invitations.create({ ...team.at, expiresAt: team.world.time(2 * HOUR) });
      const [first, second] = [await invite(), await invite()];
      expect(await outcome(invite())).to.equal(FULL);
      await owner.invitations.revoke({ ...team.at, invitationId: first.id });
      expect([await outcome(invite()), await outcome(invite())]).to.deep.equal(['ok', FULL]);
      await team.outsider.invitations.join({ invitationId: second.id });
      expect([await outcome(invite()), await outcome(invite())]).to.deep.equal(['ok', FULL]);
      team.world.pass(3 * HOUR);
      expect([await outcome(invite()), await outcome(invite()), await outcome(invite())]).to.deep.equal([
        'ok',
        'ok',
        FULL,
      ]);
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
      expect([await create({ tasks: 1 }), await create({ tasks: 1 })]).to.deep.equal(['ok', FULL]);
      expect([await create({ tasks: 9 }), await create({ tasks: 9 })]).to.deep.equal(['ok', FULL]);
      expect(await create()).to.equal(FULL);
      await world.operator.quotas.update({ tasks: null });
      expect(await create()).to.equal('ok');
    });

    it('nest pages 100 deep unless they say otherwise', async () => {
      const team = await newTeam();
      const { world } = team;
      expect((await world.operator.quotas.get()).depth).to.equal(100);
      let deepest: string | null = null;
      for (let i = 0; i < 100; i += 1) deepest = await team.page(`p${i}`, deepest);
      const deeper = () => outcome(team.page('deeper', deepest));
      expect(await deeper()).to.equal(FULL);
      await world.operator.quotas.update({ depth: null });
      expect(await deeper()).to.equal('ok');
    });

    it('limit what one page, board and task hold, unless they say otherwise', async () => {
      const { operator } = newWorld();
      const { pageEntries, statuses, tags, comments, assignees, taskTags, tasks, pages } = await operator.quotas.get();
      expect({ pageEntries, statuses, tags, comments, assignees, taskTags, tasks, pages }).to.deep.equal({
        pageEntries: 2_000,
        statuses: 500,
        tags: 2_000,
        comments: 2_000,
        assignees: 1_000,
        taskTags: 1_000,
        tasks: null,
        pages: null,
      });
    });

    it('are set by the operator and service administrators alone, and audited', async () => {
      const team = await newTeam();
      const { world } = team;
      expect(await outcome(team.owner.quotas.update({ tasks: 1 }))).to.equal('forbidden');
      expect(await outcome(team.owner.quotas.get())).to.equal('forbidden');
      await world.operator.users.update({ userId: team.admin.userId, administrator: true });
      const before = await team.admin.quotas.get();
      const set = await team.admin.quotas.update({ tasks: 1, tags: null });
      expect(before.tags).to.equal(2_000);
      expect({ ...set, tasks: null }).to.deep.equal({
        ...before,
        tags: null,
        updatedAt: world.time(),
        version: before.version + 1,
      });
      const [latest] = (await world.operator.audit.service({})).items;
      expect([latest?.action, latest?.userId, latest?.before, latest?.after]).to.deep.equal([
        'quotas.update',
        team.admin.userId,
        { tasks: null },
        { tasks: 1 },
      ]);
      for (const limit of [0, 1.5, -1, 'x'] as never[]) {
        expect(await outcome(world.operator.quotas.update({ tasks: limit }))).to.equal('invalid-input');
      }
      expect(await outcome(world.operator.quotas.update({ tokens: 10_001 }))).to.equal('invalid-input');
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
    const idempotencyKey = { key: 'k', digest: 'd' };
    const first = await engine.tasks.create({ caller, idempotencyKey }, { ...at, boardId: id, title: 't' });
    expect(await outcome(create(team.owner))).to.equal(FULL);
    expect(await outcome(create(team.outsider))).to.equal('not-found');
    const again = await engine.tasks.create({ caller, idempotencyKey }, { ...at, boardId: id, title: 't' });
    expect(again.id).to.equal(first.id);
  });
});
