import { Type } from 'typebox';
import { body, record } from '../components.ts';
import { acme, EXAMPLE_IDS } from '../examples.ts';
import {
  cursor,
  exactly,
  flag,
  id,
  inWorkspace,
  level,
  limit,
  nullable,
  oneOf,
  onPage,
  optional,
  put,
  shownRole,
  versioned,
} from '../fields.ts';
import { ACCESS_FINDINGS } from '../../../core/access/audit.ts';
import { ACCESS_SOURCES } from '../../../core/access/source.ts';
import { EXPLANATION_EXPANSIONS } from '../../../core/access/explain.ts';
import { MEMBER_EXPANSIONS } from '../../../core/access/members-access.ts';
import { SETTINGS_EXPANSIONS } from '../../../core/access/settings.ts';
import { expand, expanded, MemberName, orNull, PageName } from '../names.ts';
import { operation } from '../operation.ts';

const BASE = '/api/workspace/{workspaceId}/page/{pageId}/access';

const inherit = flag({ description: 'Whether the page inherits access from the page above it.' });
const defaultAccess = nullable(level(), {
  description: 'For role Member, where inheritance stops. Required with inherit: false, refused without.',
});

export const AccessSettings = record(
  'AccessSettings',
  'Whether a page inherits access, and what holds where it does not.',
  exactly({
    inherit,
    defaultAccess,
    inheritedFrom: nullable(id(), {
      description:
        'The page above that stops inheritance. Null for the workspace, a hidden page, or without inheritance.',
    }),
    ...versioned,
    expanded: expanded({ inheritedFrom: optional(orNull(PageName, 'Null if inheritedFrom is null.')) }),
  }),
);

const memberNamed = expanded({ member: optional(MemberName) });
const pageNamed = orNull(PageName, 'Null for the workspace and for a page that may not be seen.');

export const AccessEntry = record(
  'AccessEntry',
  'What a member may do on a page.',
  exactly({
    memberId: id({ description: 'The member.' }),
    role: shownRole(),
    access: level(),
    type: oneOf(['accepted', 'inherited'], {
      description: 'accepted: set on this page; inherited: taken from elsewhere.',
    }),
    expanded: memberNamed,
  }),
);

export const AccessExplanation = record(
  'AccessExplanation',
  'How the level of a member on a page came about.',
  exactly({
    memberId: id({ description: 'The member.' }),
    role: shownRole(),
    pageId: id({ description: 'The page.' }),
    access: level(),
    steps: Type.Array(
      exactly({
        rule: oneOf(['owner', 'entry', 'cap', 'default', 'silent', 'base', 'none'], {
          description:
            'owner: an owner has full access; entry: set on a page for this member; cap: set there in an earlier membership, so that it is the most they get from here on; default: a page that does not inherit; silent: a page that sets nothing; base: the role in the workspace; none: no access at all.',
        }),
        pageId: nullable(id(), { description: 'Null for the workspace and for a page that may not be seen.' }),
        access: nullable(level(), { description: 'What it gives; null when it is silent.' }),
        expanded: expanded({ page: optional(pageNamed) }),
      }),
      { description: 'In the order of evaluation; the last one decides.' },
    ),
    expanded: expanded({ member: optional(MemberName), page: optional(pageNamed) }),
  }),
);

export const AccessPreview = record(
  'AccessPreview',
  'Who would gain or lose what if a page moved.',
  exactly({
    changes: Type.Array(
      exactly({
        memberId: id({ description: 'The member.' }),
        role: shownRole(),
        before: level(),
        after: level(),
        expanded: memberNamed,
      }),
      {
        description: 'Those whose level on the page would change.',
      },
    ),
  }),
);

export const AuditedAccess = record(
  'AuditedAccess',
  'What one member may do on one page, with findings.',
  exactly({
    pageId: id({ description: 'The page.' }),
    memberId: id({ description: 'The member.' }),
    role: shownRole(),
    access: level(),
    base: level({ description: 'What the role gives where no page says otherwise.' }),
    type: oneOf(['accepted', 'inherited'], {
      description: 'accepted: set on this page; inherited: taken from elsewhere.',
    }),
    from: oneOf(ACCESS_SOURCES, {
      description:
        'owner: an owner has full access; entry: set on this page; default: a page that does not inherit; above: the page above; role: the role in the workspace.',
    }),
    findings: Type.Array(oneOf(ACCESS_FINDINGS), {
      description:
        'above, below: than base; without-effect: set here, and the same without it; guest-edits: a guest with more than view; owners-only: only owners have access to the page.',
    }),
    expanded: memberNamed,
  }),
);

export const ChangeAccessSettings = body(
  'ChangeAccessSettings',
  put(onPage, { inherit: optional(inherit), defaultAccess: optional(defaultAccess) }, AccessSettings),
);

const memberId = id({ description: 'The member.' });

export const GrantAccess = body('GrantAccess', exactly({ ...onPage, memberId, access: level() }));
const AccessAddress = exactly({ ...onPage, memberId });
const ExplainAccess = exactly({
  ...onPage,
  memberId: optional(id({ description: 'The member. Default: the caller.' })),
  expand: expand(EXPLANATION_EXPANSIONS),
});
const PreviewMove = exactly({
  ...onPage,
  parentId: optional(nullable(id(), { description: 'The new page above. Absent: to the top.' })),
  expand: expand(MEMBER_EXPANSIONS),
});

const AuditAccess = exactly({
  ...inWorkspace,
  findings: optional(flag({ description: 'Only where something stands out.' })),
  limit,
  cursor,
  expand: expand(MEMBER_EXPANSIONS),
});

export const accessOperations = [
  operation('access.settings', {
    method: 'GET',
    path: BASE,
    tag: 'Page access',
    summary: 'Read the access settings of a page',
    description: 'For members who see the page.',
    input: exactly({ ...onPage, expand: expand(SETTINGS_EXPANSIONS) }),
    output: AccessSettings,
    forEverybody: true,
    example: { ...acme, pageId: EXAMPLE_IDS.archive },
  }),
  operation('access.changeSettings', {
    method: 'PUT',
    path: BASE,
    tag: 'Page access',
    summary: 'Change the access settings of a page',
    description: 'Requires Full Access. A member who stops inheritance and is no owner keeps Full Access on the page.',
    input: ChangeAccessSettings,
    output: AccessSettings,
    conditional: true,
    example: { ...acme, pageId: EXAMPLE_IDS.roadmap, inherit: false, defaultAccess: 100 },
  }),
  operation('access.members', {
    method: 'GET',
    path: `${BASE}/members`,
    tag: 'Page access',
    summary: 'List the level of each member on a page',
    description: 'Every active member, including those at 0. Guests see only their own entry.',
    input: exactly({ ...onPage, expand: expand(MEMBER_EXPANSIONS) }),
    output: Type.Array(AccessEntry),
    forEverybody: true,
    example: { ...acme, pageId: EXAMPLE_IDS.launch, expand: ['member'] },
  }),
  operation('access.grant', {
    method: 'POST',
    path: `${BASE}/member`,
    tag: 'Page access',
    summary: 'Set the level of a member on a page',
    description:
      'Requires Full Access on the page. It replaces what was set there for this member, and holds for all below until something nearer says otherwise.',
    input: GrantAccess,
    output: AccessEntry,
    codes: ['owner-access', 'unusable-reference'],
    example: { ...acme, pageId: EXAMPLE_IDS.roadmap, memberId: EXAMPLE_IDS.cleo, access: 100 },
  }),
  operation('access.revoke', {
    method: 'DELETE',
    path: `${BASE}/member/{memberId}`,
    tag: 'Page access',
    summary: 'Remove what is set on a page for a member',
    description: 'Requires Full Access on the page. The member then has what the page inherits.',
    input: AccessAddress,
    output: null,
    example: { ...acme, pageId: EXAMPLE_IDS.engineering, memberId: EXAMPLE_IDS.ben },
  }),
  operation('access.explain', {
    method: 'GET',
    path: `${BASE}/explain`,
    tag: 'Page access',
    summary: 'Explain the level of a member on a page',
    description: 'For oneself on every page that one sees; for others it requires Full Access.',
    input: ExplainAccess,
    output: AccessExplanation,
    example: { ...acme, pageId: EXAMPLE_IDS.launch, memberId: EXAMPLE_IDS.ben, expand: ['page'] },
  }),
  operation('access.preview', {
    method: 'GET',
    path: `${BASE}/preview`,
    tag: 'Page access',
    summary: 'Preview whose level would change if the page moved',
    description: 'Nothing is written.',
    input: PreviewMove,
    output: AccessPreview,
    codes: ['page-cycle'],
    example: { ...acme, pageId: EXAMPLE_IDS.roadmap, parentId: EXAMPLE_IDS.archive, expand: ['member'] },
  }),
  operation('access.audit', {
    method: 'GET',
    path: '/api/workspace/{id}/access/audit',
    tag: 'Page access',
    summary: 'List who may do what on every page, and what stands out',
    description:
      'Every active member on every page that the caller sees, page by page. Guests see only their own entries. A page of the list may have fewer items than its limit and still have a next one.',
    input: AuditAccess,
    output: AuditedAccess,
    paged: true,
    forEverybody: true,
    example: { ...acme, findings: true, limit: 2 },
  }),
];
