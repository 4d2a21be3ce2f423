import { Type } from 'typebox';
import { body, record } from '../components.ts';
import { acme, EXAMPLE_IDS } from '../examples.ts';
import {
  cursor,
  email,
  exactly,
  id,
  inWorkspace,
  level,
  limit,
  list,
  nullable,
  oneOf,
  optional,
  role,
  text,
  time,
  versioned,
} from '../fields.ts';
import { INVITATION_EXPANSIONS } from '../../../core/invitation/view.ts';
import { expand, expanded, MemberName, orNull, PageName } from '../names.ts';
import { Member } from './member.ts';
import { operation } from '../operation.ts';

const Grant = exactly({ pageId: id({ description: 'The page.' }), access: level() });
const pages = list(Grant, 100, { description: 'Page access granted on joining.' });

export const Invitation = record(
  'Invitation',
  'An offer to become a member.',
  exactly({
    id: id({ description: 'The id of the invitation. It is a secret: whoever has it can read the invitation.' }),
    workspaceId: id({ description: 'The workspace of the invitation.' }),
    workspaceName: text(200, { description: 'The name of the workspace.' }),
    email: nullable(email(), { description: 'The address of the invited person. Null: anyone who has the id.' }),
    role: role(),
    pages,
    status: oneOf(['pending', 'accepted', 'revoked', 'expired'], {
      description: 'Only a pending invitation can be accepted.',
    }),
    createdById: id({ description: 'The member who issued it.' }),
    expiresAt: time({ description: 'The time when it expires.' }),
    acceptedAt: nullable(time(), { description: 'The time of acceptance. Null: not accepted.' }),
    memberId: nullable(id(), { description: 'The member who accepted it. Null: not accepted.' }),
    ...versioned,
    expanded: expanded({
      createdBy: optional(MemberName),
      member: optional(orNull(MemberName, 'Null until the invitation is accepted.')),
      pages: optional(Type.Array(PageName, { description: 'The pages, in the order of pages.' })),
    }),
  }),
);

export const CreateInvitation = body(
  'CreateInvitation',
  exactly({
    ...inWorkspace,
    email: optional(
      nullable(email(), { description: 'The address of the invited person. Absent or null: anyone who has the id.' }),
    ),
    role: optional(role({ default: 20 })),
    pages: optional(pages),
    expiresAt: optional(
      time({ description: 'The time when it expires, 1 hour to 90 days from now. Default: 7 days.' }),
    ),
  }),
);

const ListInvitations = exactly({ ...inWorkspace, limit, cursor, expand: expand(INVITATION_EXPANSIONS) });

const invitationId = id({ description: 'The invitation.' });

const InvitationAddress = exactly({ ...inWorkspace, invitationId });

const GetInvitation = exactly({ ...inWorkspace, invitationId, expand: expand(INVITATION_EXPANSIONS) });

const InvitationId = exactly({ invitationId });

export const invitationOperations = [
  operation('invitations.create', {
    method: 'POST',
    path: '/api/workspace/{id}/invitation',
    tag: 'Invitations',
    summary: 'Invite to a workspace',
    description:
      'For role Admin and above, up to their own role. Whoever has the id in the answer can join: send it only to the invited person.',
    input: CreateInvitation,
    output: Invitation,
    codes: ['owner-access', 'unusable-reference'],
    status: 201,
    location: '/api/workspace/invitation/{id}',
    secret: 'id',
    example: { ...acme, email: 'dora@example.org', role: 20 },
  }),
  operation('invitations.list', {
    method: 'GET',
    path: '/api/workspace/{id}/invitation',
    tag: 'Invitations',
    summary: 'List the invitations to a workspace',
    description:
      'For role Admin and above: invitations to roles up to their own, oldest first. A page of the list can have fewer items than its limit and still have a next page.',
    input: ListInvitations,
    output: Invitation,
    paged: true,
    secret: 'id',
    example: { ...acme, limit: 2, expand: ['createdBy'] },
  }),
  operation('invitations.get', {
    method: 'GET',
    path: '/api/workspace/{id}/invitation/{invitationId}',
    tag: 'Invitations',
    summary: 'Read an invitation of a workspace',
    description: 'For role Admin and above, if the invitation is to a role up to their own.',
    input: GetInvitation,
    output: Invitation,
    secret: 'id',
    example: { ...acme, invitationId: EXAMPLE_IDS.accepted },
  }),
  operation('invitations.revoke', {
    method: 'DELETE',
    path: '/api/workspace/{id}/invitation/{invitationId}',
    tag: 'Invitations',
    summary: 'Revoke an invitation',
    input: InvitationAddress,
    output: null,
    codes: ['invitation-unusable'],
    conditional: true,
    example: { ...acme, invitationId: EXAMPLE_IDS.pending },
    exampleNeeds: 'requires a pending invitation.',
  }),
  operation('invitations.read', {
    method: 'GET',
    path: '/api/workspace/invitation/{invitationId}',
    tag: 'Invitations',
    summary: 'Read an invitation by its id alone',
    description:
      'For the person whom it is addressed to, or any signed-in user with the id if it has no address; and for members who may manage it.',
    input: InvitationId,
    output: Invitation,
    forEverybody: true,
    secret: 'id',
    bySecretId: true,
    example: { invitationId: EXAMPLE_IDS.accepted },
  }),
  operation('invitations.join', {
    method: 'POST',
    path: '/api/workspace/invitation/{invitationId}/join',
    tag: 'Invitations',
    summary: 'Accept an invitation',
    input: InvitationId,
    output: Member,
    codes: ['already-member', 'being-removed', 'invitation-unusable', 'quota-exceeded', 'replay-hidden'],
    status: 201,
    location: '/api/workspace/{workspaceId}/members',
    forEverybody: true,
    bySecretId: true,
    example: { invitationId: EXAMPLE_IDS.pending },
    exampleNeeds: 'requires a pending invitation, and a user who is not a member yet.',
  }),
];
