import { effective } from '../access/resolve.ts';
import type { Context } from '../ports/context.ts';
import { invitationsRevoked } from '../invitation/revoke.ts';
import type { Page } from '../model/page.ts';
import { changed, timestamp } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';
import type { Structure } from '../model/structure.ts';
import { detachEverywhere } from '../task/detach.ts';
import type { Member } from '../model/member.ts';

/**
 * Takes a member out. With them go their assignments, the invitations they issued that are pending,
 * and the entries that raise their access; entries that lower it hold again when they come back.
 */
export async function leave(tx: Transaction, context: Context, structure: Structure, member: Member): Promise<void> {
  const at = timestamp(context);
  await invitationsRevoked(tx, context, member);
  await detachEverywhere(tx, member.workspaceId, 'assignees', member.id, at);
  await tx.structures.change(structure, {
    members: [changed(member, { active: false, leftAt: at }, at)],
    pages: withoutRaisingEntries(structure, member.id, member.role),
  });
}

/**
 * The pages with an entry that gives a member of this role more than the page gives such a member
 * without any entries, each without that entry. A denial always stays.
 */
export function withoutRaisingEntries(structure: Structure, memberId: string, role: number): Page[] {
  // Nobody's id: what is left is what the role alone gives.
  const anyone = { memberId: '', role };
  const pages: Page[] = [];
  for (const page of structure.pages()) {
    const entry = page.entries[memberId];
    if (entry === undefined || entry === 0 || entry < effective(structure, anyone, page.id)) continue;
    const { [memberId]: _, ...entries } = page.entries;
    pages.push({ ...page, entries });
  }
  return pages;
}
