import type { UseCaseName } from '../../../adapters/schemas/index.ts';
import { boardRows } from './table-boards.ts';
import { administrator, anyone, inTurn, named, role, rule } from './expectation.ts';
import { byLevel, byRole, one, row, type Row } from './row.ts';
import { pageRows } from './table-pages.ts';
import { taskPartRows } from './table-task-parts.ts';
import { taskRows } from './table-tasks.ts';

/**
 * The table of actions in section 3 of the design, one row per operation, written from its text and not
 * from the code.
 */
const workspaceRows: Readonly<Record<string, Row>> = {
  // list workspaces, create one: any user
  'workspaces.list': one(
    '',
    byRole(anyone, () => ({})),
  ),
  'workspaces.create': one(
    '',
    byRole(anyone, () => ({ name: 'Beta' })),
  ),
  // read / update / delete workspace: member / 30 / 40
  'workspaces.get': one(
    'workspaceId',
    byRole(role(10), ({ acme }) => acme.at),
  ),
  'workspaces.update': one(
    'workspaceId',
    byRole(role(30), ({ acme }) => ({ ...acme.at, description: 'x' })),
  ),
  'workspaces.delete': one(
    'workspaceId',
    byRole(role(40), ({ acme }) => acme.at),
  ),
  // list members: 20 (Guest: own row)
  'members.list': one(
    'workspaceId',
    byRole(role(10), ({ acme }) => acme.at),
  ),
  // 30, never on someone of a higher role, never to a higher role than one's own; a guest sees the own row only
  'members.update': row('workspaceId memberId', {
    'of a member': byRole(onOthers(30), ({ acme }) => ({ ...acme.at, memberId: acme.members.cleo, position: 'Lead' })),
    'of an owner': byRole(onOthers(40), ({ acme }) => ({ ...acme.at, memberId: acme.members.ada, position: 'Lead' })),
    'to a higher role': byRole(onOthers(40), ({ acme }) => ({ ...acme.at, memberId: acme.members.cleo, role: 40 })),
    'of the own': byRole(role(30), ({ acme }) => ({ ...acme.at, memberId: acme.members.actor, position: 'Lead' })),
    'the own role to the highest': byRole(role(40), ({ acme }) => ({
      ...acme.at,
      memberId: acme.members.actor,
      role: 40,
    })),
    // of their own everybody
    'the metadata of the own': byRole(role(10), ({ acme }) => ({
      ...acme.at,
      memberId: acme.members.actor,
      metadata: { a: 1 },
    })),
    'the metadata of a member': byRole(onOthers(30), ({ acme }) => ({
      ...acme.at,
      memberId: acme.members.cleo,
      metadata: { a: 1 },
    })),
    'the metadata of an owner': byRole(onOthers(40), ({ acme }) => ({
      ...acme.at,
      memberId: acme.members.ada,
      metadata: { a: 1 },
    })),
  }),
  // leaving: anyone
  'members.remove': row('workspaceId memberId', {
    'of a member': byRole(onOthers(30), ({ acme }) => ({ ...acme.at, memberId: acme.members.cleo })),
    'of an owner': byRole(onOthers(40), ({ acme }) => ({ ...acme.at, memberId: acme.members.ada })),
    leaving: byRole(role(10), ({ acme }) => ({ ...acme.at, memberId: acme.members.actor })),
  }),
  // 30, and only those of at most one's own role
  'invitations.create': row('workspaceId pages[].pageId', {
    'to a low role': byRole(role(30), ({ acme }) => ({ ...acme.at, role: 10 })),
    'to the highest role': byRole(role(40), ({ acme }) => ({ ...acme.at, role: 40 })),
    'with a grant': byLevel(inTurn(role(30), named(400)), ({ acme }) => ({
      ...acme.at,
      role: 10,
      pages: [{ pageId: acme.near.folderId, access: 100 }],
    })),
  }),
  'invitations.list': one(
    'workspaceId',
    byRole(role(30), ({ acme }) => acme.at),
  ),
  'invitations.get': row('workspaceId invitationId', {
    'of a low role': byRole(role(30), ({ acme }) => ({ ...acme.at, invitationId: acme.openInvitationId })),
    'of the highest role': byRole(ownersInvitation, ({ acme }) => ({
      ...acme.at,
      invitationId: acme.ownerInvitationId,
    })),
  }),
  'invitations.revoke': row('workspaceId invitationId', {
    'of a low role': byRole(role(30), ({ acme }) => ({ ...acme.at, invitationId: acme.openInvitationId })),
    'of the highest role': byRole(ownersInvitation, ({ acme }) => ({
      ...acme.at,
      invitationId: acme.ownerInvitationId,
    })),
  }),
  // besides: the addressee, or with no email any signed-in user who has the id
  'invitations.read': row('invitationId', {
    open: byRole(anyone, ({ acme }) => ({ invitationId: acme.openInvitationId })),
    addressed: byRole(
      (who) => (who.role >= 30 ? 'ok' : 'not-found'),
      ({ acme }) => ({ invitationId: acme.addressedInvitationId }),
    ),
    'to the highest role': byRole(
      (who) => (who.role === 40 ? 'ok' : 'not-found'),
      ({ acme }) => ({ invitationId: acme.ownerInvitationId }),
    ),
  }),
  // joining as an active member is 409
  'invitations.join': row('invitationId', {
    open: byRole(
      (who) => (who.role === 0 ? 'ok' : 'conflict'),
      ({ acme }) => ({ invitationId: acme.openInvitationId }),
    ),
    addressed: byRole(
      (who) => (who.role >= 30 ? 'conflict' : 'not-found'),
      ({ acme }) => ({ invitationId: acme.addressedInvitationId }),
    ),
  }),
  // read the audit trail: 30
  'audit.list': one(
    'workspaceId',
    byRole(role(30), ({ acme }) => acme.at),
  ),
};

/** On another member, who is hidden from a guest. */
function onOthers(least: 30 | 40) {
  return rule((who) => (who.role === 10 ? 'not-found' : who.role >= least ? 'ok' : 'forbidden'));
}

/** An invitation to a role above one's own is not listed, and so is not there. */
function ownersInvitation(who: Parameters<ReturnType<typeof role>>[0]) {
  return who.role === 30 ? 'not-found' : role(40)(who);
}

/** What is asked for oneself, and what administers the service. */
const serviceRows: Readonly<Record<string, Row>> = {
  'me.get': one(
    '',
    byRole(anyone, () => ({})),
  ),
  'me.update': one(
    '',
    byRole(anyone, () => ({ phone: '1' })),
  ),
  'tokens.list': one(
    '',
    byRole(anyone, () => ({})),
  ),
  'tokens.create': one(
    '',
    byRole(anyone, () => ({ name: 'sync' })),
  ),
  'tokens.revoke': row('tokenId', {
    "somebody else's": byRole(
      () => 'not-found',
      ({ people }) => ({ tokenId: people.ada.tokenId }),
    ),
  }),
  'tokens.createFor': one(
    'userId',
    byRole(administrator, ({ people }) => ({ userId: people.cleo.id, name: 'help' })),
  ),
  'audit.service': one(
    '',
    byRole(administrator, () => ({})),
  ),
  'quotas.get': one(
    '',
    byRole(administrator, () => ({})),
  ),
  'quotas.update': one(
    '',
    byRole(administrator, () => ({ tasks: 50_000 })),
  ),
  'users.list': one(
    '',
    byRole(administrator, () => ({})),
  ),
  'users.create': one(
    '',
    byRole(administrator, () => ({ name: 'Zoe', email: 'zoe@example.org' })),
  ),
  'users.get': one(
    'userId',
    byRole(administrator, ({ people }) => ({ userId: people.cleo.id })),
  ),
  'users.update': one(
    'userId',
    byRole(administrator, ({ people }) => ({ userId: people.cleo.id, phone: '1' })),
  ),
  // import: service administrator or operator
  'imports.board': one(
    'workspaceId memberId tasks[].assignees[] tasks[].createdById tasks[].checklist[].assigneeId tasks[].comments[].authorId',
    byRole(administrator, ({ acme }) => ({
      ...acme.at,
      memberId: acme.members.ada,
      externalId: 'board-1',
      name: 'Weekly',
      statuses: [{ name: 'Open' }],
      tags: [],
      tasks: [
        {
          externalId: 'card-1',
          title: 'Card',
          status: 'Open',
          assignees: [acme.members.ada],
          createdById: acme.members.ada,
          checklist: [{ text: 'Item', assigneeId: acme.members.ada }],
          comments: [
            {
              externalId: 'note-1',
              content: 'Hm.',
              authorId: acme.members.ada,
              createdAt: '2025-05-01T08:00:00.000Z',
            },
          ],
        },
      ],
    })),
  ),
};

export const table: ReadonlyMap<UseCaseName, Row> = new Map(
  Object.entries({ ...workspaceRows, ...pageRows, ...boardRows, ...taskRows, ...taskPartRows, ...serviceRows }) as [
    UseCaseName,
    Row,
  ][],
);
