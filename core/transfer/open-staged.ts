import { slicesOf } from '../kernel/slices.ts';
import { requireAdministrator } from '../access/identify.ts';
import { structureFindings } from '../doctor/structure.ts';
import { conflict, invalid } from '../kernel/errors.ts';
import { inSteps } from '../kernel/stepwise.ts';
import type { Member } from '../model/workspace/member.ts';
import type { TransferredUser } from '../model/transfer-record.ts';
import { foldEmail, type User } from '../model/user/user.ts';
import { OWNER } from '../model/access/role.ts';
import type { Workspace } from '../model/workspace/workspace.ts';
import { indexesFor, enqueueReindexing } from '../workspace/metadata-indexes.ts';
import type { Context } from '../ports/context.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';
import { RECORDS_PER_STEP } from '../jobs/step.ts';
import { yielderOf } from '../ports/yielder.ts';
import { structureSteps } from '../tree/build.ts';
import { totalsOf } from '../tree/totals.ts';
import { requireAnOwner } from '../user/owners.ts';
import { Journal, originOf } from '../write/journal/journal.ts';
import { read, write } from '../write/transaction.ts';
import { CHUNK, type Staging } from './staging.ts';

/** The most users inserted by the last commit. More are inserted before it. */
const USERS_AT_ONCE = 100;

/**
 * Validates the staged records, writes the members in chunks, and creates the workspace in one small commit.
 *
 * @throws `workspace-exists`, `alias-taken`, `quota-exceeded`, `email-taken`, `invalid-input`, `store-busy`
 */
export async function openStaged(context: Context, staging: Staging): Promise<Workspace> {
  const { held } = staging;
  const workspace = withNewIndexes(context, staging.workspace());
  const people = await usersHere(context, held.users);
  const members = [...held.members.values()].map((member) => {
    return { ...member, userId: people.ids.get(member.userId) ?? member.userId };
  });
  requireOnePerUser(members);
  const yielder = yielderOf(context);
  const structure = await inSteps(structureSteps(workspace, 1, members, [...held.pages.values()]), yielder);
  const users = { many: (ids: readonly string[]) => people.many(ids) };
  const [finding] = await structureFindings({ users }, structure, yielder);
  if (finding !== undefined) throw invalid('', `is inconsistent: ${finding.id} ${finding.detail}`);
  // A structure leaves out what is not reached from its top.
  if (totalsOf(structure).pages < held.pages.size) {
    const lost = [...held.pages.keys()].find((id) => structure.page(id) === undefined);
    throw invalid('', `holds a page whose parent or board is missing: ${lost}`);
  }
  const owners = members.filter(({ active, role }) => active && role === OWNER).map(({ userId }) => userId);
  for await (const some of chunks(context, members)) {
    await staging.write((tx) => tx.structures.stage(workspace.id, { members: some }));
  }
  const first = people.missing.slice(0, -USERS_AT_ONCE);
  if (staging.taken === null) for await (const some of chunks(context, first)) await insertUsers(context, some);
  return write(context, async (tx) => {
    // The call has no stored answer, so it is not a repeated one. The id may be free by now, but nothing was staged.
    if (staging.taken !== null) throw staging.taken;
    await requireAdministrator(tx, context);
    await staging.requireFreePlace(tx);
    for (const user of people.missing.slice(-USERS_AT_ONCE)) await insertUser(tx, user);
    await requireAnOwner(tx, owners);
    await tx.structures.open(structure);
    await enqueueReindexing(tx, context, workspace, []);
    await beginLog(tx, workspace.id);
    const given = await tx.tasks.lastNum(workspace.id);
    if (held.lastNum > given) await tx.tasks.reserveNums(workspace.id, held.lastNum - given);
    await staging.keep(tx);
    return workspace;
  });
}

/** Its tasks were written while it did not exist: their indexes are built after the import. */
function withNewIndexes(context: Context, { metadataIndexes, ...workspace }: Workspace): Workspace {
  if (metadataIndexes === undefined) return workspace;
  const keys = metadataIndexes.map(({ key }) => key);
  return { ...workspace, metadataIndexes: indexesFor(context, [], keys) };
}

/** What is in the log is of a workspace of the same id that was deleted. */
async function beginLog(tx: Transaction, workspaceId: string): Promise<void> {
  const { last } = await tx.changeLog.append(workspaceId, []);
  if (last > 0) await tx.changeLog.trim(workspaceId, last, RECORDS_PER_STEP);
}

interface UserMapping {
  /** The id here of each user of the import. */
  readonly ids: ReadonlyMap<string, string>;
  /** Users to be inserted. */
  readonly missing: readonly User[];
  /** By id here, including new ones. */
  readonly many: (ids: readonly string[]) => Promise<ReadonlyMap<string, User>>;
}

async function usersHere(context: Context, users: readonly TransferredUser[]): Promise<UserMapping> {
  const ids = new Map<string, string>();
  const byId = new Map<string, User>();
  const missing: User[] = [];
  for await (const some of chunks(context, users)) {
    await read(context, async (tx) => {
      for (const transferred of some) {
        // Addresses are unique ignoring case.
        const user = { ...transferred, email: foldEmail(transferred.email) };
        const known = await knownUser(tx, user);
        const here = known ?? { ...user, administrator: false, disabled: false };
        ids.set(user.id, here.id);
        byId.set(here.id, here);
        if (known === null) missing.push(here);
      }
    });
  }
  return {
    ids,
    missing,
    many: (wanted) => Promise.resolve(new Map(wanted.flatMap((id) => (byId.has(id) ? [[id, byId.get(id)!]] : [])))),
  };
}

async function knownUser(tx: ReadTransaction, { id, email }: TransferredUser): Promise<User | null> {
  return (await tx.users.get(id)) ?? (await tx.users.by({ email }));
}

async function insertUsers(context: Context, users: readonly User[]): Promise<void> {
  await context.store.write(async (tx) => {
    await requireAdministrator(tx, context);
    const journal = new Journal();
    const journaled = journal.on(tx);
    for (const user of users) await insertUser(journaled, user);
    await journal.append(tx, context, originOf(context));
  });
}

/** @throws `email-taken` if another user with the address was created in the meantime */
async function insertUser(tx: Transaction, user: User): Promise<void> {
  const known = await knownUser(tx, user);
  if (known === null) return tx.users.insert(user);
  if (known.id !== user.id)
    throw conflict('email-taken', 'Another user now has an e-mail address of the import: try again.');
}

function requireOnePerUser(members: readonly Member[]): void {
  if (members.length === 0) throw invalid('', 'holds a workspace without members');
  if (new Set(members.map(({ userId }) => userId)).size < members.length) {
    throw invalid('', 'holds two members who are the same user here');
  }
}

/** Other work runs between two chunks. */
async function* chunks<T>(context: Context, all: readonly T[]): AsyncIterableIterator<readonly T[]> {
  for (const some of slicesOf(all, CHUNK)) {
    yield some;
    await context.yieldToEventLoop?.();
  }
}
