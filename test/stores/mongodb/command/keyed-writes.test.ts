import { expect } from 'chai';
import { newId } from '../../../contract/records.ts';
import { mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';
import { type Watched, watchedService } from './commands.ts';

describe('writes with an idempotency key', function () {
  this.timeout(60_000);
  let service: Watched;

  before(async function () {
    await mongodbUrl(this);
    service = await watchedService('keyed');
  });

  after(() => service?.store.close());

  /** @returns what creates a task in a new workspace, with a key of its own or without one */
  async function taskMaker(name: string) {
    const { engine } = service;
    const person = { name, email: `${name}@example.org` };
    const { id: userId } = await engine.users.create({ caller: { kind: 'operator' } }, person);
    const ada = service.as(userId);
    const { id: workspaceId } = await ada.workspaces.create({ name });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Kanban' });
    await ada.statuses.create({ workspaceId, boardId, name: 'Open' });
    const caller = { kind: 'user', userId } as const;
    const create = (isKeyed: boolean) => {
      const idempotencyKey = isKeyed ? { key: newId(), digest: 'd' } : undefined;
      return engine.tasks.create({ caller, idempotencyKey }, { workspaceId, boardId, title: 'T' });
    };
    await create(true);
    service.sent();
    return create;
  }

  it('take two commands more: the key is looked up, and its answer stored', async () => {
    const create = await taskMaker('alone');
    await create(false);
    const names = service.sent().map(({ commandName }) => commandName);
    await create(true);
    expect(service.sent().length).to.equal(names.length + 2);
  });

  it('share transactions with those of their workspace without one, and never meet them in the database', async () => {
    const create = await taskMaker('both');
    const before = service.conflicts();
    for (let round = 0; round < 5; round += 1)
      await Promise.all(Array.from({ length: 12 }, (_, i) => create(i % 2 === 0)));
    expect(service.conflicts()).to.equal(before);
  });

  it('look up their keys together', async () => {
    const create = await taskMaker('many');
    await Promise.all(Array.from({ length: 20 }, () => create(true)));
    const lookUps = service.sent().filter(({ command }) => command['find'] === 'idempotency');
    // The first goes alone, as it finds nobody to wait for; the others make a group.
    expect(lookUps.length).to.be.at.most(3);
  });
});
