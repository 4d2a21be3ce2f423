import { expect } from 'chai';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import { createEspalier } from '../../../adapters/service/index.ts';
import { type Asked, countingKvStore } from '../../fixtures/store/counting-kv-store.ts';

async function newTask() {
  const asked: Asked = { got: [], put: [] };
  const espalier = createEspalier({ store: countingKvStore(asked) });
  const ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
  const at = { workspaceId: (await ada.workspaces.create({ name: 'Acme' })).id };
  const boardId = (await ada.boards.create({ ...at, name: 'Board' })).id;
  await ada.statuses.create({ ...at, boardId, name: 'Todo' });
  const make = async () => (await ada.tasks.create({ ...at, boardId, title: 'Task', tags: [] })).id;
  const [taskId, other] = [await make(), await make()];
  const of = async (write: () => Promise<unknown>) => {
    asked.got.length = asked.put.length = 0;
    await write();
    // Whether the time of the change differs from that before is up to the clock.
    const [got, put] = [asked.got, asked.put].map((all) => all.filter((prefix) => prefix !== PREFIX.taskByUpdate));
    return { got: got!, put: put!.toSorted() };
  };
  return { ada, on: { ...at, taskId }, make, other, of };
}

const count = (all: readonly string[], one: string) => all.filter((each) => each === one).length;

describe('the keys of a write', () => {
  it('are those of what changes: a change and its entry in the history are one key', async () => {
    const { ada, on, other, of } = await newTask();
    const logged = [PREFIX.lastLogged, PREFIX.loggedChange];
    const renamed = await of(() => ada.tasks.update({ ...on, title: 'Better' }));
    expect(renamed.put).to.deep.equal([...logged, PREFIX.task].toSorted());
    const moved = await of(() => ada.tasks.update({ ...on, afterTaskId: other }));
    const keys = [...logged, PREFIX.task, PREFIX.taskByColumn];
    expect(moved.put).to.deep.equal(keys.toSorted());
  });

  it('are read once: the task, the end of the log, and the caller', async () => {
    const { ada, on, other, make, of } = await newTask();
    // The first change asks whether the task has come back from the trash with a history.
    await ada.tasks.update({ ...on, title: 'First' });
    const renamed = await of(() => ada.tasks.update({ ...on, title: 'Better' }));
    for (const prefix of [PREFIX.task, PREFIX.taskById, PREFIX.lastLogged, PREFIX.user, PREFIX.workspaceState]) {
      expect(count(renamed.got, prefix), prefix).to.equal(1);
    }
    expect(renamed.got).to.have.length(5);
    const moved = await of(() => ada.tasks.update({ ...on, afterTaskId: other }));
    expect([count(moved.got, PREFIX.task), count(moved.got, PREFIX.lastLogged)]).to.deep.equal([2, 1]);
    const made = await of(make);
    expect([count(made.got, PREFIX.task), count(made.got, PREFIX.lastLogged)]).to.deep.equal([0, 1]);
  });
});
