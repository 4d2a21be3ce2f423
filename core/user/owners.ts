import { OWNER } from '../model/role.ts';
import { conflict } from '../kernel/errors.ts';
import type { Member } from '../model/member.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';
import type { Structure } from '../model/structure.ts';
import type { User } from '../model/user.ts';

/**
 * A workspace keeps at least one owner who can sign in.
 *
 * @throws `last-owner` when `leaving` is the only one
 */
export async function requireOtherOwner(tx: ReadTransaction, structure: Structure, leaving: Member): Promise<void> {
  const others = [...structure.members()].filter(
    (member) => member.active && member.role === OWNER && member.id !== leaving.id,
  );
  const users = await tx.users.many(others.map((member) => member.userId));
  if (!others.some((member) => users.get(member.userId)?.disabled === false)) {
    throw conflict('last-owner', 'A workspace needs an owner who can sign in: make another member owner first.');
  }
}

/**
 * Makes the disabling of a user conflict with whatever changes the owners of their workspaces at the
 * same time. @throws `last-owner`
 */
export async function touchOwnedWorkspaces(tx: Transaction, user: User): Promise<void> {
  for (const { workspace, member } of await tx.structures.ofUser(user.id)) {
    if (member.role !== OWNER) continue;
    const structure = await tx.structures.get(workspace.id);
    if (structure === null) continue;
    await requireOtherOwner(tx, structure, member);
    await tx.structures.change(structure, {});
  }
}
