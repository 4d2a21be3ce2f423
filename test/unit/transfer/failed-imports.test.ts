import { Readable } from 'node:stream';
import { assert, expect } from 'chai';
import { v7 } from 'uuid';
import { eachOf } from '../../fixtures/each-of.ts';
import { rejects } from '../../fixtures/errors.ts';
import { storedTasks } from '../../../core/task/stored-tasks.ts';
import type { EspalierError, TransferRecord } from '../../../core/index.ts';
import { newWorld } from '../../fixtures/world/world.ts';
import { acme, died, exported, exportedRecords, imported, isEmpty, textOf } from './exported.ts';

const CODE = (code: string) => (error: { code?: string }) => error.code === code;

describe('an import that fails or dies', () => {
  it('leaves nothing of a file cut off at any line, nor of one with a changed byte', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here, 4);
    const text = await exported(here, workspaceId);
    const lines = text.trimEnd().split('\n');
    const broken = [
      ...lines.map((_, i) => lines.slice(0, i).join('\n')),
      text.slice(0, -20),
      text.replace('Task 2', 'Task 9'),
      text.replace('"kind":"task"', '"kind":"cart"'),
      lines.toSpliced(9, 1).join('\n'),
      `${text}${lines.at(-1)}\n`,
      'not an export\n',
      '',
    ];
    for (const file of broken) {
      const there = newWorld();
      await rejects(imported(there, file), CODE('invalid-input'), file.slice(-80));
      assert(await isEmpty(there, workspaceId), file.slice(-80));
    }
  });

  it('leaves its place free when it fails, before it says so', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here, 600);
    const text = await exported(here, workspaceId);
    const there = newWorld();
    await rejects(imported(there, text.replace('Task 590', 'Task 591')), CODE('invalid-input'));
    const left = await there.store.read(async (tx) => [
      ...(await tx.jobs.list('all', {}, { limit: 1 })),
      ...(await storedTasks(tx, workspaceId, { limit: 1 })),
    ]);
    expect(left).to.deep.equal([]);
    await imported(there, text);
  });

  it('takes nothing in of what the doctor would report, and says so as a fault of the file', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here, 4);
    const records = await exportedRecords(here, workspaceId);
    type Of<K> = Extract<TransferRecord, { kind: K }>;
    const each = <K extends TransferRecord['kind']>(kind: K, change: (one: Of<K>) => void) =>
      structuredClone(records).map((one) => {
        if (one.kind === kind) change(one as Of<K>);
        return one;
      });
    const twice = <K extends TransferRecord['kind']>(kind: K, change: (one: Of<K>) => void = () => {}) => {
      const one = structuredClone(records.find((record) => record.kind === kind)) as Of<K>;
      change(one);
      const last = records.findLastIndex((record) => record.kind === kind);
      return records.toSpliced(last + 1, 0, one);
    };
    // The first task has another of its own.
    const twiceOfAnother = (kind: 'comment' | 'checklistItem') => {
      const copy = structuredClone(records);
      const one = copy.find((record) => record.kind === kind) as Of<typeof kind>;
      const first = copy.findIndex((record) => record.kind === 'task');
      const { record: task } = copy[first] as Of<'task'>;
      const done = 'done' in one.record && one.record.done;
      Object.assign(
        task,
        kind === 'comment' ? { commentCount: 1 } : { checklistTotal: 1, checklistDone: Number(done) },
      );
      return copy.toSpliced(first + 1, 0, { kind, record: { ...one.record, taskId: task.id } } as TransferRecord);
    };
    const without = (kind: TransferRecord['kind']) => records.filter((one) => one.kind !== kind);
    type Mutable<T> = { -readonly [K in keyof T]: T[K] };
    const record = <T extends { readonly record: object }>(one: T) => one.record as Mutable<T['record']>;
    const board = records.find((one) => one.kind === 'board')!.record;
    const stranger = v7();
    const faults: Readonly<Record<string, readonly TransferRecord[]>> = {
      'the number of another task': each('task', (one) => (record(one).num = 1)),
      'the place of another task': each('task', (one) => (record(one).statusOrderKey = 1)),
      'a task twice': twice('task', (one) => Object.assign(record(one), { num: 4, statusOrderKey: -1 })),
      'a number never given': each('workspace', (one) => ((one as Mutable<typeof one>).lastNum = 0)),
      'a board twice': twice('board', (one) => (record(one).externalId = null)),
      'a status twice': each('board', (one) => (record(one).statuses = [...board.statuses, board.statuses[1]!])),
      'tags of one name': each(
        'board',
        (one) => (record(one).tags = [...board.tags, { ...board.tags[0]!, id: stranger }]),
      ),
      'statuses out of order': each('board', (one) => (record(one).statuses = board.statuses.toReversed())),
      'another name than the page': each('board', (one) => (record(one).name += '!')),
      'a page without its board': records.filter(
        ({ kind }) => !['board', 'task', 'checklistItem', 'comment'].includes(kind),
      ),
      'a page without its task': records.filter(({ kind }) => !['task', 'checklistItem', 'comment'].includes(kind)),
      'another title than the page': each('task', (one) => (record(one).title += '!')),
      'the page of a task on another board': each('page', (one) => {
        if (one.record.boardId !== null) record(one).boardId = stranger;
      }),
      'a parent that is not there': each('page', (one) => {
        if (one.record.parentId === null) record(one).parentId = stranger;
      }),
      'a page below itself': each('page', (one) => {
        if (one.record.type === 'folder') record(one).parentId = one.record.id;
      }),
      'an unknown maker': each('task', (one) => (record(one).createdById = stranger)),
      'an unknown assignee': each('task', (one) => (record(one).assignees = [stranger])),
      'an unknown assignee of an item': each('checklistItem', (one) => (record(one).assigneeId = stranger)),
      'an unknown author': each('comment', (one) => (record(one).authorId = stranger)),
      'an item twice': each('checklistItem', (one) => (record(one).id = stranger)),
      'a comment of another task twice': twiceOfAnother('comment'),
      'an item of another task twice': twiceOfAnother('checklistItem'),
      'an external id twice': each('task', (one) => (record(one).externalId = 't-1')),
      'the place of another item': each('checklistItem', (one) => (record(one).orderKey = 5)),
      'a user twice': twice('user'),
      'an invitation twice': twice('invitation'),
      'no pages': without('page'),
    };
    for (const [fault, faulty] of Object.entries(faults)) {
      const there = newWorld();
      await rejects(imported(there, await textOf(faulty)), CODE('invalid-input'), fault);
      assert(await isEmpty(there, workspaceId), fault);
    }
  });

  it('brings nothing into another workspace, whatever its records name', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here, 4);
    const records = await exportedRecords(here, workspaceId);
    for (const kind of ['member', 'page', 'invitation', 'board', 'task', 'checklistItem', 'comment'] as const) {
      const index = records.findIndex((one) => one.kind === kind);
      const one = records[index]! as Extract<TransferRecord, { kind: typeof kind }>;
      const elsewhere = { ...one, record: { ...one.record, workspaceId: v7() } } as TransferRecord;
      const there = newWorld();
      await rejects(
        there.operator.imports.workspace({ records: Readable.from(records.with(index, elsewhere)) }),
        (error: EspalierError) => error.errors[0]?.detail === `holds a ${kind} of another workspace`,
        kind,
      );
      assert(await isEmpty(there, workspaceId), kind);
    }
  });

  it('leaves nothing of a page that comes twice', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here, 4);
    const records = await exportedRecords(here, workspaceId);
    const index = records.findIndex(({ kind }) => kind === 'page');
    const there = newWorld();
    const twice = Readable.from(records.toSpliced(index, 0, records[index]!));
    await rejects(there.operator.imports.workspace({ records: twice }), CODE('invalid-input'));
    assert(await isEmpty(there, workspaceId));
  });

  it('leaves nothing of a task that ends before it starts', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here, 4);
    const records = await exportedRecords(here, workspaceId);
    async function* dated(dateStart: string, dateEnd: string): AsyncIterable<TransferRecord> {
      for (const one of records) {
        yield one.kind === 'task' ? { ...one, record: { ...one.record, dateStart, dateEnd } } : one;
      }
    }
    const there = newWorld();
    const wrong = there.operator.imports.workspace({ records: dated('2026-03-02', '2026-03-01') });
    await rejects(wrong, CODE('invalid-input'));
    assert(await isEmpty(there, workspaceId));
    await there.operator.imports.workspace({ records: dated('2026-03-02', '2026-03-02') });
  });

  it('purges what an import that died has written, once its time is over, and not before', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here, 1200);
    const records = await exportedRecords(here, workspaceId);
    const there = newWorld();
    await died(there.operator, records);
    await there.purge();
    await rejects(imported(there, await exported(here, workspaceId)), CODE('workspace-exists'));
    there.pass(61_000);
    assert(await isEmpty(there, workspaceId));
    await imported(there, await exported(here, workspaceId));
    expect((await there.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('says while it goes on, to another of the same workspace, that an import may be in the way', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here, 600);
    const records = await exportedRecords(here, workspaceId);
    const there = newWorld();
    async function* slow(): AsyncIterableIterator<TransferRecord> {
      for (const [i, record] of records.entries()) {
        if (i === 500) await rejects(there.operator.imports.workspace({ records: eachOf(records) }), namesImports);
        yield record;
      }
    }
    const namesImports = ({ code, detail }: { code?: string; detail?: string }) =>
      code === 'workspace-exists' && /import/.test(detail ?? '');
    await there.operator.imports.workspace({ records: slow() });
    expect((await there.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('leaves its place to another once its time is over, though no process has run meanwhile', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here, 600);
    const there = newWorld();
    await died(there.operator, await exportedRecords(here, workspaceId));
    there.pass(61_000);
    await imported(there, await exported(here, workspaceId));
    const { tasks, findings } = await there.operator.doctor.check();
    expect({ tasks, findings }).to.deep.equal({ tasks: 600, findings: [] });
  });

  it('puts nothing in place without its content when the place becomes free meanwhile', async () => {
    const here = newWorld();
    const { workspaceId, ada } = await acme(here, 1200);
    const records = await exportedRecords(here, workspaceId);
    await ada.workspaces.delete({ workspaceId });
    async function* purging(): AsyncIterableIterator<TransferRecord> {
      for (const [i, record] of records.entries()) {
        // Behind the first chunk, which was told that the workspace is still being removed.
        if (i === 1000) await here.purge();
        yield record;
      }
    }
    const { id: userId } = await here.operator.users.create({
      name: 'Ann',
      email: 'ann@example.org',
      administrator: true,
    });
    const importing = (key: string, from: AsyncIterable<TransferRecord>) =>
      here
        .as({ caller: { kind: 'user', userId }, idempotencyKey: { key, digest: 'same' } })
        .imports.workspace({ records: from });
    await rejects(importing('key-1', purging()), CODE('workspace-exists'));
    assert(await isEmpty(here, workspaceId));
    await importing('key-2', purging());
    const { tasks, findings } = await here.operator.doctor.check();
    expect({ tasks, findings }).to.deep.equal({ tasks: 1200, findings: [] });
  });
});
