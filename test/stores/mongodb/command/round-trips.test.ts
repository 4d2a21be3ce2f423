import { expect } from 'chai';
import { page } from '../../../contract/records.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { mongodbPeer, mongodbUrl, rawDatabase } from '../../../fixtures/mongodb/mongodb.ts';
import { type Watched, watchedService } from './commands.ts';
import { serviceOn } from '../service.ts';
import { boardIn, boardOf } from './new-board.ts';

/** Commands one after another that each call takes, the structure being known. The table of docs/mongodb.md. */
const READ = 1;

describe('round trips', function () {
  this.timeout(60_000);
  let service: Watched;

  before(async function () {
    await mongodbUrl(this);
    service = await watchedService('trips');
  });

  after(() => service?.store.close());

  /** @returns the id of a new user */
  async function personNamed(name: string): Promise<string> {
    const person = { name, email: `${name.toLowerCase()}@example.org` };
    return (await service.engine.users.create({ caller: { kind: 'operator' } }, person)).id;
  }

  async function trips(call: () => Promise<unknown>): Promise<string[]> {
    await call();
    service.sent();
    await call();
    return sentNames();
  }

  /** The names of the commands since the last call, but for those that read the settings, which happens again every five seconds. */
  function sentNames(): string[] {
    return service.sent().flatMap(({ command, commandName }) => (command['find'] === 'settings' ? [] : [commandName]));
  }

  it('of reads and writes are as documented, whatever the size of the workspace', async () => {
    const operator = { caller: { kind: 'operator' } } as const;
    const userId = await personNamed('Ada');
    const { token } = await service.engine.tokens.createFor(operator, { userId, name: 'laptop' });
    const call = { caller: { kind: 'token', hash: `hash of ${token}` } } as const;
    const { engine } = service;
    const { id: workspaceId, memberId } = await engine.workspaces.create(call, { name: 'Acme' });
    const board = await engine.boards.create(call, { workspaceId, name: 'Kanban' });
    const at = { workspaceId, boardId: board.id };
    await engine.statuses.create(call, { ...at, name: 'Open' });
    const task = await engine.tasks.create(call, { ...at, title: 'One' });
    const beside = await engine.tasks.create(call, { ...at, title: 'Beside' });
    const other = await engine.tasks.create(call, { ...at, title: 'Other' });
    const page = { workspaceId, pageId: board.id };
    const counts: Record<string, number>[] = [];
    let keys = 0;
    for (const more of [0, 200]) {
      for (let i = 0; i < more; i += 20) {
        await engine.tasks.createMany(call, {
          workspaceId,
          tasks: Array.from({ length: 20 }, () => ({ boardId: board.id, title: 'More' })),
        });
        await engine.pages.create(call, { workspaceId, name: 'More', type: 'folder' });
      }
      const calls: Record<string, () => Promise<unknown>> = {
        'workspaces.get': () => engine.workspaces.get(call, { workspaceId }),
        'workspaces.list': () => engine.workspaces.list(call),
        'members.list': () => engine.members.list(call, { workspaceId }),
        'pages.list': () => engine.pages.list(call, { workspaceId }),
        'pages.get': () => engine.pages.get(call, page),
        'access.members': () => engine.access.members(call, page),
        'boards.list': () => engine.boards.list(call, { workspaceId }),
        'boards.get': () => engine.boards.get(call, at),
        'tasks.get': () => engine.tasks.get(call, { workspaceId, taskId: task.id }),
        'tasks.list': () => engine.tasks.list(call, { workspaceId, boardId: [board.id], limit: 50, count: true }),
        'tasks.list by position': () =>
          engine.tasks.list(call, { workspaceId, boardId: [board.id], sort: ['position'], limit: 50 }),
        'tasks.create': () => engine.tasks.create(call, { ...at, title: 'Two' }),
        'tasks.update': () =>
          engine.tasks.update(call, { workspaceId, taskId: task.id, title: `One ${Math.random()}` }),
        'tasks.update, beside another': () => {
          const afterTaskId = (keys -= 1) % 2 === 0 ? other.id : beside.id;
          return engine.tasks.update(call, { workspaceId, taskId: task.id, afterTaskId });
        },
        'tasks.update, where it stands': () =>
          engine.tasks.update(call, { workspaceId, taskId: task.id, afterTaskId: beside.id }),
        'tasks.update, to a key': () =>
          engine.tasks.update(call, { workspaceId, taskId: task.id, statusOrderKey: (keys -= 1) }),
        'tasks.assign': () => engine.tasks.assign(call, { workspaceId, taskId: task.id, memberId }),
        'pages.update': () => engine.pages.update(call, { ...page, name: `Board ${Math.random()}` }),
        'comments.create': async () => {
          const { id } = await engine.tasks.create(call, { ...at, title: 'Commented' });
          service.sent();
          return engine.comments.create(call, { workspaceId, taskId: id, content: 'Yes.' });
        },
      };
      const count: Record<string, number> = {};
      for (const [name, run] of Object.entries(calls)) count[name] = (await trips(run)).length;
      counts.push(count);
    }
    const [small, large] = counts;
    expect(large).to.deep.equal(small);
    expect(small).to.deep.equal({
      'workspaces.get': READ,
      'workspaces.list': READ,
      'members.list': READ,
      'pages.list': READ,
      'pages.get': READ,
      'access.members': READ,
      'boards.list': READ,
      'boards.get': READ,
      'tasks.get': READ,
      'tasks.list': READ,
      'tasks.list by position': READ,
      'tasks.create': 5,
      'tasks.update': 6,
      'tasks.update, beside another': 6,
      'tasks.update, where it stands': 4,
      'tasks.update, to a key': 6,
      'tasks.assign': 4,
      'pages.update': 6,
      'comments.create': 7,
    });
  });

  it('are shared by writes that wait together, their reads too', async () => {
    const cy = service.as(await personNamed('Cy'));
    const { workspaceId, boardId } = await boardOf(cy);
    const drafts = Array.from({ length: 40 }, () => ({ boardId, title: 'T' }));
    const tasks = await cy.tasks.createMany({ workspaceId, tasks: drafts });
    const moves = (from: number) =>
      Promise.all(
        tasks
          .slice(from, from + 10)
          .map(({ id: taskId }, i) => cy.tasks.update({ workspaceId, taskId, afterTaskId: tasks[from + 10 + i]!.id })),
      );
    await moves(0);
    service.sent();
    await moves(20);
    // The first goes alone, as it finds nobody to wait for; the others make a group. Once in 32 changes a write looks at
    // the oldest changes of the log: a read, before which the inserts so far are sent.
    expect(service.sent().length).to.be.at.most(2 * 6 + 2);
  });

  it('are shared by clients that write again once they are answered', async () => {
    const flo = service.as(await personNamed('Flo'));
    const { workspaceId, boardId } = await boardOf(flo);
    service.sent();
    const client = async () => {
      for (let i = 0; i < 6; i += 1) await flo.tasks.create({ workspaceId, boardId, title: 'T' });
    };
    await Promise.all(Array.from({ length: 10 }, client));
    const commits = service.sent().filter(({ commandName }) => commandName === 'commitTransaction');
    // The first may go alone; then all ten go together.
    expect(commits.length).to.be.at.most(7);
  });

  it('of a structure that another process has changed are one more, and bring what has changed', async () => {
    const userId = await personNamed('Bob');
    const bob = service.as(userId);
    const { id: workspaceId } = await bob.workspaces.create({ name: 'Acme' });
    for (let i = 0; i < 30; i += 1) await bob.pages.create({ workspaceId, name: 'Page', type: 'folder' });
    const other = await serviceOn((options) => mongodbPeer('trips', options));
    try {
      await other.as(userId).pages.create({ workspaceId, name: 'Another', type: 'folder' });
      service.sent();
      expect((await bob.pages.list({ workspaceId })).length).to.equal(31);
      expect(service.sent().length).to.equal(2);
      expect((await bob.pages.list({ workspaceId })).length).to.equal(31);
      expect(service.sent().length).to.equal(1);
    } finally {
      await other.store.close();
    }
  });

  it('of a large workspace bring 2,000 records at most, each of which the driver copies at once', async () => {
    const eve = service.as(await personNamed('Eve'));
    const { id: workspaceId } = await eve.workspaces.create({ name: 'Acme' });
    const other = await serviceOn((options) => mongodbPeer('trips', options));
    try {
      for (let i = 0; i < 9; i += 1) {
        await other.store.write(async (tx) => {
          const pages = Array.from({ length: 500 }, (_, n) => page(workspaceId, { orderKey: i * 500 + n }));
          await tx.structures.change((await tx.structures.get(workspaceId))!, { pages });
        });
      }
    } finally {
      await other.store.close();
    }
    service.sent();
    expect(await eve.pages.list({ workspaceId })).to.have.length(4_500);
    expect(service.sent().filter(({ commandName }) => commandName === 'getMore')).to.have.length(2);
  });

  it('of a step that trims a log are as many, and as small, however many changes go', async () => {
    const di = service.as(await personNamed('Di'));
    const { id: workspaceId } = await di.workspaces.create({ name: 'Acme' });
    for (let i = 0; i < 60; i += 1) await di.workspaces.update({ workspaceId, name: `Acme ${i}` });
    const steps: unknown[] = [];
    for (const floor of [2, 50]) {
      service.sent();
      await service.store.write((tx) => tx.changeLog.trim(workspaceId, floor, 500));
      const sent = service.sent();
      const deletions = sent.flatMap(({ command }) => (command['deletes'] as unknown[] | undefined) ?? []);
      steps.push([sent.map(({ commandName }) => commandName), deletions.length]);
    }
    expect(steps[0]).to.deep.equal(steps[1]);
    expect(steps[0]).to.have.property('1', 1);
    const stored = async () => (await rawDatabase('trips')).collection('changeLog').countDocuments({ workspaceId });
    expect(await stored()).to.equal(12);
    const trim = (limit: number) => service.store.write((tx) => tx.changeLog.trim(workspaceId, 60, limit));
    expect([await trim(3), await stored()]).to.deep.equal([true, 9]);
    expect([await trim(500), await stored()]).to.deep.equal([false, 2]);
  });

  it('are no more for writes in a row, whose log is looked at now and then for what has expired', async () => {
    const gil = service.as(await personNamed('Gil'));
    const at = await boardOf(gil);
    const many = async () => {
      for (let n = 0; n < 40; n += 1) await gil.tasks.create({ ...at, title: `${n}` });
    };
    await many();
    service.sent();
    await many();
    expect(service.sent().filter(({ command }) => command['find'] === 'changeLog')).to.deep.equal([]);
  });

  it('of a purge are as many, however many pages, tasks and pages of tasks one step removes', async () => {
    const eli = service.as(await personNamed('Eli'));
    const at = await boardOf(eli);
    const of = { workspaceId: at.workspaceId } as const;
    const folder = async () => (await eli.pages.create({ ...of, name: 'Folder', type: 'folder' })).id;
    async function sentByPurge(pageId: string): Promise<readonly string[]> {
      await eli.pages.delete({ ...of, pageId, permanently: true });
      service.sent();
      expect(await finishJobs(service.ports)).to.be.at.most(4);
      return sentNames();
    }
    const purges: Record<string, readonly string[]>[] = [];
    // The first of a process asks for more.
    for (const many of [3, 3, 12]) {
      const each = Array.from({ length: many }, (_, n) => `${n}`);
      const parentId = await folder();
      for (const name of each) await eli.pages.create({ ...of, name, type: 'folder', parentId });
      const pages = await sentByPurge(parentId);
      const above = await folder();
      for (const title of each) {
        const { id: taskId } = await eli.tasks.create({ ...at, title });
        await eli.tasks.update({ ...of, taskId, title: `${title}, changed` });
        await eli.pages.create({ ...of, name: title, type: 'task', taskId, parentId: above });
      }
      const pagesOfTasks = await sentByPurge(above);
      const board = await boardIn(eli, of.workspaceId);
      await eli.tasks.createMany({ ...of, tasks: each.map((title) => ({ boardId: board, title })) });
      purges.push({ pages, pagesOfTasks, tasks: await sentByPurge(board) });
    }
    expect(purges[2]).to.deep.equal(purges[1]);
  });

  it('of a snapshot, an export and the removal of a task do not grow with its comments, items and links', async () => {
    const fay = service.as(await personNamed('Fay'));
    const calls: Record<string, number>[] = [];
    for (const many of [3, 8]) {
      const at = await boardOf(fay);
      const of = { workspaceId: at.workspaceId };
      const task = { ...of, taskId: (await fay.tasks.create({ ...at, title: 'One' })).id };
      for (let n = 0; n < many; n += 1) {
        const { id } = await fay.tasks.create({ ...at, title: `${n}` });
        await fay.tasks.link({ ...of, fromTaskId: task.taskId, type: 'relates', taskId: id });
        for (const taskId of [task.taskId, id]) {
          await fay.comments.create({ ...of, taskId, content: 'c' });
          await fay.checklists.create({ ...of, taskId, text: 'i' });
        }
      }
      async function sentBy(call: () => Promise<unknown>): Promise<number> {
        service.sent();
        await call();
        return sentNames().length;
      }
      const operator = { caller: { kind: 'operator' } } as const;
      const user = { caller: { kind: 'user', userId: (await fay.me.get()).id } } as const;
      calls.push({
        snapshot: await sentBy(() => service.engine.changes.snapshot(user, { ...of, sink: () => undefined })),
        export: await sentBy(() => service.engine.exports.workspace(operator, { ...of, sink: () => undefined })),
        removal: await sentBy(() => fay.tasks.delete({ ...task, permanently: true })),
      });
    }
    // Some writes count a history, or look at the log for what has expired.
    for (const [name, sent] of Object.entries(calls[1]!)) expect(sent, name).to.be.at.most(calls[0]![name]! + 3);
  });
});
