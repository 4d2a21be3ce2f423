import { assert, expect } from 'chai';
import type { Job } from '../../../../core/model/job.ts';
import type { Task } from '../../../../core/model/content/task.ts';
import { JobRunner } from '../../../../core/jobs/runner.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { WatchedStore } from '../../../fixtures/store/watched-store.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { newWorld, outcome } from '../../../fixtures/world/world.ts';

interface Made {
  readonly boards: readonly string[];
  readonly tasks: readonly string[];
  readonly comments: readonly { readonly taskId: string; readonly id: string }[];
}

/** A board with cards, task pages here and elsewhere, a board below one of them, comments, external ids. */
async function furnish(team: Team, parentId: string | null, mark: string): Promise<Made> {
  const { owner, at } = team;
  const board = await team.board('Board', parentId);
  const inner = await team.board('Inner', await team.page('Task', board.id, 'task'));
  const tasks: string[] = [inner.id];
  const comments: { taskId: string; id: string }[] = [];
  for (const boardId of [board.id, inner.id]) {
    for (let n = 0; n < 3; n += 1) {
      const { id: taskId } = await owner.tasks.create({
        ...at,
        title: 't',
        boardId,
        externalId: `${mark}${boardId}${n}`,
      });
      const { id } = await owner.comments.create({ ...at, taskId, content: 'c', externalId: `${mark}c${boardId}${n}` });
      tasks.push(taskId);
      comments.push({ taskId, id });
    }
  }
  return { boards: [board.id, inner.id], tasks, comments };
}

async function leftovers(team: Team, made: Made): Promise<string[]> {
  const { workspaceId } = team;
  return team.world.store.read(async (tx) => {
    const left: string[] = [];
    const boards = await tx.boards.many(workspaceId, made.boards);
    left.push(...boards.keys());
    const tasks = await tx.tasks.find({
      workspaceId,
      scope: null,
      filters: [],
      sort: [{ field: 'id', descending: false }],
      after: null,
      limit: 10_000,
    });
    left.push(...(tasks as readonly Task[]).filter(({ boardId }) => made.boards.includes(boardId)).map(({ id }) => id));
    for (const id of made.tasks) if ((await tx.tasks.get(workspaceId, id)) !== null) left.push(id);
    for (const { taskId, id } of made.comments) {
      if ((await tx.comments.get(workspaceId, id)) !== null) left.push(id);
      if ((await tx.comments.list('ofTask', { workspaceId, taskId }, { limit: Infinity })).length > 0)
        left.push(taskId);
    }
    for (const boardId of made.boards) {
      if ((await tx.boards.by({ workspaceId, externalId: boardId })) !== null) left.push(boardId);
      for (let n = 0; n < 3; n += 1) {
        for (const mark of ['d', 'k']) {
          const task = await tx.tasks.byExternalId(workspaceId, `${mark}${boardId}${n}`);
          const comment = await tx.comments.by({ workspaceId, externalId: `${mark}c${boardId}${n}` });
          if (task !== null) left.push(task.id);
          if (comment !== null) left.push(comment.id);
        }
      }
    }
    if ((await tx.jobs.list('all', {}, { limit: 1 })).length > 0) left.push('a purge');
    return left;
  });
}

const DELETIONS: readonly (readonly [string, (team: Team, folder: string, made: Made) => Promise<unknown>])[] = [
  ['the page above', (t, folder) => t.owner.pages.delete({ ...t.at, pageId: folder })],
  ['the board', (t, _, made) => t.owner.boards.delete({ ...t.at, boardId: made.boards[0]! })],
  ["the board's page", (t, _, made) => t.owner.pages.delete({ ...t.at, pageId: made.boards[0]! })],
  ['the workspace', (t) => t.owner.workspaces.delete(t.at)],
];

describe('purging', () => {
  for (const [name, remove] of DELETIONS) {
    it(`leaves nothing of what goes with ${name}, and all of the rest`, async () => {
      const team = await newTeam();
      const folder = await team.page('Folder');
      const doomed = await furnish(team, folder, 'd');
      const kept = await furnish(team, null, 'k');
      await remove(team, folder, doomed);
      // Out of reach at once, whatever is still there.
      for (const taskId of doomed.tasks)
        expect(await outcome(team.owner.tasks.get({ ...team.at, taskId }))).to.equal('not-found');
      await team.world.purge();
      expect(await leftovers(team, doomed)).to.deep.equal([]);
      const all = name === 'the workspace';
      expect((await leftovers(team, kept)).length === 0).to.equal(all);
      if (all) return;
      for (const { taskId, id } of kept.comments) {
        const task = await team.owner.tasks.get({ ...team.at, taskId });
        expect(task.comments.map((comment) => comment.id)).to.deep.equal([id]);
      }
    });
  }

  it('takes a deleted task with its comments at once', async () => {
    const team = await newTeam();
    const made = await furnish(team, null, 'd');
    for (const { taskId } of made.comments) await team.owner.tasks.delete({ ...team.at, taskId });
    const left = await leftovers(team, made);
    assert(made.comments.every(({ taskId, id }) => !left.includes(taskId) && !left.includes(id)));
  });

  it('takes the comments of a task with many in small transactions, and frees their external ids at once', async () => {
    const store = new WatchedStore(memoryStore());
    const team = await newTeam(newWorld(store));
    const { owner, at } = team;
    const board = await team.board('Board');
    const [gone, other] = [await team.task(board.id, 'gone'), await team.task(board.id, 'other')];
    const externalId = (n: number) => `c${n}`;
    for (let n = 0; n < 130; n += 1) {
      await owner.comments.create({ ...at, taskId: gone, content: 'c', externalId: externalId(n) });
    }
    store.written.length = 0;
    await owner.tasks.delete({ ...at, taskId: gone });
    expect(store.written.length).to.equal(1);
    for (const n of [0, 129]) {
      await owner.comments.create({ ...at, taskId: other, content: 'c', externalId: externalId(n) });
    }
    expect((await team.world.operator.doctor.check()).findings).to.deep.equal([]);
    // The comments that are left, and the entries of all of them.
    expect(await finishJobs({ ...team.world.ports, store })).to.equal(5);
    await store.read(async (tx) => {
      expect(
        await tx.comments.list('ofTask', { workspaceId: team.workspaceId, taskId: gone }, { limit: Infinity }),
      ).to.deep.equal([]);
      expect(
        (await tx.comments.list('ofTask', { workspaceId: team.workspaceId, taskId: other }, { limit: Infinity }))
          .length,
      ).to.equal(2);
      expect(await tx.jobs.list('all', {}, { limit: 1 })).to.deep.equal([]);
    });
  });

  it('does what a release before has left', async () => {
    const team = await newTeam();
    const { store, ports } = team.world;
    const { workspaceId } = team;
    const top = await team.page('Top');
    const board = await team.board('Board', await team.page('Middle', top));
    const task = await team.task(board.id, 'Task');
    const below = await team.page('Below', board.id);
    const pages = (await team.owner.pages.list(team.at)).map(({ id }) => id);
    await store.write(async (tx) => {
      await tx.structures.change((await tx.structures.get(workspaceId))!, { removedPages: pages });
      // As it was stored: the kind was not, and whose access went was noted by the deletion.
      const job = { id: ports.ids.next(), workspaceId, boards: [board.id], pages: [top], notBefore: null };
      await tx.jobs.insert(job as unknown as Job);
    });
    await finishJobs(ports);
    await store.write(async (tx) => {
      expect(await tx.structures.stored(workspaceId, [...pages, below])).to.deep.equal([]);
      expect(await tx.tasks.get(workspaceId, task)).to.equal(null);
      expect(await tx.boards.get(workspaceId, board.id)).to.equal(null);
      expect(await tx.jobs.list('all', {}, { limit: 1 })).to.deep.equal([]);
    });
    expect(
      (await team.owner.audit.list({ ...team.at })).items.every(({ action }) => action !== 'page.delete'),
    ).to.equal(true);
  });

  it('goes down a chain of pages once for all that a step removes', async () => {
    const store = new WatchedStore(memoryStore());
    const team = await newTeam(newWorld(store));
    const top = await team.page('Top');
    let last = top;
    for (let i = 0; i < 99; i += 1) last = await team.page(`p${i}`, last);
    await team.owner.pages.delete({ ...team.at, pageId: top });
    store.asked = 0;
    const steps = await finishJobs({ ...team.world.ports, store });
    expect(store.asked).to.be.at.most(steps * 101);
  });

  it('goes in steps, and ends', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const tasks = Array.from({ length: 450 }, (_, n) => ({ boardId: board.id, title: `t${n}` }));
    await team.owner.tasks.createMany({ ...team.at, tasks });
    await team.owner.boards.delete({ ...team.at, boardId: board.id });
    const steps = await finishJobs(team.world.ports);
    assert(steps >= 9 && steps < 15, String(steps));
    expect(await finishJobs(team.world.ports)).to.equal(0);
    const { total } = await team.owner.tasks.list({ ...team.at, count: true });
    expect(total).to.equal(0);
  });

  it('ends where boards stand below the pages of tasks of each other', async () => {
    const team = await newTeam();
    const { owner, at, world } = team;
    const folder = await team.page('Folder');
    const boards = [await team.board('One', folder), await team.board('Two', folder)];
    const tasks: string[] = [];
    for (const { id } of boards) {
      const pageId = await team.page('Task', id, 'task');
      await owner.pages.update({ ...at, pageId, parentId: folder });
      tasks.push(pageId);
    }
    const [one, two] = boards;
    // Each board below the page of a task of the other; a third below the page of a task of its own.
    await owner.pages.update({ ...at, pageId: one!.id, parentId: tasks[1]! });
    await owner.pages.update({ ...at, pageId: two!.id, parentId: tasks[0]! });
    const own = await team.page('Task', one!.id, 'task');
    await owner.pages.update({ ...at, pageId: own, parentId: folder });
    const third = await team.board('Three', own);
    await owner.tasks.update({ ...at, taskId: own, boardId: third.id });
    await owner.pages.delete({ ...at, pageId: folder });
    const runner = new JobRunner(world.ports);
    let steps = 0;
    while (steps < 50 && (await runner.step()) === 0) steps += 1;
    expect(steps).to.be.below(50);
    const ids = [...boards, third].map(({ id }) => id);
    expect(await leftovers(team, { boards: ids, tasks: [...tasks, own], comments: [] })).to.deep.equal([]);
    await world.store.read(async (tx) => {
      const stored = await tx.structures.stored(team.workspaceId, [folder, ...ids, ...tasks, own]);
      expect(stored).to.deep.equal([]);
    });
  });

  it('leaves invitations and entries of a deleted workspace to nobody', async () => {
    const team = await newTeam();
    const invitation = await team.owner.invitations.create(team.at);
    await team.owner.workspaces.delete(team.at);
    await team.world.purge();
    await team.world.store.read(async (tx) => {
      expect(await tx.invitations.get(invitation.id)).to.equal(null);
      expect(await tx.invitations.list('ofWorkspace', { workspaceId: team.workspaceId }, { limit: 10 })).to.deep.equal(
        [],
      );
      expect(await tx.structures.get(team.workspaceId)).to.equal(null);
      expect(await tx.structures.ofUser(team.member.userId)).to.deep.equal([]);
      expect(await tx.workspaces.by({ alias: 'acme' })).to.equal(null);
    });
  });
});
