import { timestamp } from '../../kernel/record.ts';
import { quotasInForce, type QuotaName, type Quotas, requireWithin } from '../../model/service/quotas.ts';
import type { TrashItem } from '../../model/trash-item.ts';
import type { Context } from '../../ports/context.ts';
import type { Board } from '../../model/content/board.ts';
import type { CollectionName } from '../../model/collections.ts';
import type { Invitation } from '../../model/workspace/invitation.ts';
import type { Token } from '../../model/user/token.ts';
import type { AnyCollection } from '../../ports/collection.ts';
import { withParts } from '../../ports/lazy-transaction.ts';
import type { ReadTransaction, Transaction } from '../../ports/store.ts';
import { CollectionWrapper } from '../collection-wrapper.ts';
import { GuardedStructures, type QuotaContext } from './guarded-structures.ts';
import { GuardedTasks } from './guarded-tasks.ts';
import { type QuotasInForce, requireRoom } from './quota-room.ts';

/**
 * A transaction that refuses writes that exceed a quota. Every use case writes through it, so none can bypass quotas.
 * The quotas are read by the first write that one of them could refuse. It also leaves structures alone that another
 * call has reserved.
 *
 * @throws `quota-exceeded` from writes
 * @throws StructureReserved from writes
 */
export function withQuotas(tx: Transaction, context: QuotaContext): Transaction {
  let loading: Promise<Quotas> | undefined;
  const inForce = () => (loading ??= quotasOf(tx, context));
  /** The ids of items taken out of the trash: they counted there, so what comes back of them is no more than before. */
  const taken = new Set<string>();
  const parts = {
    structures: () => new GuardedStructures(tx, inForce, taken, context),
    tasks: () => new GuardedTasks(tx, inForce, taken),
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

interface Writing {
  readonly quotas: Quotas;
  readonly tx: Transaction;
  readonly now: string;
  readonly isNew: boolean;
}

/** Refuses a record that exceeds a quota, before it is written. */
type QuotaGuard<T> = (record: T, writing: Writing) => Promise<void>;

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
  Record<CollectionName, QuotaGuard<object>>
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
  inForce: QuotasInForce,
  context: Pick<Context, 'clock'>,
): GuardedCollection | undefined {
  const guard = GUARDS[name];
  if (guard === undefined) return undefined;
  return new GuardedCollection(tx[name] as unknown as AnyCollection, async (record, isNew) =>
    guard(record, { quotas: await inForce(), tx, now: timestamp(context), isNew }),
  );
}
