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
  description:
    'The level of role Member if the page does not inherit. Required with inherit: false, and refused otherwise.',
});

export const AccessSettings = record(
  'AccessSettings',
  'Whether a page inherits access, and its default level if not.',
  exactly({
    inherit,
    defaultAccess,
    inheritedFrom: nullable(id(), {
      description:
        'The page above at which inheritance ends. Null for the workspace, for a hidden page, and without inheritance.',
    }),
    ...versioned,
    expanded: expanded({ inheritedFrom: optional(orNull(PageName, 'Null if inheritedFrom is null.')) }),
  }),
);

const memberNamed = expanded({ member: optional(MemberName) });
const pageNamed = orNull(PageName, 'Null for the workspace and for a page that the caller may not see.');

export const AccessEntry = record(
  'AccessEntry',
  'The level of a member on a page.',
  exactly({
    memberId: id({ description: 'The member.' }),
    role: shownRole(),
    access: level(),
    type: oneOf(['accepted', 'inherited'], {
      description: 'accepted: set on this page; inherited: from elsewhere.',
    }),
    expanded: memberNamed,
  }),
);

export const AccessExplanation = record(
  'AccessExplanation',
  'How the level of a member on a page is derived.',
  exactly({
    memberId: id({ description: 'The member.' }),
    role: shownRole(),
    pageId: id({ description: 'The page.' }),
    access: level(),
    steps: Type.Array(
      exactly({
        rule: oneOf(['owner', 'entry', 'cap', 'default', 'silent', 'base', 'none'], {
          description:
            'owner: an owner has full access; entry: the page sets a level for this member; cap: the page set one in an earlier membership, which limits the level from here on; default: the page does not inherit; silent: the page sets nothing; base: the role in the workspace; none: no access.',
        }),
        pageId: nullable(id(), { description: 'Null for the workspace and for a page that the caller may not see.' }),
        access: nullable(level(), { description: 'The level of this step. Null for silent.' }),
        expanded: expanded({ page: optional(pageNamed) }),
      }),
      { description: 'The steps in order of evaluation. The last one decides.' },
    ),
    expanded: expanded({ member: optional(MemberName), page: optional(pageNamed) }),
  }),
);

export const AccessPreview = record(
  'AccessPreview',
  'The levels that would change if a page moved.',
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
        description: 'The members whose level on the page would change.',
      },
    ),
  }),
);

export const AuditedAccess = record(
  'AuditedAccess',
  'The level of one member on one page, with findings.',
  exactly({
    pageId: id({ description: 'The page.' }),
    memberId: id({ description: 'The member.' }),
    role: shownRole(),
    access: level(),
    base: level({ description: 'The level of the role if no page sets another.' }),
    type: oneOf(['accepted', 'inherited'], {
      description: 'accepted: set on this page; inherited: from elsewhere.',
    }),
    from: oneOf(ACCESS_SOURCES, {
      description:
        'The source of the level. owner: an owner has full access; entry: an entry on this page; default: a page that does not inherit; above: the page above; role: the role in the workspace.',
    }),
    findings: Type.Array(oneOf(ACCESS_FINDINGS), {
      description:
        'above, below: the level differs from base; without-effect: the entry on this page changes nothing; guest-edits: a guest has more than View Only; owners-only: only owners have access to the page.',
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
  parentId: optional(nullable(id(), { description: 'The new parent page. Absent: the top.' })),
  expand: expand(MEMBER_EXPANSIONS),
});

const AuditAccess = exactly({
  ...inWorkspace,
  findings: optional(flag({ description: 'Only items with findings.' })),
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
    description:
      'Requires Full Access. A member who stops inheritance and is not an owner keeps Full Access on the page.',
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
    description: 'Lists every active member, including those at 0. Guests see only their own entry.',
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
      'Requires Full Access on the page. Replaces the level set there for this member. The level also applies to all pages below, unless a nearer page sets another.',
    input: GrantAccess,
    output: AccessEntry,
    codes: ['owner-access', 'unusable-reference'],
    example: { ...acme, pageId: EXAMPLE_IDS.roadmap, memberId: EXAMPLE_IDS.cleo, access: 100 },
  }),
  operation('access.revoke', {
    method: 'DELETE',
    path: `${BASE}/member/{memberId}`,
    tag: 'Page access',
    summary: 'Remove the level set on a page for a member',
    description: 'Requires Full Access on the page. The member then has the level that the page inherits.',
    input: AccessAddress,
    output: null,
    example: { ...acme, pageId: EXAMPLE_IDS.engineering, memberId: EXAMPLE_IDS.ben },
  }),
  operation('access.explain', {
    method: 'GET',
    path: `${BASE}/explain`,
    tag: 'Page access',
    summary: 'Explain the level of a member on a page',
    description: 'For the caller, on every page that they see. For other members requires Full Access.',
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
    summary: 'List the level of each member on every page, with findings',
    description:
      'Lists every active member on every page that the caller sees, page by page. Guests see only their own entries. A page of the list can have fewer items than its limit and still have a next page.',
    input: AuditAccess,
    output: AuditedAccess,
    paged: true,
    forEverybody: true,
    example: { ...acme, findings: true, limit: 2 },
  }),
];
