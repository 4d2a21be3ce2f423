import { inheritsFully } from '../access/resolve.ts';
import type { Invitation } from '../model/invitation.ts';
import type { Member } from '../model/member.ts';
import type { Page } from '../model/page.ts';
import { sameJson } from '../kernel/partial-update.ts';
import { memoizeByChange } from '../tree/memoize-change.ts';
import { removalOf } from '../tree/removal.ts';
import type { Token } from '../model/token.ts';
import type { ExternalIdentity } from '../model/external-identity.ts';
import type { User } from '../model/user.ts';
import type { Workspace } from '../model/workspace.ts';
import type { AuditAction, AuditNote, AuditValues } from '../model/audit-record.ts';

/** What a change of a structure means for who may do what. */
export const structureNotes = memoizeByChange((structure, change): readonly AuditNote[] => {
  const workspaceId = structure.workspace.id;
  const note = noter(workspaceId);
  const notes: AuditNote[] = [];
  if (change.workspace !== undefined) {
    notes.push(
      ...note('workspace.update', workspaceId, ofWorkspace(structure.workspace), ofWorkspace(change.workspace)),
    );
  }
  for (const member of change.members ?? []) {
    const before = structure.member(member.id);
    const action = before === undefined ? 'member.create' : 'member.update';
    notes.push(...note(action, member.id, before === undefined ? null : ofMember(before), ofMember(member)));
  }
  for (const page of change.pages ?? []) {
    const before = structure.page(page.id);
    notes.push(...note('access.update', page.id, before === undefined ? ofAccess() : ofAccess(before), ofAccess(page)));
    if (before !== undefined) {
      notes.push(...note('page.move', page.id, { parentId: before.parentId }, { parentId: page.parentId }));
    }
  }
  for (const page of removalOf(structure, change).pages) {
    if (!inheritsFully(page)) notes.push(...note('page.delete', page.id, ofAccess(page), null));
  }
  return notes;
});

export function createdNotes(workspace: Workspace, owner: Member): AuditNote[] {
  const note = noter(workspace.id);
  return [
    ...note('workspace.create', workspace.id, null, ofWorkspace(workspace)),
    ...note('member.create', owner.id, null, ofMember(owner)),
  ];
}

export function deletedNotes(workspace: Workspace): AuditNote[] {
  return noter(workspace.id)('workspace.delete', workspace.id, ofWorkspace(workspace), null);
}

/** Only a pending invitation is ever changed. */
export function invitationNotes(action: 'create' | 'update', invitation: Invitation): AuditNote[] {
  const { id, workspaceId, email, role, pages, status, memberId } = invitation;
  const note = noter(workspaceId);
  if (action === 'create') return note('invitation.create', id, null, { email, role, pages });
  return [
    {
      workspaceId,
      action: 'invitation.update',
      recordId: id,
      before: { role, status: 'pending' },
      after: { role, status, memberId },
    },
  ];
}

export function tokenNotes(action: 'create' | 'delete', token: Token): AuditNote[] {
  const { id, userId, name, expiresAt, createdById } = token;
  const shown = { userId, name, expiresAt, createdById };
  const note = noter(null);
  return action === 'create' ? note('token.create', id, null, shown) : note('token.delete', id, shown, null);
}

export function identityNotes({ id, userId, issuer, subject }: ExternalIdentity): AuditNote[] {
  return noter(null)('identity.create', id, null, { userId, issuer, subject });
}

export function userNotes(before: User | null, after: User): AuditNote[] {
  const action = before === null ? 'user.create' : 'user.update';
  return noter(null)(action, after.id, before === null ? null : ofUser(before), ofUser(after));
}

/** Notes only what differs, field by field. */
function noter(workspaceId: string | null) {
  return (
    action: AuditAction,
    recordId: string,
    before: AuditValues | null,
    after: AuditValues | null,
  ): AuditNote[] => {
    if (before === null || after === null) return [{ workspaceId, action, recordId, before, after }];
    const changed = Object.keys(after).filter((field) => !sameJson(before[field], after[field]));
    if (changed.length === 0) return [];
    const only = (values: AuditValues) => Object.fromEntries(changed.map((field) => [field, values[field] ?? null]));
    return [{ workspaceId, action, recordId, before: only(before), after: only(after) }];
  };
}

function ofWorkspace({ defaultAccess, name }: Workspace): AuditValues {
  return { name, defaultAccess };
}

function ofMember({ userId, role, position, active }: Member): AuditValues {
  return { userId, role, position, active };
}

function ofAccess(page?: Page): AuditValues {
  const { inherit, defaultAccess } = page?.settings ?? { inherit: true, defaultAccess: null };
  return { inherit, defaultAccess, entries: page?.entries ?? {} };
}

function ofUser({ email, emailVerified, administrator, disabled }: User): AuditValues {
  return { email, emailVerified, administrator, disabled };
}
