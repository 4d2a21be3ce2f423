import { Readable, Writable } from 'node:stream';
import type { ImportedWorkspace, TransferRecord } from '../../../core/index.ts';
import type { Session } from '../../../core/session.ts';
import { storedTasks } from '../../../core/task/stored-tasks.ts';
import { linesTo, recordsFrom } from '../../../adapters/formats/jsonl/index.ts';
import { join } from '../../fixtures/world/workspace.ts';
import type { Person, World } from '../../fixtures/world/world.ts';

/** The export of a workspace as text. */
export function exported(world: World, workspaceId: string): Promise<string> {
  return written((sink) => world.operator.exports.workspace({ workspaceId, sink }));
}

/** These records as the text of an export. */
export function textOf(records: readonly TransferRecord[]): Promise<string> {
  return written(async (sink) => {
    for (const record of records) await sink(record);
  });
}

async function written(write: (sink: (record: TransferRecord) => Promise<void>) => Promise<unknown>): Promise<string> {
  const parts: string[] = [];
  const out = new Writable({
    decodeStrings: false,
    write(part: string, _encoding, done) {
      parts.push(part);
      done();
    },
  });
  const lines = linesTo(out);
  await write((record) => lines.write(record));
  await lines.end();
  return parts.join('');
}

/** The export of a workspace, record by record. */
export async function exportedRecords(world: World, workspaceId: string): Promise<TransferRecord[]> {
  const records: TransferRecord[] = [];
  await world.operator.exports.workspace({ workspaceId, sink: (record) => void records.push(record) });
  return records;
}

export function imported(world: World, text: string): Promise<ImportedWorkspace> {
  return world.operator.imports.workspace({ records: recordsFrom(Readable.from([Buffer.from(text)])) });
}

/** Begins an import that stands still for good at one of its last records. */
export function died({ imports }: Pick<Session, 'imports'>, records: readonly TransferRecord[]): Promise<void> {
  return new Promise((resolve) => {
    async function* dying(): AsyncIterableIterator<TransferRecord> {
      for (const [i, record] of records.entries()) {
        if (i === records.length - 100) {
          resolve();
          await new Promise(() => undefined);
        }
        yield record;
      }
    }
    void imports.workspace({ records: dying() });
  });
}

export interface Acme {
  readonly workspaceId: string;
  readonly ada: Person;
  readonly boardId: string;
}

const metadata = { n: 5, text: 'Näh 🌱', 'a.b': true };

/** A workspace with something of everything in it. */
export async function acme(world: World, tasks = 20): Promise<Acme> {
  const ada = await world.user('Ada');
  const bob = await world.user('Bob');
  const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
  const at = { workspaceId };
  const memberId = await join(ada, at, bob, 20, 'bob@example.org');
  await ada.invitations.create({ ...at, email: 'eve@example.org' });
  await ada.tokens.create({ name: 'laptop' });
  const folder = await ada.pages.create({ ...at, name: 'Folder', type: 'folder' });
  const board = await ada.boards.create({ ...at, name: 'Dev', parentId: folder.id, externalId: 'b-1' });
  const on = { ...at, boardId: board.id };
  const todo = await ada.statuses.create({ ...on, name: 'Todo' });
  await ada.statuses.create({ ...on, name: 'Done', done: true });
  const tag = await ada.tags.create({ ...on, name: 'bug', color: 'red' });
  await ada.access.grant({ ...at, pageId: folder.id, memberId, access: 200 });
  let before: string | undefined;
  for (let i = 1; i <= tasks; i++) {
    const task = await ada.tasks.create({ ...on, title: `Task ${i}`, tags: [tag.id], assignees: [memberId], metadata });
    if (i % 2 === 0) {
      const on = { ...at, taskId: task.id };
      await ada.checklists.create({ ...on, text: `Näh ${i}`, assigneeId: memberId });
      await ada.checklists.create({ ...on, text: 'First', done: true, afterItemId: null });
    }
    if (i % 3 === 0) await bob.comments.create({ ...at, taskId: task.id, content: `Näh ${i} 🌱`, metadata });
    if (i % 5 === 0) {
      for (const type of ['parent', 'blocks', 'relates'] as const) {
        await ada.tasks.link({ ...at, fromTaskId: task.id, type, taskId: before! });
      }
    }
    before = task.id;
    if (i === tasks) await ada.tasks.delete({ ...at, taskId: task.id });
  }
  const paged = await ada.pages.create({ ...at, name: 'Paged', type: 'task', parentId: board.id });
  await ada.pages.update({ ...at, pageId: paged.id, template: true, metadata });
  await ada.pages.update({ ...at, pageId: folder.id, metadata });
  await ada.boards.update({ ...on, metadata });
  await ada.tags.update({ ...on, tagId: tag.id, metadata });
  await ada.statuses.update({ ...on, statusId: todo.id, metadata });
  await ada.members.update({ ...at, memberId, metadata });
  await ada.workspaces.update({ ...at, metadata });
  return { workspaceId, ada, boardId: board.id };
}

/** Whether nothing of a workspace is stored any more. */
export async function isEmpty(world: World, workspaceId: string): Promise<boolean> {
  await world.purge();
  return world.store.read(async (tx) => {
    const left = [
      await tx.structures.get(workspaceId),
      await tx.boards.by({ workspaceId, externalId: 'b-1' }),
      ...(await tx.jobs.list('all', {}, { limit: 1 })),
      ...(await storedTasks(tx, workspaceId, { limit: 1 })),
    ];
    return left.every((one) => one === null);
  });
}
