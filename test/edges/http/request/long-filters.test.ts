import { expect } from 'chai';
import { createClient } from '../../../../adapters/client/index.ts';
import { createHttpApp } from '../../../../adapters/http/index.ts';
import { createEspalier, type Espalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import type { Session } from '../../../../core/session.ts';

describe('filters of very many values, through the client', () => {
  let espalier: Espalier;
  let ada: Session;
  let workspaceId: string;
  before(async () => {
    espalier = createEspalier({ store: memoryStore() });
    const { engine, identity } = espalier;
    const { id: userId } = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const { token } = await espalier.tokens.createFor({ userId, name: 'test' });
    const app = createHttpApp({ engine, identity, ready: () => Promise.resolve() });
    ada = createClient({ url: 'http://localhost', token, fetch: (url, init) => app.fetch(new Request(url, init)) });
    ({ id: workspaceId } = await ada.workspaces.create({ name: 'Acme' }));
    const board = await ada.boards.create({ workspaceId, name: 'Dev' });
    await ada.statuses.create({ workspaceId, boardId: board.id, name: 'Todo' });
    const tasks = [{ title: 'One', externalId: 'a,b' }, { title: 'Two' }, { title: 'Three' }];
    await ada.tasks.createMany({ workspaceId, tasks: tasks.map((one) => ({ boardId: board.id, ...one })) });
  });
  after(() => espalier.close());

  /** As many ids as a filter takes, one of them that of a record. */
  const amongOthers = (id: string) => [
    ...Array.from({ length: 99 }, (_, i) => `01a22982-44db-7512-a34e-${String(i).padStart(12, '0')}`),
    id,
  ];

  it('fit, two of as many ids as one takes', async () => {
    const all = await ada.tasks.list({ workspaceId });
    const { statusId, createdById } = all.items[0]!;
    const filter = { statusId: amongOthers(statusId!), createdById: amongOthers(createdById) };
    const first = await ada.tasks.list({ workspaceId, ...filter, limit: 2, sort: ['-num'] });
    expect(first.items.map(({ title }) => title)).to.deep.equal(['Three', 'Two']);
    const rest = await ada.tasks.list({ workspaceId, ...filter, limit: 2, sort: ['-num'], cursor: first.next! });
    expect(rest.items.map(({ title }) => title)).to.deep.equal(['One']);
  });

  it('keep their commas', async () => {
    const found = await ada.tasks.list({ workspaceId, externalId: ['x', 'a,b', 'a', 'b'] });
    expect(found.items.map(({ title }) => title)).to.deep.equal(['One']);
    const none = await ada.tasks.list({ workspaceId, metadata: { key: ['a,b', 'c'] } });
    expect(none.items).to.deep.equal([]);
  });

  it('are refused by name where no query can hold them', async () => {
    const ids = amongOthers(workspaceId);
    for (const [filter, pointer] of [
      [{ statusId: ids, createdById: ids, boardId: ids.slice(1) }, '/createdById'],
      [{ metadata: { key: Array.from({ length: 100 }, () => 'ü'.repeat(500)) } }, '/metadata/key'],
    ] as const) {
      const error: unknown = await ada.tasks.list({ workspaceId, ...filter }).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(EspalierError).with.property('code', 'invalid-input');
      expect((error as EspalierError).errors.map((one) => one.pointer)).to.deep.equal([pointer]);
    }
  });
});
