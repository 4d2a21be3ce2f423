import { expect } from 'chai';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import type { TransferRecord } from '../../../core/model/transfer-record.ts';
import type { TaskQuery } from '../../../core/model/content/task-query.ts';
import type { Store } from '../../../core/ports/store.ts';
import { eachOf } from '../../fixtures/each-of.ts';
import { finishJobs } from '../../fixtures/jobs.ts';
import { newTeam, type Team } from '../../fixtures/world/team.ts';
import { newWorld, outcome, type World } from '../../fixtures/world/world.ts';

/** More than one step of a job indexes. */
const TASKS = 120;

/** A team with many tasks, each of a sprint from 0 to 9, and a store that notes what it is asked for. */
async function newSprints() {
  const queries: TaskQuery[] = [];
  const noting: Store = noted(memoryStore(), (query) => queries.push(query));
  const team = await newTeam(newWorld(noting));
  const { id: boardId } = await team.board('Board');
  const tasks = Array.from({ length: TASKS }, (_, i) => ({ boardId, title: `t${i}`, metadata: { sprint: i % 10 } }));
  await team.owner.tasks.createMany({ ...team.at, tasks });
  return { ...team, boardId, queries };
}

function noted(store: Store, note: (query: TaskQuery) => void): Store {
  return {
    read: (work) =>
      store.read((tx) => {
        const { tasks } = tx;
        const find = (query: TaskQuery) => {
          note(query);
          return tasks.find(query);
        };
        const noting = new Proxy(tasks, {
          get: (target, name) => {
            const part: unknown = Reflect.get(target, name);
            return name === 'find' ? find : typeof part === 'function' ? (part.bind(target) as unknown) : part;
          },
        });
        return work(new Proxy(tx, { get: (target, name) => (name === 'tasks' ? noting : Reflect.get(target, name)) }));
      }),
    write: (work) => store.write(work),
    ready: () => store.ready(),
    close: () => store.close(),
  };
}

/** The numbers of the tasks of some sprints, and whether an index tells them. */
async function inSprint({ owner, at, queries }: Pick<Team, 'owner' | 'at'> & { queries: TaskQuery[] }, sprint: string) {
  queries.length = 0;
  const { items, total } = await owner.tasks.list({ ...at, metadata: { sprint: [sprint] }, count: true, limit: 500 });
  expect(total).to.equal(items.length);
  const [filter] = queries[0]!.filters;
  const isIndexed = filter !== undefined && 'anyMetadata' in filter && filter.anyMetadata[0]?.index !== undefined;
  return { nums: items.map(({ num }) => num), isIndexed };
}

async function findings({ operator }: World): Promise<readonly unknown[]> {
  return (await operator.doctor.check()).findings;
}

describe('keys of the metadata that are indexed', () => {
  it('answer as before while the index is built, and from it behind that', async () => {
    const team = await newSprints();
    const { owner, at, boardId, world } = team;
    const before = await inSprint(team, '7');
    expect(before.isIndexed).to.equal(false);
    const { indexedMetadata, version } = await owner.workspaces.update({ ...at, indexedMetadata: ['sprint', 'team'] });
    expect(indexedMetadata).to.deep.equal(['sprint', 'team']);
    const made = await owner.tasks.create({ ...at, boardId, title: 'new', metadata: { sprint: '7' } });
    const moved = (await owner.tasks.list({ ...at, num: [before.nums[0]!] })).items[0]!;
    await owner.tasks.update({ ...at, taskId: moved.id, metadata: { sprint: 8 } });
    const meanwhile = await inSprint(team, '7');
    expect(meanwhile).to.deep.equal({ nums: [...before.nums.slice(1), made.num], isIndexed: false });
    expect(await finishJobs(world.ports)).to.be.greaterThan(2);
    expect(await inSprint(team, '7')).to.deep.equal({ ...meanwhile, isIndexed: true });
    expect((await inSprint(team, '8')).nums).to.include(moved.num);
    expect(await findings(world)).to.deep.equal([]);
    const after = await owner.workspaces.get(at);
    expect([after.version, after.indexedMetadata]).to.deep.equal([version, ['sprint', 'team']]);
  });

  it('are kept by every write', async () => {
    const team = await newSprints();
    const { owner, at, world } = team;
    await owner.workspaces.update({ ...at, indexedMetadata: ['sprint'] });
    await finishJobs(world.ports);
    const [first, second, third] = (await owner.tasks.list({ ...at, metadata: { sprint: ['3'] } })).items;
    await owner.tasks.update({ ...at, taskId: first!.id, metadata: null });
    await owner.tasks.update({ ...at, taskId: second!.id, title: 'other' });
    await owner.tasks.delete({ ...at, taskId: third!.id });
    const { nums, isIndexed } = await inSprint(team, '3');
    expect([nums.length, nums.includes(second!.num), isIndexed]).to.deep.equal([TASKS / 10 - 2, true, true]);
    expect(await findings(world)).to.deep.equal([]);
  });

  it('begin anew when they are taken away and named again, whatever has changed in between', async () => {
    const team = await newSprints();
    const { owner, at, world } = team;
    const set = (indexedMetadata: string[]) => owner.workspaces.update({ ...at, indexedMetadata });
    await set(['sprint']);
    await finishJobs(world.ports);
    const [first] = (await owner.tasks.list({ ...at, metadata: { sprint: ['3'] } })).items;
    await set([]);
    await owner.tasks.update({ ...at, taskId: first!.id, metadata: { sprint: 4 } });
    await set(['sprint']);
    expect((await inSprint(team, '3')).nums).not.to.include(first!.num);
    await finishJobs(world.ports);
    const three = await inSprint(team, '3');
    expect([three.isIndexed, three.nums.includes(first!.num)]).to.deep.equal([true, false]);
    expect((await inSprint(team, '4')).nums).to.include(first!.num);
    expect(await findings(world)).to.deep.equal([]);
  });

  it('are up to five, of role Admin and above, and one change of the workspace in the feed', async () => {
    const { owner, admin, member, at } = await newSprints();
    let cursor = '';
    await owner.pages.list(at, { onCursor: (seen) => (cursor = seen) });
    expect(await outcome(member.workspaces.update({ ...at, indexedMetadata: ['a'] }))).to.equal('forbidden');
    expect(await outcome(admin.workspaces.update({ ...at, indexedMetadata: ['a'] }))).to.equal('ok');
    const { items } = await owner.changes.list({ ...at, since: cursor });
    expect(items.map(({ type, fields }) => [type, fields])).to.deep.equal([['workspace.update', ['indexedMetadata']]]);
  });

  it('come along with an exported workspace, and are built where it is imported', async () => {
    const team = await newSprints();
    const { owner, at, world } = team;
    await owner.workspaces.update({ ...at, indexedMetadata: ['sprint'] });
    await finishJobs(world.ports);
    const records: TransferRecord[] = [];
    await owner.exports.workspace({ ...at, sink: (record) => Promise.resolve(void records.push(record)) });
    const there = newWorld(memoryStore(), 100_000);
    const { workspace } = await there.operator.imports.workspace({ records: eachOf(records) });
    expect(workspace.indexedMetadata).to.deep.equal(['sprint']);
    await finishJobs(there.ports);
    expect(await findings(there)).to.deep.equal([]);
    const structure = await there.store.read((tx) => tx.structures.get(at.workspaceId));
    expect(structure?.workspace.metadataIndexes?.map(({ built }) => built)).to.deep.equal([true]);
  });

  it('leave nothing behind when the workspace is deleted', async () => {
    const { owner, at, world } = await newSprints();
    await owner.workspaces.update({ ...at, indexedMetadata: ['sprint'] });
    await finishJobs(world.ports);
    await owner.workspaces.delete(at);
    await finishJobs(world.ports);
    const { more } = await world.store.write((tx) => tx.tasks.clearMetadataIndex(at.workspaceId, null, 0));
    expect(more).to.equal(false);
  });
});
