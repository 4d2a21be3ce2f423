import { enqueueJob } from '../jobs/enqueue-job.ts';
import { RECORDS_AT_ONCE } from '../jobs/step.ts';
import { changed, timestamp } from '../kernel/record.ts';
import type { Member } from '../model/workspace/member.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import { revokeIssued } from '../invitation/revoke-issued.ts';
import { assignmentOf } from '../task/assignment.ts';
import { detach } from '../task/detach.ts';
import { unassignItems } from '../checklist/unassign.ts';
import { originOf } from '../write/journal/journal.ts';

/**
 * Ends a membership, in a small transaction however much the member has. Entries, issued invitations and assignments
 * carry the number of the membership, so all of them lose their effect at once. If there are many assignments or
 * invitations, a job removes them afterwards.
 */
export async function endMembership(
  tx: Transaction,
  context: Context,
  structure: Structure,
  member: Member,
): Promise<void> {
  const { id: memberId, workspaceId, membership } = member;
  const at = timestamp(context);
  const assigned = await detach(tx, workspaceId, 'assignees', assignmentOf(member), RECORDS_AT_ONCE, at);
  const items = await unassignItems(tx, workspaceId, assignmentOf(member), RECORDS_AT_ONCE / 2, at);
  const issued = await revokeIssued(tx, { workspaceId, memberId, membership }, RECORDS_AT_ONCE, at);
  await tx.structures.change(structure, { members: [changed(member, { active: false, leftAt: at }, at)] });
  if (!assigned && !items && !issued) return;
  const job = { kind: 'membership-end', id: context.ids.next(), workspaceId, memberId, membership } as const;
  await enqueueJob(tx, context, { ...job, notBefore: null, origin: originOf(context) });
}
