import { Type } from 'typebox';
import type { AuditAction, AuditValues } from '../../../core/model/log/audit-record.ts';
import { record } from '../components.ts';
import { acme } from '../examples.ts';
import { cursor, exactly, id, inWorkspace, limit, nullable, oneOf, optional, text, time } from '../fields.ts';
import { AUDIT_EXPANSIONS } from '../../../core/audit/list.ts';
import { expand, expanded, orNull, UserName } from '../names.ts';
import { operation } from '../operation.ts';

const ACTIONS: Readonly<Record<AuditAction, true>> = {
  'workspace.create': true,
  'workspace.update': true,
  'workspace.delete': true,
  'member.create': true,
  'member.update': true,
  'invitation.create': true,
  'invitation.update': true,
  'access.update': true,
  'page.move': true,
  'page.delete': true,
  'token.create': true,
  'token.delete': true,
  'identity.create': true,
  'user.create': true,
  'user.update': true,
  'quotas.update': true,
};

const values = (description: string) => Type.Unsafe<AuditValues | null>({ type: ['object', 'null'], description });

export const AuditRecord = record(
  'AuditRecord',
  'One change to who may do what, as it was and as it is.',
  exactly({
    id: id({ description: 'Of the audit record.' }),
    workspaceId: nullable(id(), { description: 'Where it was done. Null: it is about users or tokens.' }),
    at: time({ description: 'When it was done.' }),
    userId: nullable(id(), { description: 'Who did it; null for the operator.' }),
    requestId: nullable(text(128), { description: 'The X-Request-Id of the request. Null: there was none.' }),
    action: oneOf(Object.keys(ACTIONS) as AuditAction[], { description: 'What was done, to what kind of record.' }),
    recordId: id({ description: 'What it was done to.' }),
    before: values('The fields that changed, with their values before; null if it did not exist.'),
    after: values('The fields that changed, with their values after; null if it was removed.'),
    expanded: expanded({ user: optional(orNull(UserName, 'Null for the operator.')) }),
  }),
);

const ListAudit = exactly({ ...inWorkspace, limit, cursor, expand: expand(AUDIT_EXPANSIONS) });

export const auditOperations = [
  operation('audit.list', {
    method: 'GET',
    path: '/api/workspace/{id}/audit',
    tag: 'Workspaces',
    summary: 'Read the audit trail of a workspace',
    description:
      'Newest first. For role Admin and above, as far as the caller may see what is named. A page of the list may have fewer items than its limit and still have a next one.',
    input: ListAudit,
    output: AuditRecord,
    paged: true,
    lines: true,
    example: { ...acme, limit: 1, expand: ['user'] },
  }),
  operation('audit.service', {
    method: 'GET',
    path: '/api/audit',
    tag: 'Users',
    summary: 'Read the audit trail of users and tokens',
    description: 'What belongs to no workspace, newest first. For service administrators.',
    input: exactly({ limit, cursor, expand: expand(AUDIT_EXPANSIONS) }),
    output: AuditRecord,
    paged: true,
    lines: true,
    example: { limit: 1 },
  }),
];
