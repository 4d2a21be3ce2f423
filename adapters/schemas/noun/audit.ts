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
  'One change that concerns access, with the values before and after.',
  exactly({
    id: id({ description: 'The id of the audit record.' }),
    workspaceId: nullable(id(), { description: 'The workspace. Null if the record is about users or tokens.' }),
    at: time({ description: 'The time of the action.' }),
    userId: nullable(id(), { description: 'The user who did it. Null for the operator.' }),
    requestId: nullable(text(128), { description: 'The X-Request-Id of the request. Null if there was none.' }),
    action: oneOf(Object.keys(ACTIONS) as AuditAction[], { description: 'The kind of record and the action.' }),
    recordId: id({ description: 'The id of the changed record.' }),
    before: values('The changed fields with their values before. Null if the record did not exist.'),
    after: values('The changed fields with their values after. Null if the record was removed.'),
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
      'For role Admin and above, newest first. Omits what the caller may not see. A page of the list can have fewer items than its limit and still have a next page.',
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
    description: 'For service administrators. Actions outside workspaces, newest first.',
    input: exactly({ limit, cursor, expand: expand(AUDIT_EXPANSIONS) }),
    output: AuditRecord,
    paged: true,
    lines: true,
    example: { limit: 1 },
  }),
];
