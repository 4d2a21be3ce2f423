import { expect } from 'chai';
import { createEspalier, EspalierError } from '../../../adapters/service/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { listKey } from '../../../core/kernel/list-cursor.ts';

const ok = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
    return 'ok';
  } catch (error) {
    if (!(error instanceof EspalierError)) throw error;
    return [error.code, ...error.errors.map(({ pointer }) => pointer)].join(' ');
  }
};

describe('a cursor', () => {
  async function open() {
    const espalier = createEspalier({ store: memoryStore() });
    const user = await espalier.users.create({ name: 'Ada', email: 'ada@example.org', administrator: true });
    await espalier.users.create({ name: 'Ben', email: 'ben@example.org' });
    const ada = espalier.as(user);
    for (const name of ['a', 'b']) await ada.tokens.create({ name });
    const workspaces = [];
    for (const name of ['Acme', 'Other']) {
      const { id: workspaceId } = await ada.workspaces.create({ name });
      const board = await ada.boards.create({ workspaceId, name: 'Dev' });
      await ada.statuses.create({ workspaceId, boardId: board.id, name: 'Todo' });
      const taskIds: string[] = [];
      for (const title of ['a', 'b', 'c'])
        taskIds.push((await ada.tasks.create({ workspaceId, boardId: board.id, title, priority: 100 })).id);
      for (const title of ['d', 'e']) {
        const { id: taskId } = await ada.tasks.create({ workspaceId, boardId: board.id, title });
        await ada.tasks.delete({ workspaceId, taskId });
      }
      for (const [n, name] of ['x', 'y'].entries()) {
        for (const taskId of taskIds.slice(0, 2)) await ada.tasks.update({ workspaceId, taskId, complete: n === 0 });
        await ada.boards.update({ workspaceId, boardId: board.id, name });
        const page = await ada.pages.create({ workspaceId, name, type: 'folder' });
        await ada.access.changeSettings({ workspaceId, pageId: page.id, inherit: false, defaultAccess: 100 });
      }
      for (let i = 0; i < 2; i += 1) await ada.invitations.create({ workspaceId, role: 20 });
      workspaces.push({ workspaceId, boardId: board.id, taskIds });
    }
    return { ada, acme: workspaces[0]!, other: workspaces[1]! };
  }

  it('goes with its own list only, of all lists there are', async () => {
    const { ada, acme, other } = await open();
    type Page = { readonly limit: number; readonly cursor?: string };
    const lists: readonly ((page: Page) => Promise<{ readonly next: string | null }>)[] = [
      (page) => ada.tasks.list({ workspaceId: acme.workspaceId, ...page }),
      (page) => ada.tasks.list({ workspaceId: other.workspaceId, ...page }),
      (page) => ada.tasks.list({ workspaceId: acme.workspaceId, priority: [100], ...page }),
      (page) => ada.tasks.list({ workspaceId: acme.workspaceId, sort: ['title'], ...page }),
      (page) => ada.invitations.list({ workspaceId: acme.workspaceId, ...page }),
      (page) => ada.invitations.list({ workspaceId: other.workspaceId, ...page }),
      (page) => ada.audit.list({ workspaceId: acme.workspaceId, ...page }),
      (page) => ada.audit.list({ workspaceId: other.workspaceId, ...page }),
      (page) => ada.audit.service(page),
      (page) => ada.access.audit({ workspaceId: acme.workspaceId, ...page }),
      (page) => ada.access.audit({ workspaceId: other.workspaceId, ...page }),
      (page) => ada.trash.list({ workspaceId: acme.workspaceId, ...page }),
      (page) => ada.trash.list({ workspaceId: other.workspaceId, ...page }),
      (page) => ada.tasks.history({ workspaceId: acme.workspaceId, taskId: acme.taskIds[0]!, ...page }),
      (page) => ada.tasks.history({ workspaceId: acme.workspaceId, taskId: acme.taskIds[1]!, ...page }),
      (page) => ada.boards.history({ workspaceId: acme.workspaceId, boardId: acme.boardId, ...page }),
      (page) => ada.pages.history({ workspaceId: acme.workspaceId, pageId: acme.boardId, ...page }),
      (page) => ada.tokens.list(page),
      (page) => ada.users.list(page),
    ];
    const cursors = await Promise.all(lists.map(async (list) => (await list({ limit: 1 })).next!));
    for (const [i, cursor] of cursors.entries()) {
      for (const [j, list] of lists.entries()) {
        const expected = i === j ? 'ok' : 'invalid-input /cursor';
        expect(await ok(list({ limit: 2, cursor })), `${i} to ${j}`).to.equal(expected);
      }
    }
  });

  it('goes with the same filters in whatever order they are given', async () => {
    const { ada, acme } = await open();
    const { workspaceId, boardId } = acme;
    const { next } = await ada.tasks.list({ workspaceId, boardId: [boardId], priority: [100, 200], limit: 1 });
    const again = { priority: [200, 100], boardId: [boardId], workspaceId, cursor: next!, count: true, limit: 5 };
    expect((await ada.tasks.list(again)).items.map(({ title }) => title)).to.deep.equal(['b', 'c']);
  });

  it('is told from another by what is listed, and by each of its filters', () => {
    const keys = [
      listKey('a'),
      listKey('b'),
      listKey('a', { x: 1 }),
      listKey('a', { x: 2 }),
      listKey('a', { x: '1' }),
      listKey('a', { x: ['1'] }),
      listKey('a', { y: 1 }),
      listKey('a', { x: ['1', '2'] }),
      listKey('a', { x: ['1,2'] }),
    ];
    expect(new Set(keys).size).to.equal(keys.length);
    expect(listKey('a', { x: 1, y: 2, z: undefined })).to.equal(listKey('a', { y: 2, x: 1 }));
  });
});
