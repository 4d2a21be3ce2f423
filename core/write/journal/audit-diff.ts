import { inheritsFully } from '../../access/resolve.ts';
import type { Invitation } from '../../model/workspace/invitation.ts';
import type { Member } from '../../model/workspace/member.ts';
import type { PageEntries, PageEntry } from '../../model/access/page-entry.ts';
import type { Page } from '../../model/workspace/page.ts';
import { sameJson } from '../../kernel/partial-update.ts';
import type { Stepwise } from '../../kernel/stepwise.ts';
import { memoizeByChange } from '../../tree/memoize-change.ts';
import { removalOf } from '../../tree/removal.ts';
import type { StructureChange } from '../../model/workspace/structure.ts';
import type { Token } from '../../model/user/token.ts';
import type { ExternalIdentity } from '../../model/user/external-identity.ts';
import type { ServiceSettings } from '../../model/service/service-settings.ts';
import type { User } from '../../model/user/user.ts';
import type { Workspace } from '../../model/workspace/workspace.ts';
import type { AuditAction, AuditDraft, AuditValues } from '../../model/log/audit-record.ts';

/** The audit records of a change of a structure. */
export const structureAudit = memoizeByChange(function* (structure, change): Stepwise<readonly AuditDraft[]> {
  const workspaceId = structure.workspace.id;
  const diff = auditDiff(workspaceId);
  const drafts: AuditDraft[] = [];
  if (change.workspace !== undefined) {
    drafts.push(
      ...diff('workspace.update', workspaceId, ofWorkspace(structure.workspace), ofWorkspace(change.workspace)),
    );
  }
  for (const member of change.members ?? []) {
    const before = structure.member(member.id);
    const action = before === undefined ? 'member.create' : 'member.update';
    drafts.push(...diff(action, member.id, before === undefined ? null : ofMember(before), ofMember(member)));
  }
  for (const page of change.pages ?? []) {
    const before = structure.page(page.id);
    drafts.push(...accessAudit(diff, before, page));
    const from = before === undefined ? change.restoredFrom?.get(page.id) : before.parentId;
    if (from !== undefined) drafts.push(...diff('page.move', page.id, { parentId: from }, { parentId: page.parentId }));
    yield;
  }
  // Pages below them get their records when the purge removes them.
  const { roots } = yield* removalOf.inSteps(structure, change);
  for (const page of roots) if (!inheritsFully(page)) drafts.push(removalAudit(page));
  return drafts;
});

/** The audit record on the access that is removed with a page. */
export function removalAudit(page: Page): AuditDraft {
  return {
    workspaceId: page.workspaceId,
    action: 'page.delete',
    recordId: page.id,
    before: ofAccess(page),
    after: null,
  };
}

/** The audit records of members and pages that an import stages. */
export function stagedAudit(workspaceId: string, { members = [], pages = [] }: StructureChange): AuditDraft[] {
  const diff = auditDiff(workspaceId);
  return [
    ...members.flatMap((member) => diff('member.create', member.id, null, ofMember(member))),
    ...pages.flatMap((page) => accessAudit(diff, undefined, page)),
  ];
}

/** The audit record of an imported workspace. Those of its members were written when they were staged. */
export function openedAudit(workspace: Workspace): AuditDraft[] {
  return auditDiff(workspace.id)('workspace.create', workspace.id, null, ofWorkspace(workspace));
}

export function createdAudit(workspace: Workspace, owner: Member): AuditDraft[] {
  const diff = auditDiff(workspace.id);
  return [
    ...diff('workspace.create', workspace.id, null, ofWorkspace(workspace)),
    ...diff('member.create', owner.id, null, ofMember(owner)),
  ];
}

export function deletedAudit(workspace: Workspace): AuditDraft[] {
  return auditDiff(workspace.id)('workspace.delete', workspace.id, ofWorkspace(workspace), null);
}

/** Only a pending invitation is ever updated. */
export function invitationAudit(action: 'create' | 'update', invitation: Invitation): AuditDraft[] {
  const { id, workspaceId, email, role, pages, status, memberId } = invitation;
  const diff = auditDiff(workspaceId);
  if (action === 'create') return diff('invitation.create', id, null, { email, role, pages });
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

/** A token is never updated. */
export function tokenAudit(action: 'create' | 'update' | 'delete', token: Token): AuditDraft[] {
  const { id, userId, name, expiresAt, createdById } = token;
  const shown = { userId, name, expiresAt, createdById };
  const diff = auditDiff(null);
  return action === 'delete' ? diff('token.delete', id, shown, null) : diff('token.create', id, null, shown);
}

export function identityAudit({ id, userId, issuer, subject }: ExternalIdentity): AuditDraft[] {
  return auditDiff(null)('identity.create', id, null, { userId, issuer, subject });
}

export function userAudit(before: User | null, after: User): AuditDraft[] {
  const action = before === null ? 'user.create' : 'user.update';
  return auditDiff(null)(action, after.id, before === null ? null : ofUser(before), ofUser(after));
}

/** The record id of the settings of a store, which have none. */
const SETTINGS_ID = '00000000-0000-0000-0000-000000000000';

export function quotaAudit(before: ServiceSettings | null, after: ServiceSettings): AuditDraft[] {
  const unset = Object.fromEntries(Object.keys(after.quotas).map((name) => [name, null]));
  return auditDiff(null)('quotas.update', SETTINGS_ID, { ...unset, ...before?.quotas }, after.quotas);
}

/** Makes audit records with only the fields that differ. @param differing fields that are known to differ */
function auditDiff(workspaceId: string | null) {
  return (
    action: AuditAction,
    recordId: string,
    before: AuditValues | null,
    after: AuditValues | null,
    differing: readonly string[] = [],
  ): AuditDraft[] => {
    if (before === null || after === null) return [{ workspaceId, action, recordId, before, after }];
    const changed = Object.keys(after).filter(
      (field) => differing.includes(field) || !sameJson(before[field], after[field]),
    );
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

function ofAccess(page: Page): AuditValues {
  return { ...ofSettings(page), entries: levelsOf(page.entries, Object.keys(page.entries)) };
}

function ofSettings(page?: Page): AuditValues {
  const { inherit, defaultAccess } = page?.settings ?? { inherit: true, defaultAccess: null };
  return { inherit, defaultAccess };
}

const NO_ENTRIES: PageEntries = {};

/** Includes only entries that differ: a page may have very many. */
function accessAudit(diff: ReturnType<typeof auditDiff>, before: Page | undefined, after: Page): AuditDraft[] {
  const entries = before?.entries ?? NO_ENTRIES;
  const members = entries === after.entries ? [] : differing(entries, after.entries);
  const [was, is] = [ofSettings(before), ofSettings(after)];
  if (members.length === 0) return diff('access.update', after.id, was, is);
  const [levelsBefore, levelsAfter] = [levelsOf(entries, members), levelsOf(after.entries, members)];
  const changed = { before: { ...was, entries: levelsBefore }, after: { ...is, entries: levelsAfter } };
  return diff('access.update', after.id, changed.before, changed.after, ['entries']);
}

/** The members whose entries differ in level or membership. O(entries). */
function differing(before: PageEntries, after: PageEntries): string[] {
  const members = Object.keys(after).filter((id) => !isSameEntry(before[id], after[id]));
  for (const id in before) if (after[id] === undefined) members.push(id);
  return members;
}

function isSameEntry(a: PageEntry | undefined, b: PageEntry | undefined): boolean {
  return a?.level === b?.level && a?.membership === b?.membership;
}

function levelsOf(entries: PageEntries, members: readonly string[]): AuditValues {
  return Object.fromEntries(members.flatMap((id) => (entries[id] === undefined ? [] : [[id, entries[id].level]])));
}

function ofUser({ email, emailVerified, administrator, disabled }: User): AuditValues {
  return { email, emailVerified, administrator, disabled };
}
