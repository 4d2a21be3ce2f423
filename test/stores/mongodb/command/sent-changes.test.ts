import { expect } from 'chai';
import { user } from '../../../contract/records.ts';
import { mongodbPeer, mongodbUrl, rawDatabase } from '../../../fixtures/mongodb/mongodb.ts';
import { type Watched, watchedService } from './commands.ts';
import { boardOf } from './new-board.ts';

const LONG = 'long '.repeat(2_000);

describe('a change of a record that was read', function () {
  this.timeout(60_000);
  let service: Watched;

  before(async function () {
    await mongodbUrl(this);
    service = await watchedService('sent-changes');
  });

  after(() => service?.store.close());

  it('sends the fields that differ, and leaves the document as a whole record would', async () => {
    const operator = { caller: { kind: 'operator' } } as const;
    const { id } = await service.engine.users.create(operator, { name: 'Ada', email: 'ada@example.org' });
    const ada = service.as(id);
    const { workspaceId, boardId } = await boardOf(ada);
    const draft = { boardId, title: 'T', description: LONG, metadata: { sprint: 12 } };
    const { id: taskId } = await ada.tasks.create({ workspaceId, ...draft });
    const { id: afterTaskId } = await ada.tasks.create({ workspaceId, ...draft });
    service.sent();
    await ada.tasks.update({ workspaceId, taskId, afterTaskId });
    await ada.tasks.update({ workspaceId, taskId, metadata: null });
    const writes = service.sent().filter(({ command }) => command['update'] === 'tasks');
    expect(writes).to.have.length(2);
    for (const { command } of writes) expect(JSON.stringify(command)).to.not.include(LONG);
    const tasks = (await rawDatabase('sent-changes')).collection<{ _id: string }>('tasks');
    const changed = await tasks.findOne({ _id: { $eq: taskId } });
    expect(changed).to.not.have.property('metadata');
    const peer = await mongodbPeer('sent-changes');
    const task = await peer.read((tx) => tx.tasks.get(workspaceId, taskId));
    await tasks.deleteOne({ _id: { $eq: taskId } });
    await peer.write((tx) => tx.tasks.insert(task!));
    expect(await tasks.findOne({ _id: { $eq: taskId } })).to.deep.equal(changed);
    await peer.close();
  });

  it('removes what was derived from a field of a task that was read in a list', async () => {
    const operator = { caller: { kind: 'operator' } } as const;
    const { id } = await service.engine.users.create(operator, { name: 'Ben', email: 'ben@example.org' });
    const ben = service.as(id);
    const { workspaceId, boardId } = await boardOf(ben);
    await ben.workspaces.update({ workspaceId, indexedMetadata: ['sprint'] });
    const { id: taskId } = await ben.tasks.create({ workspaceId, boardId, title: 'T', metadata: { sprint: 12 } });
    const tasks = (await rawDatabase('sent-changes')).collection<{ _id: string }>('tasks');
    expect(await tasks.findOne({ _id: { $eq: taskId } })).to.have.property('indexed');
    await service.store.write(async (tx) => {
      const sort = [{ field: 'id', descending: false }] as const;
      await tx.tasks.find({ workspaceId, scope: null, filters: [], sort, after: null, limit: 1 });
      const { metadata: _, ...without } = (await tx.tasks.get(workspaceId, taskId))!;
      await tx.tasks.replace(without);
    });
    expect(await tasks.findOne({ _id: { $eq: taskId } })).to.not.have.property('indexed');
  });

  it('sends what the last of several changes leaves, each after the one before', async () => {
    const made = user();
    await service.store.write((tx) => tx.users.insert(made));
    await service.store.write(async (tx) => {
      await tx.users.get(made.id);
      await Promise.all([
        tx.users.replace({ ...made, name: 'B', version: 2 }),
        tx.users.replace({ ...made, phone: '1', version: 3 }),
      ]);
    });
    const found = await service.store.read((tx) => tx.users.get(made.id));
    expect(found).to.deep.equal({ ...made, phone: '1', version: 3 });
  });
});
