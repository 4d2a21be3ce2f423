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

const position = text(200, { description: 'Job title.' });

export const Member = record(
  'Member',
  "A user's place in a workspace.",
  exactly({
    id: id({ description: 'Distinct from the user.' }),
    workspaceId: id({ description: 'The workspace that it is in.' }),
    userId: id({ description: 'The user.' }),
    role: shownRole(),
    position,
    active: flag({ description: 'False for one who left.' }),
    leftAt: nullable(time(), { description: 'When they left. Null: they have not.' }),
    name: text(200, { description: 'Display name.' }),
    avatar: nullable(text(2_000), { description: 'Address of a picture.' }),
    phone: nullable(text(50), { description: 'Phone number.' }),
    email: email({ description: 'E-mail address.' }),
    lastActivity: time({ description: 'To the minute.' }),
    metadata,
    ...versioned,
  }),
);

const ListMembers = exactly({
  ...inWorkspace,
  former: optional(flag({ default: false, description: 'Former members too.' })),
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
      'For role Admin and above, and never on somebody of a higher role or to a higher role than their own. The last owner stays owner. Every member may write their own metadata.',
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
      'For role Admin and above, not on somebody of a higher role; leaving is open to every member but the last owner. Access ends at once; assignments and invitations that were issued go in the background.',
    input: MemberAddress,
    output: null,
    codes: ['last-owner'],
    conditional: true,
    example: { ...acme, memberId: EXAMPLE_IDS.ben },
  }),
];
