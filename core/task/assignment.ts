import { sameJson } from '../kernel/partial-update.ts';
import type { Member } from '../model/workspace/member.ts';
import type { Structure } from '../model/workspace/structure.ts';

/**
 * An assignment: how a stored task names an assignee. It is the member's id in the first membership, and has the number
 * of the membership appended in a later one. So assignments of an ended membership differ from those of a member who
 * has rejoined, without rewriting tasks.
 */
export function assignmentOf({ id, membership }: Pick<Member, 'id' | 'membership'>): string {
  return membership === 1 ? id : `${id}${NUMBER}${membership}`;
}

const NUMBER = '#';

/** Whether an assignment is of the present membership of an active member. */
export function isCurrent(structure: Structure, assignment: string): boolean {
  return assigneeOf(structure, assignment) !== undefined;
}

/** The member ids of current assignments. Returns the given list itself if it equals the result. */
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

/** The assignment of a member's present membership. For a former or unknown member it is one that no task holds. */
export function assignmentNow(structure: Structure, memberId: string): string {
  const member = structure.member(memberId);
  if (member === undefined) return memberId;
  return assignmentOf(member.active ? member : { id: memberId, membership: member.membership + 1 });
}

/** The assignments of these members' present memberships. */
export function assignmentsTo(structure: Structure, memberIds: readonly string[]): string[] {
  return memberIds.map((id) => assignmentNow(structure, id));
}

/** The assignments of a task that are replaced by those of these members; itself if they are the assignees already. */
export function replacedAssignments(
  structure: Structure,
  assignments: readonly string[],
  memberIds: readonly string[],
): readonly string[] {
  const areSame = sameJson(memberIds, assigneesOf(structure, assignments));
  return areSame ? assignments : assignmentsTo(structure, memberIds);
}

/** The member of a current assignment; null for any other. */
export function assigneeIdOf(structure: Structure, assignment: string | null): string | null {
  return assignment === null ? null : (assigneeOf(structure, assignment)?.id ?? null);
}

/** The id of the member whom an assignment names, current or not. */
export function assignedMemberOf(assignment: string): string {
  const at = assignment.indexOf(NUMBER);
  return at < 0 ? assignment : assignment.slice(0, at);
}

function assigneeOf(structure: Structure, assignment: string): Member | undefined {
  const member = structure.member(assignedMemberOf(assignment));
  return member?.active === true && assignmentOf(member) === assignment ? member : undefined;
}
