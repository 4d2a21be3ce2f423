import { requireFewEnding } from '../member/membership-end.ts';
import { withEntry } from '../access/entries.ts';
import { FULL } from '../model/access/level.ts';
import { effective, principalOf } from '../access/resolve.ts';
import { ADMIN } from '../model/access/role.ts';
import type { Context } from '../ports/context.ts';
import { conflict, EspalierError, found, notFound } from '../kernel/errors.ts';
import { newMember, type Member } from '../model/workspace/member.ts';
import { memberViews, type MemberView } from '../member/members.ts';
import type { Page } from '../model/workspace/page.ts';
import { changed, timestamp } from '../kernel/record.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Structure } from '../model/workspace/structure.ts';
import { withNamedRecords } from '../write/idempotency/visible-answer.ts';
import { write } from '../write/transaction.ts';
import { requireUser } from '../access/identify.ts';
import type { Invitation } from '../model/workspace/invitation.ts';
import { isAddressee, type InvitationId } from './invitations.ts';
import { statusAt } from './view.ts';

/**
 * Accepts an invitation. A former member becomes the same member again, with the role of the invitation.
 *
 * @throws `invitation-unusable` if it is not pending, or its issuer could no longer issue it
 * @throws `already-member`, `being-removed`; the invitation stays pending
 */
export function joinWorkspace(context: Context, input: InvitationId): Promise<MemberView> {
  const answer = withNamedRecords(context, ({ workspaceId }: MemberView) => ({ workspaceId }));
  return write(answer, async (tx) => {
    const user = await requireUser(tx, context);
    const invitation = found(await tx.invitations.get(input.invitationId));
    const structure = found(await tx.structures.get(invitation.workspaceId));
    const former = structure.memberOfUser(user.id);
    const mayRead = former?.active === true && former.role >= Math.max(ADMIN, invitation.role);
    if (!isAddressee(invitation, user) && !mayRead) throw notFound();
    const at = timestamp(context);
    if (statusAt(invitation, structure, at) !== 'pending' || !(await isStillIssuable(tx, structure, invitation))) {
      throw new EspalierError('invitation-unusable', 'The invitation can no longer be used: ask for a new one.');
    }
    if (former?.active === true) throw conflict('already-member', 'You are already a member of this workspace.');
    if (former !== undefined) await requireFewEnding(tx, former);
    const { role, workspaceId } = invitation;
    const member: Member =
      former === undefined
        ? newMember(context.ids.next(), workspaceId, user.id, role, at)
        : changed(former, { role, active: true, leftAt: null, membership: former.membership + 1 }, at);
    const pages = pagesOnJoining(structure, invitation, member, former);
    await tx.structures.change(structure, { members: [member], pages });
    const accepted = { status: 'accepted', acceptedAt: at, memberId: member.id } as const;
    await tx.invitations.replace(changed(invitation, accepted, at));
    await tx.activity.touch(member.id, at);
    return found((await memberViews(tx, [member]))[0]);
  });
}

/** Whether its issuer still has the role and the access to issue it. */
async function isStillIssuable(tx: ReadTransaction, structure: Structure, invitation: Invitation): Promise<boolean> {
  const issuer = found(structure.member(invitation.createdById));
  const user = (await tx.users.many([issuer.userId])).get(issuer.userId);
  const who = principalOf(issuer, user);
  if (who === null || who.role < Math.max(ADMIN, invitation.role)) return false;
  return invitation.pages.every(({ pageId }) => effective(structure, who, pageId) === FULL);
}

/**
 * The pages of the invitation with the levels it grants. For a former member the grants apply in full only if the
 * invitation was addressed to them by email after they left. Otherwise they only cap, as entries of an earlier
 * membership.
 */
function pagesOnJoining(
  structure: Structure,
  invitation: Invitation,
  member: Member,
  former: Member | undefined,
): Page[] {
  const pages = invitation.pages.map(({ pageId, access }) => ({ page: found(structure.page(pageId)), access }));
  if (former === undefined || isMeantForReturn(invitation, former)) {
    return pages.map(({ page, access }) => withEntry(page, member, access));
  }
  return pages
    .filter(({ page, access }) => access < (page.entries[former.id]?.level ?? FULL))
    .map(({ page, access }) => withEntry(page, former, access));
}

function isMeantForReturn({ email, createdAt }: Invitation, { leftAt }: Member): boolean {
  return email !== null && leftAt !== null && createdAt > leftAt;
}
