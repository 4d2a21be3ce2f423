import { Type } from 'typebox';
import { body, record } from '../components.ts';
import { acme, EXAMPLE_IDS } from '../examples.ts';
import {
  email,
  exactly,
  flag,
  id,
  inWorkspace,
  metadata,
  metadataChanges,
  nullable,
  optional,
  put,
  role,
  shownRole,
  text,
  time,
  versioned,
} from '../fields.ts';
import { operation } from '../operation.ts';

const position = text(200, { description: 'The job title.' });

export const Member = record(
  'Member',
  'The membership of a user in a workspace.',
  exactly({
    id: id({ description: 'The id of the member. It differs from the id of the user.' }),
    workspaceId: id({ description: 'The workspace of the member.' }),
    userId: id({ description: 'The user.' }),
    role: shownRole(),
    position,
    active: flag({ description: 'False for a former member.' }),
    leftAt: nullable(time(), { description: 'The time when the membership ended. Null: it has not ended.' }),
    name: text(200, { description: 'The display name.' }),
    avatar: nullable(text(2_000), { description: 'The address of a picture.' }),
    phone: nullable(text(50), { description: 'The phone number.' }),
    email: email({ description: 'The e-mail address.' }),
    lastActivity: time({ description: 'The time of the last activity, to the minute.' }),
    metadata,
    ...versioned,
  }),
);

const ListMembers = exactly({
  ...inWorkspace,
  former: optional(flag({ default: false, description: 'Include former members.' })),
});

const address = { ...inWorkspace, memberId: id({ description: 'The member.' }) };

const MemberAddress = exactly(address);

export const UpdateMember = body(
  'UpdateMember',
  put(address, { role: optional(role()), position: optional(position), metadata: metadataChanges }, Member),
);

export const memberOperations = [
  operation('members.list', {
    method: 'GET',
    path: '/api/workspace/{id}/members',
    tag: 'Members',
    summary: 'List the members of a workspace',
    description: 'Guests see only themselves.',
    input: ListMembers,
    output: Type.Array(Member),
    forEverybody: true,
    example: acme,
  }),
  operation('members.update', {
    method: 'PUT',
    path: '/api/workspace/{id}/members/{memberId}',
    tag: 'Members',
    summary: 'Change the role or position of a member',
    description:
      'For role Admin and above, for members and roles up to their own role. The last owner must remain owner. Every member may write their own metadata.',
    input: UpdateMember,
    output: Member,
    codes: ['last-owner'],
    conditional: true,
    example: { ...acme, memberId: EXAMPLE_IDS.ben, position: 'Editor' },
  }),
  operation('members.remove', {
    method: 'DELETE',
    path: '/api/workspace/{id}/members/{memberId}',
    tag: 'Members',
    summary: 'Remove a member, or leave',
    description:
      'For role Admin and above, for members of a role up to their own. Every member but the last owner may leave. Access ends at once. Assignments and issued invitations are removed in the background.',
    input: MemberAddress,
    output: null,
    codes: ['last-owner'],
    conditional: true,
    example: { ...acme, memberId: EXAMPLE_IDS.ben },
  }),
];
