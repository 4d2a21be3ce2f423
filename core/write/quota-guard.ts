import { timestamp } from '../kernel/record.ts';
import { inSteps, forEachItemStepwise } from '../kernel/stepwise.ts';
import type { Member } from '../model/workspace/member.ts';
import type { Page } from '../model/workspace/page.ts';
import { quotaExceeded, quotasInForce, requireWithin, type QuotaName, type Quotas } from '../model/service/quotas.ts';
import type { Task } from '../model/content/task.ts';
import type { TrashItem } from '../model/trash-item.ts';
import type { Context } from '../ports/context.ts';
import type { Board } from '../model/content/board.ts';
import type { CollectionName } from '../model/collections.ts';
import type { Invitation } from '../model/workspace/invitation.ts';
import type { Token } from '../model/user/token.ts';
import type { AnyCollection } from '../ports/collection.ts';
import { withParts } from '../ports/lazy-transaction.ts';
import { AT_ONCE } from '../ports/yielder.ts';
import type { ReadTransaction, StructureRepository, TaskRepository, Transaction } from '../ports/store.ts';
import type { Structure, StructureChange } from '../model/workspace/structure.ts';
import { buildStructure } from '../tree/build.ts';
import { nestsTooDeep } from '../tree/depth.ts';
import { entryCount, totalsDeltaOf, sum, TOTALS, totalsOf } from '../tree/totals.ts';
import { trashTotals } from '../trash/totals.ts';
import { CollectionWrapper } from './collection-wrapper.ts';
import { override } from './override.ts';
import { requireUnreserved } from './reservation.ts';

/** Without a store, as in steps of jobs, reservations do not count. */
type Writer = Pick<Context, 'quotas' | 'clock' | 'yielder'> & Partial<Pick<Context, 'store' | 'reservation'>>;

/**
 * A transaction that refuses writes that exceed a quota. Every use case writes through it, so none can bypass quotas.
 * The quotas are read by the first write that one of them could refuse. It also leaves structures alone that another
 * call has reserved.
 *
 * @throws `quota-exceeded` from writes
 * @throws StructureReserved from writes
 */
export function withQuotas(tx: Transaction, context: Writer): Transaction {
  let loading: Promise<Quotas> | undefined;
  const inForce = () => (loading ??= quotasOf(tx, context));
  /** The ids of items taken out of the trash: they counted there, so what comes back of them is no more than before. */
  const taken = new Set<string>();
  const parts = {
    structures: () => guardStructures(tx, inForce, taken, context),
    tasks: () => guardTasks(tx, inForce, taken),
  };
  return withParts(tx, parts, (name) =>
    name === 'trash' ? new WatchedTrash(tx, taken) : guardCollection(tx, name, inForce, context),
  );
}

/** The quotas in force for a call: those of the store, or of the engine where smaller. */
export async function quotasOf(
  tx: Pick<ReadTransaction, 'settings'>,
  { quotas }: Pick<Context, 'quotas'>,
): Promise<Quotas> {
  return quotasInForce((await tx.settings.get())?.quotas, quotas);
}

type InForce = () => Promise<Quotas>;

/** @param count called only if there is a limit; counts up to it */
async function requireRoom(quotas: Quotas, name: QuotaName, count: (limit: number) => Promise<number>): Promise<void> {
  const limit = quotas[name];
  if (limit !== undefined && (await count(limit)) >= limit) throw quotaExceeded(name, limit);
}

interface Writing {
  readonly quotas: Quotas;
  readonly tx: Transaction;
  readonly now: string;
  readonly isNew: boolean;
}

/** Refuses a record that exceeds a quota, before it is written. */
type Guard<T> = (record: T, writing: Writing) => Promise<void>;

async function guardToken({ userId }: Token, { quotas, tx, isNew }: Writing): Promise<void> {
  if (isNew) await requireRoom(quotas, 'tokens', (limit) => tx.tokens.count('ofUser', { userId }, { limit }));
}

async function guardInvitation(invitation: Invitation, { quotas, tx, now, isNew }: Writing): Promise<void> {
  const { workspaceId, status, expiresAt } = invitation;
  if (!isNew || status !== 'pending' || expiresAt <= now) return;
  await requireRoom(quotas, 'invitations', (limit) =>
    tx.invitations.count('pendingByExpiry', { workspaceId }, { after: { expiresAt: now }, limit }),
  );
}

const OF_A_BOARD = ['statuses', 'tags'] as const satisfies readonly QuotaName[];

async function guardBoard(board: Board, { quotas, tx, isNew }: Writing): Promise<void> {
  const exceeded = OF_A_BOARD.filter((name) => board[name].length > (quotas[name] ?? Infinity));
  if (exceeded.length === 0) return;
  const before = isNew ? null : await tx.boards.get(board.workspaceId, board.id);
  for (const name of exceeded) requireWithin(quotas, name, before?.[name].length ?? 0, board[name].length);
}

/** By collection. The others have no quotas. */
const GUARDS = { tokens: guardToken, invitations: guardInvitation, boards: guardBoard } as Partial<
  Record<CollectionName, Guard<object>>
>;

class GuardedCollection extends CollectionWrapper<object> {
  readonly #guard: (record: object, isNew: boolean) => Promise<void>;

  constructor(inner: AnyCollection, guard: (record: object, isNew: boolean) => Promise<void>) {
    super(inner);
    this.#guard = guard;
  }

  override async insert(record: object): Promise<void> {
    await this.#guard(record, true);
    await super.insert(record);
  }

  override async replace(record: object): Promise<void> {
    await this.#guard(record, false);
    await super.replace(record);
  }
}

/** Notes what is taken out of the trash. */
class WatchedTrash extends CollectionWrapper<object> {
  readonly #taken: Set<string>;

  constructor({ trash }: Transaction, taken: Set<string>) {
    super(trash);
    this.#taken = taken;
  }

  override async remove(item: object): Promise<void> {
    this.#taken.add((item as TrashItem).id);
    await super.remove(item);
  }
}

function guardCollection(
  tx: Transaction,
  name: CollectionName,
  inForce: InForce,
  context: Pick<Context, 'clock'>,
): GuardedCollection | undefined {
  const guard = GUARDS[name];
  if (guard === undefined) return undefined;
  return new GuardedCollection(tx[name] as unknown as AnyCollection, async (record, isNew) =>
    guard(record, { quotas: await inForce(), tx, now: timestamp(context), isNew }),
  );
}

/**
 * The quota `workspaces` is checked for up to this many joining members. An import with more is not refused because of
 * it.
 */
const FEW_MEMBERS = 16;

function guardStructures(
  tx: Transaction,
  inForce: InForce,
  taken: ReadonlySet<string>,
  context: Writer,
): StructureRepository {
  const { yielder = () => AT_ONCE } = context;
  const { structures } = tx;
  const requireRoomOf = (userId: string, quotas: Quotas) =>
    requireRoom(quotas, 'workspaces', (limit) => structures.countOfUser(userId, limit));
  return override(structures, {
    async insert(workspace, owner) {
      await requireRoomOf(owner.userId, await inForce());
      return structures.insert(workspace, owner);
    },
    async open(structure) {
      await requireRoomForAll(structure);
      await structures.open(structure);
    },
    async change(structure, change) {
      requireUnreserved(context, structure.workspace.id);
      await requireRoomFor(structure, change);
      return structures.change(structure, change);
    },
  });

  /** For an imported workspace. */
  async function requireRoomForAll(structure: Structure): Promise<void> {
    const quotas = await inForce();
    const { depth } = quotas;
    const nothing = buildStructure(structure.workspace, 0, [], []);
    const pages: Page[] = [];
    const look = (page: Page): void => {
      requireWithin(quotas, 'pageEntries', 0, entryCount(page));
      pages.push(page);
    };
    await inSteps(forEachItemStepwise(structure.pages(), look), yielder());
    if (depth !== undefined && (await inSteps(nestsTooDeep(nothing, pages, depth), yielder()))) {
      throw quotaExceeded('depth', depth);
    }
    const joining: Member[] = [];
    await inSteps(
      forEachItemStepwise(structure.members(), (member) => {
        if (member.active && joining.length <= FEW_MEMBERS) joining.push(member);
      }),
      yielder(),
    );
    if (joining.length <= FEW_MEMBERS) for (const { userId } of joining) await requireRoomOf(userId, quotas);
    const totals = totalsOf(structure);
    for (const name of TOTALS) requireWithin(quotas, name, 0, totals[name]);
  }

  async function requireRoomFor(structure: Structure, change: StructureChange): Promise<void> {
    const quotas = await inForce();
    const { pages = [], members = [], restoredPages = [] } = change;
    const { depth } = quotas;
    const put = restoredPages.length === 0 ? pages : [...pages, ...restoredPages];
    if (depth !== undefined && (await inSteps(nestsTooDeep(structure, put, depth), yielder()))) {
      throw quotaExceeded('depth', depth);
    }
    for (const page of pages) {
      const before = structure.page(page.id);
      if (before?.entries === page.entries || taken.has(page.id)) continue;
      requireWithin(quotas, 'pageEntries', before === undefined ? 0 : entryCount(before), entryCount(page));
    }
    const joining = members.filter(({ id, active }) => active && structure.member(id)?.active !== true);
    if (joining.length <= FEW_MEMBERS) for (const { userId } of joining) await requireRoomOf(userId, quotas);
    if (pages.some(({ id }) => taken.has(id))) return;
    const growth = totalsDeltaOf(structure, change);
    const limited = TOTALS.filter((name) => growth[name] > 0 && quotas[name] !== undefined);
    if (limited.length > 0) {
      // What is in the trash counts until it is purged.
      const trashed = { members: 0, ...(await trashTotals(tx, structure.workspace.id)) };
      const before = sum(totalsOf(structure), trashed);
      const after = sum(before, growth);
      for (const name of limited) requireWithin(quotas, name, before[name], after[name]);
    }
  }
}

/** Quotas on the content of a task record. The task is written whenever a comment is added, as it counts them. */
const OF_A_TASK = ['comments', 'assignees', 'taskTags'] as const satisfies readonly QuotaName[];

function contentOf({ commentCount, assignees, tags }: Task): Readonly<Record<(typeof OF_A_TASK)[number], number>> {
  return { comments: commentCount, assignees: assignees.length, taskTags: tags.length };
}

const NO_CONTENT: ReturnType<typeof contentOf> = { comments: 0, assignees: 0, taskTags: 0 };

function guardTasks(tx: Transaction, inForce: InForce, taken: ReadonlySet<string>): TaskRepository {
  const { tasks } = tx;
  // What is replaced was mostly read before, so looking whether it grows costs less than the quotas.
  const requireWithinTask = async (task: Task): Promise<void> => {
    const stored = await tasks.get(task.workspaceId, task.id);
    const [before, after] = [stored === null ? NO_CONTENT : contentOf(stored), contentOf(task)];
    const grown = OF_A_TASK.filter((name) => after[name] > before[name]);
    if (grown.length === 0) return;
    const quotas = await inForce();
    for (const name of grown) requireWithin(quotas, name, before[name], after[name]);
  };
  return override(tasks, {
    async insert(task) {
      if (taken.has(task.id)) return tasks.insert(task);
      const quotas = await inForce();
      const content = contentOf(task);
      for (const name of OF_A_TASK) requireWithin(quotas, name, 0, content[name]);
      if (quotas.tasks !== undefined) await requireRoomForTask(tx, task.workspaceId, quotas.tasks);
      return tasks.insert(task);
    },
    async replace(task) {
      await requireWithinTask(task);
      await tasks.replace(task);
    },
    async replaceTogether(all) {
      const quotas = await inForce();
      for (const task of all) {
        const content = contentOf(task);
        if (OF_A_TASK.some((name) => content[name] > (quotas[name] ?? Infinity))) await requireWithinTask(task);
      }
      await tasks.replaceTogether(all);
    },
  });
}

const JOBS = 1000;

/** Unreachable tasks that wait to be purged do not count. */
async function requireRoomForTask(tx: Transaction, workspaceId: string, limit: number): Promise<void> {
  const { tasks: trashed } = await trashTotals(tx, workspaceId);
  const stored = (await tx.tasks.ensureTaskCount(workspaceId)) + trashed;
  if (stored < limit) return;
  const jobs = await tx.jobs.list('ofWorkspace', { workspaceId }, { limit: JOBS });
  const boards = jobs.flatMap((job) => (job.kind === 'purge' && job.notBefore === null ? job.boards : []));
  const filters = [{ field: 'boardId', in: boards }] as const;
  const waiting = boards.length === 0 ? 0 : await tx.tasks.count({ workspaceId, scope: null, filters });
  if (stored - waiting >= limit) throw quotaExceeded('tasks', limit);
}
