import type { InvitationView } from '../../../core/invitation/view.ts';
import type { CommandCall } from '../../call.ts';
import { usage } from '../../io/failure.ts';
import type { TableColumn } from '../../output/table/column.ts';
import { printPages, PAGING } from '../../output/paging.ts';
import { withoutUndefined } from '../../config/without-undefined.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { levelOf, relative, roleName, roleOf } from '../../config/values.ts';
import { FUTURE_FORMS, timeOf } from '../../config/dates.ts';
import { option, type OptionValues } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

const COLUMNS: readonly TableColumn<InvitationView>[] = [
  { title: 'for', cut: true, minWidth: 14, text: ({ email }) => email ?? 'anyone with the id' },
  { title: 'role', dropOrder: 3, text: ({ role }) => roleName(role) },
  { title: 'status', text: ({ status }, style) => (status === 'pending' ? style.green(status) : style.dim(status)) },
  { title: 'expires', dropOrder: 2, text: ({ expiresAt }) => relative(expiresAt) },
  { title: 'workspace', cut: true, dropOrder: 1, text: ({ workspaceName }) => workspaceName },
  { title: 'id', text: ({ id }) => id },
];

const GRANT = option('--grant <page=level>', 'access to a page on joining (repeatable)', {
  many: true,
  field: 'pages',
});
const INVITATION = { spec: '<invitation>', summary: 'id of the invitation' };

export const invitation: Noun = {
  name: 'invitation',
  summary: 'Invite people to a workspace, by e-mail address or with an id that anyone can use.',
  verbs: [
    verb({
      name: 'create',
      summary: 'invite someone',
      uses: ['invitations.create'],
      options: [
        option('--email <email>', 'e-mail address to invite (default: anyone with the id)'),
        option('--role <role>', 'owner, admin, member or guest (default: member)'),
        option('--grant <page=level>', 'access to a page on joining (repeatable)', { many: true }),
        option('--expires <time>', `expiry: ${FUTURE_FORMS} (default: 7d)`, { field: 'expiresAt' }),
      ],
      examples: [
        'invitation create --email dan@example.org',
        'invitation create --role guest --grant Engineering/Launch=comment --expires 2w',
      ],
      async run(call) {
        const workspace = await call.workspace();
        const role = call.options.role;
        const expires = call.options.expires;
        const given = withoutUndefined({
          email: call.options.email,
          role: role === undefined ? undefined : roleOf(role),
          pages: await grants(call, workspace),
          expiresAt: expires === undefined ? undefined : timeOf(expires, '--expires', 'ahead'),
        });
        const { session, workspaceId } = workspace;
        call.out.record(await session.invitations.create({ workspaceId, ...given }), COLUMNS);
      },
    }),
    verb({
      name: 'list',
      summary: 'list invitations of a workspace',
      uses: ['invitations.list'],
      options: PAGING,
      examples: ['invitation list --workspace acme'],
      async run(call) {
        const { session, workspaceId } = await call.workspace();
        await printPages(
          call,
          (part) => session.invitations.list({ workspaceId, ...part }),
          (items) => call.out.list(items, COLUMNS),
        );
      },
    }),
    verb({
      name: 'show',
      summary: 'show an invitation of a workspace',
      uses: ['invitations.get'],
      args: [INVITATION],
      examples: ['invitation show db2399c4-5ea1-496c-bb7d-8bc456c899a0'],
      async run(call) {
        const { session, workspaceId } = await call.workspace();
        call.out.record(await session.invitations.get({ workspaceId, invitationId: call.arg(0) }), COLUMNS);
      },
    }),
    verb({
      name: 'revoke',
      summary: 'revoke an invitation',
      uses: ['invitations.revoke'],
      args: [INVITATION],
      examples: ['invitation revoke "$INVITATION"'],
      async run(call) {
        const { session, workspaceId } = await call.workspace();
        await session.invitations.revoke({ workspaceId, invitationId: call.arg(0) });
        call.out.note('Revoked the invitation.');
      },
    }),
    verb({
      name: 'read',
      summary: 'show an invitation to you',
      uses: ['invitations.read'],
      args: [INVITATION],
      examples: ['invitation read "$INVITATION"'],
      async run(call) {
        call.out.record(await (await call.session()).invitations.read({ invitationId: call.arg(0) }), COLUMNS);
      },
    }),
    verb({
      name: 'accept',
      summary: 'accept an invitation and join its workspace',
      uses: ['invitations.join'],
      args: [INVITATION],
      examples: ['invitation accept "$INVITATION"'],
      async run(call) {
        const member = await (await call.session()).invitations.join({ invitationId: call.arg(0) });
        call.out.record(member, [
          { title: 'workspace', text: ({ workspaceId }) => workspaceId },
          { title: 'role', dropOrder: 3, text: ({ role }) => roleName(role) },
          { title: 'member', text: ({ id }) => id },
        ]);
      },
    }),
  ],
};

async function grants(call: CommandCall<OptionValues<[typeof GRANT]>>, workspace: WorkspaceLookup) {
  const given = call.options.grant;
  if (given === undefined) return undefined;
  return Promise.all(
    given.map(async (grant) => {
      const at = grant.lastIndexOf('=');
      if (at < 1) throw usage(`--grant takes PAGE=LEVEL, not ${JSON.stringify(grant)}.`);
      return { pageId: await workspace.page(grant.slice(0, at)), access: levelOf(grant.slice(at + 1)) };
    }),
  );
}
