import { assert, expect } from 'chai';
import { rejects } from '../../fixtures/errors.ts';
import { join } from 'node:path';
import { createEngine } from '../../../core/engine.ts';
import type { Task, TransferRecord } from '../../../core/index.ts';
import { recordsFrom } from '../../../adapters/formats/jsonl/index.ts';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import type { ReadTransaction } from '../../../core/ports/store.ts';
import { wrappedStore } from '../../fixtures/store/wrapped-store.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { DAY, newWorld } from '../../fixtures/world/world.ts';
import { acme, exported, exportedRecords, imported, isEmpty, textOf } from './exported.ts';

const CODE = (code: string) => (error: { code?: string }) => error.code === code;

describe('export and import', () => {
  const folder = temporaryFolder();

  it('export, import into an empty store, export gives the same bytes, on another kind of store too', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here);
    const text = await exported(here, workspaceId);
    const store = embeddedStore({ path: join(folder, 'there.db') });
    const there = newWorld(store);
    const { count } = await imported(there, text);
    expect(count).to.deep.equal({
      workspace: 1,
      user: 2,
      member: 2,
      page: 3,
      invitation: 1,
      board: 1,
      task: 20,
      checklistItem: 18,
      comment: 6,
    });
    expect(await exported(there, workspaceId)).to.equal(text);
    expect((await there.operator.doctor.check()).findings).to.deep.equal([]);
    await store.close();
  });

  it('takes an export whose lines were made to end as others end, and that begins with a byte order mark', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here, 4);
    const text = await exported(here, workspaceId);
    const there = newWorld();
    await imported(there, `\uFEFF${text.replaceAll('\n', '\r\n')}`);
    expect(await exported(there, workspaceId)).to.equal(text);
  });

  it('refuses links that do not fit, and leaves those to the trash behind', async () => {
    const here = newWorld(undefined, 0, undefined, DAY);
    const { workspaceId, ada } = await acme(here, 9);
    const records = await exportedRecords(here, workspaceId);
    const linked = records.flatMap((one) => (one.kind === 'task' && one.record.links ? [one.record] : []));
    expect(linked.map(({ num }) => num)).to.deep.equal([4, 5]);
    const [first, second] = linked as [Task, Task];
    const changes: readonly Partial<Record<string, Task['links']>>[] = [
      { [first.id]: undefined },
      { [first.id]: { ...first.links, relates: [first.id] } },
      {
        [first.id]: { parent: [second.id], child: [second.id] },
        [second.id]: { parent: [first.id], child: [first.id] },
      },
    ];
    for (const links of changes) {
      const changed = records.map((one): TransferRecord => {
        if (one.kind !== 'task' || !(one.record.id in links)) return one;
        const { links: _, ...record } = one.record;
        const given = links[record.id];
        return { kind: 'task', record: given === undefined ? record : { ...record, links: given } };
      });
      const there = newWorld();
      const text = await textOf(changed);
      await rejects(imported(there, text), CODE('invalid-input'));
      assert(await isEmpty(there, workspaceId));
    }
    await ada.tasks.delete({ workspaceId, taskId: first.id });
    const after = await exportedRecords(here, workspaceId);
    expect(after.some((one) => one.kind === 'task' && one.record.links !== undefined)).to.equal(false);
    const there = newWorld();
    await imported(there, await textOf(after));
    expect((await there.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('writes the fields of a task in one order, in whatever order the store gives them', async () => {
    const reversed = (task: Task) => Object.fromEntries(Object.entries(task).toReversed()) as unknown as Task;
    const store = wrappedStore(memoryStore(), {
      read: (tx) => {
        const value: Pick<ReadTransaction['tasks'], 'find' | 'get' | 'lastNum'> = {
          find: async (query) => (await tx.tasks.find(query)).map((task) => reversed(task as Task)),
          get: (workspaceId, id) => tx.tasks.get(workspaceId, id),
          lastNum: (workspaceId) => tx.tasks.lastNum(workspaceId),
        };
        return Object.create(tx, { tasks: { value } }) as typeof tx;
      },
    });
    const [here, there] = [newWorld(), newWorld(store)];
    const texts = [];
    for (const world of [here, there]) texts.push(await exported(world, (await acme(world)).workspaceId));
    expect(texts[1]).to.equal(texts[0]);
  });

  it('takes an export from before there were checklists', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here, 5);
    const older = (await exportedRecords(here, workspaceId)).flatMap((transferred): TransferRecord[] => {
      if (transferred.kind === 'checklistItem') return [];
      if (transferred.kind !== 'task') return [transferred];
      const { checklistTotal: _, checklistDone: __, ...record } = transferred.record;
      return [{ kind: 'task', record: record as Task }];
    });
    const there = newWorld();
    const { count } = await imported(there, await textOf(older));
    expect([count.task, count.checklistItem]).to.deep.equal([5, 0]);
    const tasks = (await exportedRecords(there, workspaceId)).flatMap((one) =>
      one.kind === 'task' ? [one.record] : [],
    );
    expect(tasks.map(({ checklistTotal }) => checklistTotal)).to.deep.equal([0, 0, 0, 0, 0]);
    expect((await there.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('refuses a task with other items than it counts', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here, 5);
    const records = await exportedRecords(here, workspaceId);
    const first = records.findIndex(({ kind }) => kind === 'checklistItem');
    const item = records[first] as Extract<TransferRecord, { kind: 'checklistItem' }>;
    const ticked: TransferRecord = { kind: 'checklistItem', record: { ...item.record, done: !item.record.done } };
    for (const wrong of [records.toSpliced(first, 1), records.toSpliced(first, 0, item), records.with(first, ticked)]) {
      const there = newWorld();
      await rejects(imported(there, await textOf(wrong)), CODE('invalid-input'));
      assert(await isEmpty(there, workspaceId));
    }
  });

  it('gives no running number again that was given before', async () => {
    const here = newWorld();
    const { workspaceId, ada, boardId } = await acme(here, 5);
    const before = await ada.tasks.create({ workspaceId, boardId, title: 'last' });
    await ada.tasks.delete({ workspaceId, taskId: before.id });
    const there = newWorld();
    await imported(there, await exported(here, workspaceId));
    const again = there.as({ caller: { kind: 'user', userId: ada.userId } });
    expect((await again.tasks.create({ workspaceId, boardId, title: 'next' })).num).to.equal(before.num + 1);
  });

  it('leaves tokens, pending invitations and rights in the service behind', async () => {
    const here = newWorld();
    const { workspaceId, ada } = await acme(here);
    await here.operator.users.update({ userId: ada.userId, administrator: true });
    const text = await exported(here, workspaceId);
    const there = newWorld();
    await imported(there, text);
    const user = await there.operator.users.get({ userId: ada.userId });
    expect(user.administrator).to.equal(false);
    const again = there.as({ caller: { kind: 'user', userId: ada.userId } });
    expect((await again.tokens.list()).items).to.deep.equal([]);
    const invitations = await again.invitations.list({ workspaceId });
    expect(invitations.items.map(({ status }) => status)).to.deep.equal(['accepted']);
  });

  it('takes a user whose e-mail address is known to be that user', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here);
    const there = newWorld();
    await there.operator.users.create({ name: 'Somebody', email: 'first@example.org' });
    const known = await there.operator.users.create({ name: 'Ada L.', email: 'bob@example.org' });
    await imported(there, await exported(here, workspaceId));
    const session = there.as({ caller: { kind: 'user', userId: known.id } });
    expect((await session.workspaces.get({ workspaceId })).role).to.equal(20);
  });

  it('takes an address in other letters for the same', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here);
    const shouted = (await exportedRecords(here, workspaceId)).map((one): TransferRecord => {
      return one.kind === 'user' ? { ...one, record: { ...one.record, email: one.record.email.toUpperCase() } } : one;
    });
    const there = newWorld(undefined, 1_000);
    const known = await there.operator.users.create({ name: 'Bob', email: 'bob@example.org' });
    await imported(there, await textOf(shouted));
    const emails = (await there.operator.users.list({})).items.map(({ email }) => email);
    expect(emails.toSorted()).to.deep.equal(['ada@example.org', 'bob@example.org']);
    const session = there.as({ caller: { kind: 'user', userId: known.id } });
    expect((await session.workspaces.get({ workspaceId })).role).to.equal(20);
  });

  it('refuses a workspace that is there, and changes nothing', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here);
    const text = await exported(here, workspaceId);
    await rejects(imported(here, text), CODE('workspace-exists'));
    expect(await exported(here, workspaceId)).to.equal(text);
  });

  it('names the line that is too long to be parsed at once, in however many parts it comes', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here);
    const lines = (await exported(here, workspaceId)).trimEnd().split('\n');
    const longest = Math.max(...lines.map((line) => line.length));
    const read = async (text: string, size: number, most: number) => {
      async function* parts(): AsyncIterableIterator<Uint8Array> {
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      }
      let count = 0;
      for await (const _ of recordsFrom(parts(), most)) count += 1;
      return count;
    };
    const text = `${lines.join('\n')}\n`;
    const second = [...lines.slice(0, 1), `${lines[1]}${' '.repeat(longest)}`, ...lines.slice(2)].join('\n');
    for (const size of [1, 7, 100, 1e6]) {
      expect(await read(text, size, longest)).to.equal(lines.length - 2);
      const error = await read(second, size, longest).catch((thrown: unknown) => thrown);
      expect(error).to.have.property('code', 'invalid-input');
      expect(error).to.have.nested.property('errors[0].pointer', '/2');
    }
  });

  it('lets others run while it reads records, those too that are kept until the end', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here);
    const records = await exportedRecords(here, workspaceId);
    const there = newWorld();
    let steps = 0;
    const yielder = () => ({
      step: () => {
        steps += 1;
        return null;
      },
    });
    const engine = createEngine({ ...there.ports, yielder });
    async function* read(): AsyncIterableIterator<TransferRecord> {
      for (const record of records) {
        const before = steps;
        yield record;
        expect(steps).to.be.above(before);
      }
    }
    await engine.imports.workspace({ caller: { kind: 'operator' } }, { records: read() });
  });

  it('is for owners and the operator to export, for administrators and the operator to import', async () => {
    const here = newWorld();
    const { workspaceId, ada } = await acme(here);
    const sink = () => undefined;
    const bob = here.as({ caller: { kind: 'user', userId: (await here.operator.users.list()).items[1]!.id } });
    await rejects(bob.exports.workspace({ workspaceId, sink }), CODE('forbidden'));
    const eve = await here.user('Eve');
    await rejects(eve.exports.workspace({ workspaceId, sink }), CODE('not-found'));
    await ada.exports.workspace({ workspaceId, sink });
    async function* none(): AsyncIterableIterator<TransferRecord> {
      yield { kind: 'workspace', record: {} as never, lastNum: 0 };
    }
    await rejects(ada.imports.workspace({ records: none() }), CODE('forbidden'));
  });
});
