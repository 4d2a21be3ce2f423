import { EXAMPLE_IDS as id } from '../../../../adapters/schemas/examples.ts';
import { jwtIdentity } from '../../../../adapters/http/index.ts';
import type { ProblemCode } from '../../../../adapters/http/response/problem.ts';
import {
  acme,
  asMember,
  asStranger,
  AWAY,
  body,
  elsewhere,
  GUARDED,
  header,
  key,
  NOBODY,
  ofAda,
  ofIssuer,
  type Provocation,
  repeated,
  sendAs,
  spaced,
  type Provocations,
} from './provocation.ts';
import { PAGE_PROVOCATIONS } from './provocations-of-pages.ts';
import { TASK_PROVOCATIONS } from './provocations-of-tasks.ts';

/** By code, where it is the same for every operation. */
export const EVERYWHERE: Readonly<Partial<Record<ProblemCode, Provocation>>> = {
  'invalid-input': { ask: (ask) => ({ ...ask, path: `${ask.path}${ask.path.includes('?') ? '&' : '?'}colour=red` }) },
  unauthenticated: { by: 'nobody' },
  'not-found': { ask: (ask) => ({ ...ask, path: elsewhere(ask.path) }) },
  'not-acceptable': { ask: header('accept', 'image/png') },
  'key-reused': { before: (service, ask) => sendAs(service, ask, key), ask: (ask) => key(spaced(ask)) },
  'secret-not-kept': { before: (service, ask) => sendAs(service, ask, key), ask: key },
  'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ idempotencyBytes: 1 }), ask: key },
  'guard-refused': {
    engine: {
      guards: [({ requestId }) => (requestId === GUARDED ? 'Nothing changes before the audit is over.' : null)],
    },
    ask: header('x-request-id', GUARDED),
  },
  'version-mismatch': { ask: header('if-match', '"999-"') },
  'precondition-required': { parts: { requireIfMatch: true } },
  'content-too-large': { ask: (ask) => ({ ...ask, raw: `{"name":"${'x'.repeat(1_100_000)}"}` }) },
  'unsupported-media-type': { ask: (ask) => header('content-type', 'text/plain')({ ...ask, body: ask.body ?? {} }) },
  'too-many-requests': { parts: { limits: { requestsPerMinute: 1 } }, before: (service, ask) => sendAs(service, ask) },
};

/** By operation and code: what is refused for a reason of its own. */
export const OWN: Provocations = {
  ...PAGE_PROVOCATIONS,
  ...TASK_PROVOCATIONS,
  'workspaces.create': {
    'replay-hidden': repeated(({ as }, { id: workspaceId }) => as.ada.workspaces.delete({ workspaceId })),
    'alias-taken': { ask: body({ alias: 'acme' }) },
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ workspaces: 1 }) },
  },
  'workspaces.update': { forbidden: asMember },
  'workspaces.delete': { forbidden: asMember },
  'members.update': {
    forbidden: asMember,
    'last-owner': { ask: (ask) => ({ ...ask, path: ask.path.replace(id.ben, id.ada), body: { role: 30 } }) },
  },
  'members.remove': {
    forbidden: { by: 'ben', ask: (ask) => ({ ...ask, path: ask.path.replace(id.ben, id.cleo) }) },
    'last-owner': { ask: (ask) => ({ ...ask, path: ask.path.replace(id.ben, id.ada) }) },
  },
  'invitations.create': {
    forbidden: asMember,
    'owner-access': { ask: body({ role: 40, pages: [{ pageId: id.launch, access: 100 }] }) },
    'unusable-reference': { ask: body({ pages: [{ pageId: NOBODY, access: 100 }] }) },
    'quota-exceeded': {
      async before({ as }) {
        await as.ada.quotas.update({ invitations: 1 });
        await as.ada.invitations.create(acme);
      },
    },
  },
  'invitations.list': { forbidden: asMember },
  'invitations.get': { forbidden: asMember },
  'invitations.revoke': {
    forbidden: asMember,
    'invitation-unusable': { ask: (ask) => ({ ...ask, path: ask.path.replace(id.pending, id.accepted) }) },
  },
  'invitations.join': {
    'replay-hidden': {
      ...repeated(({ as }, { id: memberId }) => as.ada.members.remove({ ...acme, memberId })),
      by: 'eve',
    },
    'already-member': { by: 'ben' },
    'invitation-unusable': {
      before: ({ as }) => as.ada.invitations.revoke({ ...acme, invitationId: id.pending }),
      by: 'eve',
    },
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ members: 1 }), by: 'eve' },
  },
  'users.list': { forbidden: asStranger },
  'users.create': { forbidden: asStranger, 'email-taken': { ask: body({ email: 'ben@example.org' }) } },
  'users.get': { forbidden: asStranger },
  'users.update': {
    forbidden: asStranger,
    'own-email': { ask: ofAda({ email: 'other@example.org' }) },
    'email-taken': { ask: body({ email: 'cleo@example.org' }) },
    'last-administrator': { ask: ofAda({ administrator: false }) },
    'last-owner': {
      before: ({ as }) => as.ben.workspaces.create({ name: 'Own' }),
      ask: (ask) => ({ ...ask, body: { disabled: true } }),
    },
  },
  'tokens.create': { 'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ tokens: 1 }) } },
  'me.get': { 'issuer-unavailable': { engine: { identity: jwtIdentity(AWAY) }, token: ofIssuer(AWAY.issuer) } },
  'tokens.createFor': {
    'impersonation-off': { engine: { impersonation: false } },
    forbidden: asStranger,
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ tokens: 1 }) },
  },
  'quotas.get': { forbidden: asStranger },
  'quotas.update': { forbidden: asStranger },
  'imports.board': {
    forbidden: asStranger,
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ boards: 1 }) },
    'unusable-reference': { ask: body({ memberId: NOBODY }) },
  },
  'audit.list': { forbidden: asMember },
  'audit.service': { forbidden: asStranger },
  'changes.list': {
    'cursor-expired': { ask: (ask) => ({ ...ask, path: ask.path.replace(/since=[^&]*/, 'since=q8T0.1.1') }) },
  },
  'exports.workspace': { forbidden: asMember },
  'imports.workspace': {
    forbidden: asStranger,
    'workspace-exists': { before: (service, ask) => sendAs(service, ask) },
    'content-too-large': { parts: { importLimit: 100 } },
    'alias-taken': {
      before({ as, next }) {
        next.ids.push(NOBODY);
        return as.ada.workspaces.create({ name: 'Beta', alias: 'beta' });
      },
    },
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ workspaces: 1 }) },
  },
  metrics: { forbidden: asStranger },
};

/** Codes that the example of an operation cannot be refused with, and why. */
export const NOT_PROVOKED: Readonly<Record<string, string>> = {
  'invitations.join being-removed': 'It takes eight memberships of one user that have ended within a moment.',
  'boards.copy too-many': 'It takes more than 1,000 pages below the board.',
  'pages.copy too-many': 'It takes more than 1,000 pages.',
  'imports.board being-removed': 'It takes a status that is removed between two imports of the board.',
  'imports.board external-id-taken': 'It takes another import of the same board at the same time.',
};
