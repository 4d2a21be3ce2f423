import { MEMBER_ARG } from '../../args.ts';
import type { MemberView } from '../../../core/member/members.ts';
import { confirm, YES } from '../../io/confirm.ts';
import type { TableColumn } from '../../output/table/column.ts';
import { METADATA_OPTION, METADATA_COLUMN, metadataGiven } from '../../config/metadata.ts';
import { changesGiven } from '../../config/changes-given.ts';
import { relative, roleName, roleOf } from '../../config/values.ts';
import { option } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

const COLUMNS: readonly TableColumn<MemberView>[] = [
  { title: 'name', cut: true, text: ({ name, active }, style) => (active ? name : style.dim(`${name} (left)`)) },
  { title: 'e-mail', cut: true, text: ({ email }) => email },
  { title: 'role', text: ({ role }) => roleName(role) },
  { title: 'position', cut: true, text: ({ position }) => position },
  { title: 'active', text: ({ lastActivity }) => relative(lastActivity) },
  { title: 'id', wide: true, text: ({ id }) => id },
  METADATA_COLUMN,
];

export const member: Noun = {
  name: 'member',
  summary: 'List the members of a workspace, change their roles and remove them.',
  verbs: [
    verb({
      name: 'list',
      summary: 'list members',
      uses: ['members.list'],
      options: [option('--former', 'include former members')],
      examples: ['member list --workspace acme', 'member list --former --json'],
      async run(call) {
        const { session, workspaceId } = await call.workspace();
        await call.out.list(await session.members.list({ workspaceId, former: call.options.former === true }), COLUMNS);
      },
    }),
    verb({
      name: 'edit',
      summary: "edit a member's role, position or metadata, or your own metadata",
      uses: ['members.update'],
      args: [MEMBER_ARG],
      options: [
        option('--role <role>', 'owner, admin, member or guest'),
        option('--position <text>', 'job title'),
        METADATA_OPTION,
      ],
      examples: ['member edit ben@example.org --role admin', 'member edit me --metadata timezone=Europe/Rome'],
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const role = call.options.role;
        const changes = changesGiven({
          role: role === undefined ? undefined : roleOf(role),
          position: call.options.position,
          metadata: metadataGiven(call.options.metadata),
        });
        const memberId = await workspace.member(call.arg(0));
        call.out.record(await session.members.update({ workspaceId, memberId, ...changes }), COLUMNS);
      },
    }),
    verb({
      name: 'remove',
      summary: 'remove a member, or yourself (me)',
      uses: ['members.remove'],
      args: [MEMBER_ARG],
      options: [YES],
      examples: ['member remove ben@example.org --yes'],
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const memberId = await workspace.member(call.arg(0));
        await confirm(call, `Removing member ${call.arg(0)} and their assignments`);
        await session.members.remove({ workspaceId, memberId });
        call.out.note(`Removed member ${call.arg(0)}.`);
      },
    }),
  ],
};
