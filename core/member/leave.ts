import type { Context } from '../ports/context.ts';
import { changed, timestamp } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';
import type { Structure } from '../model/structure.ts';
import { detach } from '../task/detach.ts';
import type { Member } from '../model/member.ts';

/**
 * Takes a member out, and with them their assignments. What they were given, and the invitations they issued, need no
 * change: both carry the number of the membership that ends here.
 */
export async function leave(tx: Transaction, context: Context, structure: Structure, member: Member): Promise<void> {
  const at = timestamp(context);
  while (await detach(tx, member.workspaceId, 'assignees', member.id, 500, at)) continue;
  await tx.structures.change(structure, { members: [changed(member, { active: false, leftAt: at }, at)] });
}
