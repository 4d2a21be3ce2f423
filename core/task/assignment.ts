import type { Member } from '../model/member.ts';
import type { Structure } from '../model/structure.ts';

/**
 * How a stored task names an assignee: by the member's id in the first membership, with its number in a later one. So what is
 * left of a membership that has ended is told from the assignments of a member who is back, and nothing is rewritten for it.
 */
export function assignmentOf({ id, membership }: Pick<Member, 'id' | 'membership'>): string {
  return membership === 1 ? id : `${id}${NUMBER}${membership}`;
}

const NUMBER = '#';

/** Whether an assignment is one of the present membership of an active member. */
export function isCurrent(structure: Structure, assignment: string): boolean {
  return assigneeOf(structure, assignment) !== undefined;
}

/** The members' ids that current assignments name. The list given, if it is that. */
export function assigneesOf(structure: Structure, assignments: readonly string[]): readonly string[] {
  let found: string[] | null = null;
  for (let i = 0; i < assignments.length; i++) {
    const assignment = assignments[i]!;
    const id = assigneeOf(structure, assignment)?.id;
    if (found === null && id === assignment) continue;
    found ??= assignments.slice(0, i);
    if (id !== undefined) found.push(id);
  }
  return found ?? assignments;
}

/**
 * What tasks that are assigned to a member hold. Of one who has left, or is not there, no task holds it.
 */
export function assignmentNow(structure: Structure, memberId: string): string {
  const member = structure.member(memberId);
  if (member === undefined) return memberId;
  return assignmentOf(member.active ? member : { id: memberId, membership: member.membership + 1 });
}

/** Assignments to these members, in place of others: what is left of ended memberships goes. */
export function assignmentsTo(structure: Structure, memberIds: readonly string[]): string[] {
  return memberIds.map((id) => assignmentNow(structure, id));
}

function assigneeOf(structure: Structure, assignment: string): Member | undefined {
  const at = assignment.indexOf(NUMBER);
  const member = structure.member(at < 0 ? assignment : assignment.slice(0, at));
  return member?.active === true && assignmentOf(member) === assignment ? member : undefined;
}
