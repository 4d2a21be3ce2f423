import { removeCommentsOf } from '../../../../core/comment/of-task.ts';
import type { Store, Transaction } from '../../../../core/ports/store.ts';
import type { Task } from '../../../../core/model/content/task.ts';
import type { Random } from '../../../contract/random.ts';
import { board, change, comment, member, newId, page, status, task, workspace } from '../../../contract/records.ts';

const ACME = '01900000-0000-7000-8000-000000000001';
const BOARDS = ['01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000012'];

export const WORKSPACE_ID = ACME;

/** What the workload works on: one workspace with two boards of three statuses each. */
export async function prepare(store: Store): Promise<void> {
  await store.write(async (tx) => {
    await tx.structures.insert(workspace({ id: ACME }), member(ACME));
    for (const id of BOARDS) {
      await tx.boards.insert(
        board(ACME, { id, statuses: [status(), status({ orderKey: 1 }), status({ orderKey: 2 })] }),
      );
    }
  });
}

/**
 * Makes one random change, with a change record that tells of it in the same transaction.
 *
 * @returns the id of the change record
 */
export async function step(store: Store, random: Random): Promise<string> {
  const act = random.pick([create, create, create, move, move, discuss, remove, nest]);
  return store.write((tx) => act(tx, random));
}

/** Makes a change and throws: nothing of it may ever be seen. */
export async function failingStep(store: Store, random: Random): Promise<void> {
  const failure = new RangeError('dropped on purpose');
  try {
    await store.write(async (tx) => {
      await create(tx, random);
      throw failure;
    });
  } catch (error) {
    if (error !== failure) throw error;
  }
}

async function create(tx: Transaction, random: Random): Promise<string> {
  const on = await tx.boards.get(ACME, random.pick(BOARDS));
  if (on === null) throw new Error('The board is gone.');
  const num = await tx.tasks.reserveNums(ACME, 1);
  const statusId = random.pick(on.statuses).id;
  const statusOrderKey = await endOf(tx, statusId);
  const made = task(on, num, {
    statusId,
    statusOrderKey,
    externalId: `E-${num}`,
    assignees: random.some(BOARDS),
    description: 'x'.repeat(random.below(3000)),
  });
  await tx.tasks.insert(made);
  return told(tx, 'create', made);
}

async function move(tx: Transaction, random: Random): Promise<string> {
  const moved = await anyTask(tx, random);
  if (moved === null) return create(tx, random);
  const on = await tx.boards.get(ACME, random.pick(BOARDS));
  const statusId = random.pick(on?.statuses ?? []).id;
  const place = { boardId: on?.id ?? moved.boardId, statusId, statusOrderKey: await endOf(tx, statusId) };
  const after = { ...moved, ...place, assignees: random.some(BOARDS), version: moved.version + 1 };
  await tx.tasks.replace(after);
  return told(tx, 'update', after);
}

async function discuss(tx: Transaction, random: Random): Promise<string> {
  const about = await anyTask(tx, random);
  if (about === null) return create(tx, random);
  const said = comment(about);
  await tx.comments.insert(said);
  await tx.tasks.replace({ ...about, commentCount: about.commentCount + 1 });
  const record = change(ACME, { kind: 'comment', recordId: said.id });
  await tx.changes.insert(record);
  return record.id;
}

async function remove(tx: Transaction, random: Random): Promise<string> {
  const gone = await anyTask(tx, random);
  if (gone === null) return create(tx, random);
  await removeCommentsOf(tx, ACME, gone.id, Infinity);
  await tx.tasks.remove(gone);
  return told(tx, 'delete', { ...gone, version: gone.version + 1 });
}

async function nest(tx: Transaction, random: Random): Promise<string> {
  const structure = await tx.structures.get(ACME);
  if (structure === null) throw new Error('The workspace is gone.');
  const parents = [null, ...structure.children(null).map(({ id }) => id)];
  const made = page(ACME, { parentId: random.pick(parents), orderKey: random.below(1000) });
  await tx.structures.change(structure, { pages: [made] });
  const record = change(ACME, { kind: 'page', recordId: made.id });
  await tx.changes.insert(record);
  return record.id;
}

async function endOf(tx: Transaction, statusId: string): Promise<number> {
  const [last] = await tx.tasks.column(ACME, statusId, { descending: true, limit: 1 });
  return (last?.statusOrderKey ?? 0) + 1024;
}

async function anyTask(tx: Transaction, random: Random): Promise<Task | null> {
  const sort = [
    { field: 'num', descending: false },
    { field: 'id', descending: false },
  ] as const;
  const query = { workspaceId: ACME, scope: null, filters: [], sort, limit: 1 };
  const from = random.below((await tx.tasks.lastNum(ACME)) + 1);
  const [found] = await tx.tasks.find({ ...query, after: [from, ''] });
  return found === undefined ? null : (found as Task);
}

async function told(tx: Transaction, action: 'create' | 'update' | 'delete', about: Task): Promise<string> {
  const record = change(ACME, { id: newId(), action, recordId: about.id, version: about.version });
  await tx.changes.insert(record);
  return record.id;
}
