import { EspalierError } from '../../../core/kernel/errors.ts';
import { OWNER, ROLE_NAMES } from '../../../core/model/access/role.ts';
import type { WorkspaceView } from '../../../core/workspace/workspaces.ts';
import type { CommandCall } from '../../call.ts';
import { confirm, YES } from '../../io/confirm.ts';
import { DRY_RUN, printPreview, previewDeletion } from '../../output/record/deletion-preview.ts';
import type { TableColumn } from '../../output/table/column.ts';
import { METADATA_OPTION, METADATA_COLUMN, metadataGiven } from '../../config/metadata.ts';
import { changesGiven } from '../../config/changes-given.ts';
import { withoutUndefined } from '../../config/without-undefined.ts';
import { WorkspaceLookup, workspaceId } from '../../refs/workspace-lookup.ts';
import { levelName, levelOf, relative, roleName } from '../../config/values.ts';
import { option, type OptionValues } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

const COLUMNS: readonly TableColumn<WorkspaceView>[] = [
  { title: 'alias', text: ({ alias }) => alias },
  { title: 'name', cut: true, text: ({ name }) => name },
  { title: 'your role', text: ({ role }) => roleName(role) },
  { title: 'changed', text: ({ updatedAt }) => relative(updatedAt) },
  { title: 'id', wide: true, text: ({ id }) => id },
];

const DETAILS: readonly TableColumn<WorkspaceView>[] = [
  ...COLUMNS,
  { title: 'default access', text: ({ defaultAccess }) => levelName(defaultAccess) },
  { title: 'description', text: ({ description }) => description },
  METADATA_COLUMN,
  { title: 'indexed metadata', text: ({ indexedMetadata }) => indexedMetadata.join(', ') },
];

const WORKSPACE = { spec: '[workspace]', summary: 'alias, name or id (default: --workspace)' };
const DESCRIPTION = option('--description <text>', 'description; - for standard input, @FILE for a file');
const INDEXED = option('--index-metadata <keys>', 'task metadata keys to index, replacing the current ones; or none', {
  many: true,
  field: 'indexedMetadata',
});
const DEFAULT_ACCESS = option('--default-access <level>', 'access of role Member unless a page sets its own');

export const workspace: Noun = {
  name: 'workspace',
  summary: 'A workspace holds members, a page tree, boards and tasks, isolated from other workspaces.',
  verbs: [
    verb({
      name: 'list',
      summary: 'list the workspaces you belong to',
      uses: ['workspaces.list'],
      examples: ['workspace list --json --fields alias,name'],
      async run(call) {
        await call.out.list(await (await call.session()).workspaces.list(), COLUMNS);
      },
    }),
    verb({
      name: 'create',
      summary: 'create a workspace and become its owner',
      uses: ['workspaces.create'],
      options: [
        option('--name <name>', 'name of the workspace', { required: true }),
        option('--alias <alias>', 'short name, unique in the service (default: from the name)'),
        DESCRIPTION,
        DEFAULT_ACCESS,
        METADATA_OPTION,
      ],
      examples: ['workspace create --name Sales', 'workspace create --name Sales --alias sales --default-access view'],
      async run(call) {
        const given = {
          name: call.options.name,
          ...withoutUndefined({ alias: call.options.alias, ...(await fields(call)) }),
        };
        call.out.record(await (await call.session()).workspaces.create(given), DETAILS);
      },
    }),
    verb({
      name: 'show',
      summary: 'show a workspace',
      uses: ['workspaces.get'],
      args: [WORKSPACE],
      examples: ['workspace show acme', 'workspace show acme --json'],
      async run(call) {
        const session = await call.session();
        call.out.record(await session.workspaces.get({ workspaceId: await named(call) }), DETAILS);
      },
    }),
    verb({
      name: 'edit',
      summary: 'edit a workspace',
      uses: ['workspaces.update'],
      args: [WORKSPACE],
      options: [
        option('--name <name>', 'new name'),
        option('--description <text>', 'new description; - for standard input, @FILE for a file'),
        DEFAULT_ACCESS,
        METADATA_OPTION,
        INDEXED,
      ],
      examples: ['workspace edit acme --index-metadata sprint,team', 'workspace edit acme --default-access comment'],
      async run(call) {
        const { name, indexMetadata: keys } = call.options;
        const indexedMetadata = keys?.join() === 'none' ? [] : keys;
        const changes = changesGiven({ name, indexedMetadata, ...(await fields(call)) });
        const session = await call.session();
        call.out.record(await session.workspaces.update({ workspaceId: await named(call), ...changes }), DETAILS);
      },
    }),
    verb({
      name: 'delete',
      summary: 'permanently delete a workspace and all its pages, boards and tasks',
      uses: ['workspaces.delete'],
      args: [{ spec: '<workspace>', summary: 'alias, name or id' }],
      options: [DRY_RUN, YES],
      examples: ['workspace delete acme --dry-run', 'workspace delete acme --yes'],
      async run(call) {
        const session = await call.session();
        const id = await named(call);
        const { name, role } = await session.workspaces.get({ workspaceId: id });
        if (call.options.dryRun) {
          if (role < OWNER)
            throw new EspalierError('forbidden', `This requires the role ${ROLE_NAMES[OWNER]} in the workspace.`);
          return printPreview(
            call,
            `workspace ${JSON.stringify(name)}`,
            await previewDeletion(new WorkspaceLookup(session, id), null),
          );
        }
        await confirm(call, `Deleting workspace ${JSON.stringify(name)} with everything in it`);
        await session.workspaces.delete({ workspaceId: id });
        call.out.note(`Deleted workspace ${JSON.stringify(name)}.`);
      },
    }),
  ],
};

async function named(call: CommandCall): Promise<string> {
  return workspaceId(await call.session(), call.args[0] ?? call.settings.value('workspace'));
}

async function fields(
  call: CommandCall<OptionValues<[typeof DESCRIPTION, typeof DEFAULT_ACCESS, typeof METADATA_OPTION]>>,
) {
  const access = call.options.defaultAccess;
  return {
    description: await call.longText(call.options.description),
    defaultAccess: access === undefined ? undefined : levelOf(access),
    metadata: metadataGiven(call.options.metadata),
  };
}
