import { printHistory } from '../../output/record/history.ts';
import { PAGING } from '../../output/paging.ts';
import type { UpdatePage } from '../../../core/page/update.ts';
import type { PageView } from '../../../core/page/view.ts';
import { COPY, COPY_DETAILS, copyOptions, noteRestricted, waitForCopy } from '../../copy.ts';
import { PAGE } from '../../args.ts';
import { wholeNumber, type CommandCall } from '../../call.ts';
import { addColumns, COLUMN_OPTIONS, newColumns } from '../../board/columns.ts';
import { confirm, PERMANENTLY, YES } from '../../io/confirm.ts';
import { DRY_RUN, printPreview, previewPageDeletion } from '../../output/record/deletion-preview.ts';
import { usage } from '../../io/failure.ts';
import type { TableColumn } from '../../output/table/column.ts';
import { pageTree } from '../../output/record/tree.ts';
import { METADATA_OPTION, METADATA_COLUMN, metadataGiven } from '../../config/metadata.ts';
import { changesGiven } from '../../config/changes-given.ts';
import { withoutUndefined } from '../../config/without-undefined.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { levelName, relative } from '../../config/values.ts';
import { option, type OptionValues } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

const COLUMNS: readonly TableColumn<PageView>[] = [
  { title: 'name', cut: true, text: ({ name }) => name },
  { title: 'type', text: ({ type, template }) => (template ? `${type}, template` : type) },
  { title: 'your access', text: ({ access }) => levelName(access) },
  { title: 'set for you', text: ({ accessType }) => (accessType === 'accepted' ? 'here' : '') },
  { title: 'changed', text: ({ updatedAt }) => relative(updatedAt) },
  { title: 'id', wide: true, text: ({ id }) => id },
  METADATA_COLUMN,
];

/** The columns for one page, with its path and parent. */
async function detailsOf(workspace: WorkspaceLookup): Promise<readonly TableColumn<PageView>[]> {
  const pages = new Map((await workspace.pages()).map((one) => [one.id, one]));
  const paths = await workspace.paths();
  const parentOf = ({ parentId, parentHidden }: PageView): string => {
    if (parentHidden) return 'hidden from you';
    return parentId === null ? 'none (top level)' : (pages.get(parentId)?.name ?? parentId);
  };
  const [name, ...others] = COLUMNS;
  return [
    name!,
    { title: 'path', text: ({ id }) => paths.get(id) ?? '' },
    { title: 'parent', text: parentOf },
    ...others,
  ];
}

const PLACE = [
  option('--to <page>', 'move it under this page', { field: 'parentId' }),
  option('--top', 'move it to the top level'),
];

export const page: Noun = {
  name: 'page',
  summary: 'Pages form the tree of a workspace: folders, boards and tasks that inherit access from their parent.',
  verbs: [
    verb({
      name: 'tree',
      summary: 'show the page tree with your access',
      uses: ['pages.list'],
      examples: ['page tree --workspace acme'],
      async run(call) {
        const pages = await (await call.workspace()).pages();
        if (!call.out.isForPeople) return call.out.list(pages, COLUMNS);
        call.out.show(pages, (style) => pageTree(pages, style, call.out.width));
      },
    }),
    verb({
      name: 'list',
      summary: 'list pages',
      uses: ['pages.list'],
      examples: ['page list --json --fields id,name'],
      async run(call) {
        await call.out.list(await (await call.workspace()).pages(), COLUMNS);
      },
    }),
    verb({
      name: 'create',
      summary: 'create a page, and the board of a board page or the task of a task page under a board',
      uses: ['pages.create'],
      options: [
        option('--name <name>', 'name of the page', { required: true }),
        option('--type <type>', 'page type', { required: true, choices: ['folder', 'board', 'task'] }),
        option('--parent <page>', 'parent page (default: top level)'),
        option('--task <task>', 'with --type task: create the page for this task'),
        METADATA_OPTION,
        ...COLUMN_OPTIONS,
      ],
      examples: [
        'page create --name Design --type folder',
        'page create --name Sprint --type board --parent Engineering --columns "Todo,Doing,Done*"',
      ],
      async run(call) {
        const workspace = await call.workspace();
        const parent = call.options.parent;
        const task = call.options.task;
        const given = withoutUndefined({
          parentId: parent === undefined ? undefined : await workspace.page(parent),
          taskId: task === undefined ? undefined : await workspace.task(task),
          metadata: metadataGiven(call.options.metadata),
        });
        const { session, workspaceId } = workspace;
        const { type, name, columns } = call.options;
        if (type !== 'board' && columns !== undefined) throw usage('--columns and --no-columns require --type board.');
        const forBoard = type === 'board' ? newColumns(columns) : [];
        const page = await session.pages.create({ workspaceId, name, type, ...given });
        await addColumns(session, { workspaceId, boardId: page.id }, forBoard);
        call.out.record(page, COLUMNS);
      },
    }),
    verb({
      name: 'copy',
      summary: 'copy a page and everything you can see below it',
      uses: ['pages.copy'],
      args: [PAGE],
      options: COPY,
      details: [COPY_DETAILS],
      examples: ['page copy Engineering --name "Engineering 2" --tasks'],
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const pageId = await workspace.page(call.arg(0));
        const begun = await session.pages.copy({ workspaceId, pageId, ...(await copyOptions(call, workspace)) });
        const copy =
          begun.page ?? (await waitForCopy(call, () => session.pages.get({ workspaceId, pageId: begun.id })));
        noteRestricted(call, begun);
        call.out.record(copy, COLUMNS);
      },
    }),
    verb({
      name: 'show',
      summary: 'show a page',
      uses: ['pages.get'],
      args: [PAGE],
      examples: ['page show Engineering/Launch'],
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const pageId = await workspace.page(call.arg(0));
        call.out.record(await session.pages.get({ workspaceId, pageId }), await detailsOf(workspace));
      },
    }),
    verb({
      name: 'history',
      summary: 'show the history of a page itself, newest first',
      uses: ['pages.history'],
      moreFields: ['expanded'],
      args: [PAGE],
      options: PAGING,
      examples: ['page history Engineering/Launch'],
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const pageId = await workspace.page(call.arg(0));
        await printHistory(call, workspace, (part) => session.pages.history({ workspaceId, pageId, ...part }));
      },
    }),
    verb({
      name: 'edit',
      summary: 'rename a page with its board or task, or edit its metadata',
      uses: ['pages.update'],
      args: [PAGE],
      options: [option('--name <name>', 'new name'), METADATA_OPTION],
      examples: ['page edit Launch --name "Launch 1.0"'],
      async run(call) {
        const { name, metadata } = call.options;
        const changes = changesGiven({ name, metadata: metadataGiven(metadata) });
        await update(call, () => Promise.resolve(changes));
      },
    }),
    verb({
      name: 'template',
      summary: 'mark a page as a template: task lists skip tasks on and below it by default',
      uses: ['pages.update'],
      args: [PAGE],
      options: [option('--off', 'unmark it', { field: 'template' })],
      examples: ['page template Engineering/Launch', 'page template Engineering/Launch --off'],
      async run(call) {
        await update(call, () => Promise.resolve({ template: call.options.off !== true }));
      },
    }),
    verb({
      name: 'move',
      summary: 'move a page; inherited access changes at once (see access preview)',
      uses: ['pages.update'],
      args: [PAGE],
      options: [
        ...PLACE,
        option('--index <number>', 'position among its siblings, from 0; too high a number means last', {
          field: 'orderIndex',
        }),
      ],
      examples: ['page move Roadmap --to Engineering', 'page move Roadmap --index 0', 'page move Launch --top'],
      async run(call) {
        const { to, top, index } = call.options;
        if (to === undefined && !top && index === undefined)
          throw usage('No destination given: use --to, --top or --index.');
        await update(call, async (workspace) => ({
          ...(await newParent(call, workspace)),
          ...withoutUndefined({ orderIndex: wholeNumber('index', index) }),
        }));
      },
    }),
    verb({
      name: 'delete',
      summary: 'delete a page, everything under it, and the boards and tasks on them',
      uses: ['pages.delete'],
      args: [PAGE],
      options: [DRY_RUN, PERMANENTLY, YES],
      examples: ['page delete Engineering/Launch --dry-run', 'page delete Engineering/Launch --yes'],
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const pageId = await workspace.page(call.arg(0));
        const { permanently = false } = call.options;
        if (call.options.dryRun) {
          const preview = await previewPageDeletion(workspace, pageId, permanently);
          return printPreview(call, `page ${call.arg(0)}`, preview);
        }
        await confirm(call, `Deleting page ${call.arg(0)} and everything under it`, permanently);
        await session.pages.delete({ workspaceId, pageId, ...(permanently && { permanently }) });
        call.out.note(`Deleted page ${call.arg(0)}.`);
      },
    }),
  ],
};

type PageChanges = Omit<UpdatePage, 'workspaceId' | 'pageId'>;

async function update(call: CommandCall, changes: (workspace: WorkspaceLookup) => Promise<PageChanges>): Promise<void> {
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const pageId = await workspace.page(call.arg(0));
  call.out.record(await session.pages.update({ workspaceId, pageId, ...(await changes(workspace)) }), COLUMNS);
}

/** The new parent from `--to` and `--top`; empty if neither is given. */
export async function newParent(
  call: CommandCall<OptionValues<typeof PLACE>>,
  workspace: WorkspaceLookup,
): Promise<{ parentId?: string | null }> {
  const to = call.options.to;
  if (to !== undefined && call.options.top) throw usage('--to and --top cannot be combined.');
  if (call.options.top) return { parentId: null };
  return to === undefined ? {} : { parentId: await workspace.page(to) };
}
