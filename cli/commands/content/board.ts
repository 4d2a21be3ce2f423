import { printHistory } from '../../output/record/history.ts';
import { PAGING } from '../../output/paging.ts';
import type { BoardSummary, BoardView } from '../../../core/board/view.ts';
import { PAGE } from '../../args.ts';
import type { CommandCall } from '../../call.ts';
import { COPY, COPY_DETAILS, copyOptions, noteRestricted, waitForCopy } from '../../copy.ts';
import { confirm, PERMANENTLY, YES } from '../../io/confirm.ts';
import { DRY_RUN, printPreview, previewPageDeletion } from '../../output/record/deletion-preview.ts';
import { boardPicture } from '../../output/record/board.ts';
import { addColumns, COLUMN_OPTIONS, newColumns } from '../../board/columns.ts';
import type { TableColumn } from '../../output/table/column.ts';
import { METADATA_OPTION, METADATA_COLUMN, metadataGiven } from '../../config/metadata.ts';
import { changesGiven } from '../../config/changes-given.ts';
import { withoutUndefined } from '../../config/without-undefined.ts';
import { cardsOf } from '../../board/cards.ts';
import { watchBoard } from '../../board/watch.ts';
import { relative } from '../../config/values.ts';
import { option, type OptionValues } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

const COLUMNS: readonly TableColumn<BoardSummary>[] = [
  { title: 'name', cut: true, text: ({ name }) => name },
  { title: 'description', cut: true, text: ({ description }) => description },
  { title: 'changed', text: ({ updatedAt }) => relative(updatedAt) },
  { title: 'id', wide: true, text: ({ id }) => id },
  METADATA_COLUMN,
];

const OF_NEW_BOARD: readonly TableColumn<BoardView>[] = [
  ...COLUMNS,
  {
    title: 'columns',
    text: ({ statuses }) => statuses.map(({ name, done }) => (done ? `${name} ✓` : name)).join(', '),
  },
];

const BOARD = { ...PAGE, spec: '<board>' };
const FIELDS = [
  option('--description <text>', 'description; - for standard input, @FILE for a file'),
  option('--external-id <id>', 'id in another system'),
  METADATA_OPTION,
];

const CREATE = [
  option('--name <name>', 'name of the board', { required: true }),
  option('--parent <page>', 'parent page (default: top level)'),
  ...COLUMN_OPTIONS,
  ...FIELDS,
];

export const board: Noun = {
  name: 'board',
  summary: 'A board has columns, tags and tasks, and is a page in the tree.',
  verbs: [
    verb({
      name: 'list',
      summary: 'list boards',
      uses: ['boards.list'],
      examples: ['board list --workspace acme'],
      async run(call) {
        const { session, workspaceId } = await call.workspace();
        await call.out.list(await session.boards.list({ workspaceId }), COLUMNS);
      },
    }),
    verb({
      name: 'create',
      summary: 'create a board and its page',
      uses: ['boards.create'],
      options: CREATE,
      examples: [
        'board create --name Sprint --parent Engineering',
        'board create --name Sprint --columns "Todo,Doing,Review,Done*"',
      ],
      run: create,
    }),
    verb({
      name: 'show',
      summary: 'show a board with its columns and tasks',
      uses: ['boards.get'],
      args: [BOARD],
      options: [option('--watch', 'redraw the board whenever it changes, until Ctrl-C')],
      examples: ['board show Launch --workspace acme', 'board show Launch --json', 'board show Launch --watch'],
      stopsItself: ({ options }) => options.watch === true,
      async run(call) {
        const { watch } = call.options;
        const workspace = await (watch ? call.workspaceUnlessStopped() : call.workspace());
        if (workspace === undefined) return;
        if (watch) return watchBoard(call, workspace, await workspace.board(call.arg(0)), COLUMNS);
        const view = await workspace.boardView(await workspace.board(call.arg(0)));
        if (!call.out.isForPeople) return call.out.record(view, COLUMNS);
        const cards = await cardsOf(workspace, view);
        call.out.show(view, (style) => boardPicture(view, cards, style, call.out.width ?? 100));
      },
    }),
    verb({
      name: 'history',
      summary: 'show the history of a board itself, newest first',
      uses: ['boards.history'],
      moreFields: ['expanded'],
      args: [BOARD],
      options: PAGING,
      examples: ['board history Launch'],
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const boardId = await workspace.board(call.arg(0));
        await printHistory(call, workspace, (part) => session.boards.history({ workspaceId, boardId, ...part }));
      },
    }),
    verb({
      name: 'edit',
      summary: 'edit a board; renaming it renames its page',
      uses: ['boards.update'],
      args: [BOARD],
      options: [option('--name <name>', 'new name'), ...FIELDS],
      examples: ['board edit Launch --description "What we build"'],
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const boardId = await workspace.board(call.arg(0));
        const changes = changesGiven({ name: call.options.name, ...(await fields(call)) });
        call.out.record(await session.boards.update({ workspaceId, boardId, ...changes }), COLUMNS);
      },
    }),
    verb({
      name: 'copy',
      summary: 'copy a board, its columns and tags, and everything you can see below it',
      uses: ['boards.copy'],
      args: [BOARD],
      options: COPY,
      details: [COPY_DETAILS],
      examples: [
        'board copy Launch --name "Launch 2" --parent Engineering --tasks',
        'board copy Roadmap --tasks --comments',
      ],
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const boardId = await workspace.board(call.arg(0));
        const begun = await session.boards.copy({ workspaceId, boardId, ...(await copyOptions(call, workspace)) });
        const copy =
          begun.board ?? (await waitForCopy(call, () => session.boards.get({ workspaceId, boardId: begun.id })));
        noteRestricted(call, begun);
        call.out.record(copy, OF_NEW_BOARD);
      },
    }),
    verb({
      name: 'delete',
      summary: 'delete a board, its page and tasks, and everything under them',
      uses: ['boards.delete'],
      args: [BOARD],
      options: [DRY_RUN, PERMANENTLY, YES],
      examples: ['board delete Roadmap --dry-run', 'board delete Roadmap --yes'],
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const boardId = await workspace.board(call.arg(0));
        const { permanently = false } = call.options;
        if (call.options.dryRun) {
          const preview = await previewPageDeletion(workspace, boardId, permanently);
          return printPreview(call, `board ${call.arg(0)}`, preview);
        }
        await confirm(call, `Deleting board ${call.arg(0)} with its tasks`, permanently);
        await session.boards.delete({ workspaceId, boardId, ...(permanently && { permanently }) });
        call.out.note(`Deleted board ${call.arg(0)}.`);
      },
    }),
  ],
};

async function fields(call: CommandCall<OptionValues<typeof FIELDS>>) {
  const { description, externalId, metadata } = call.options;
  return { description: await call.longText(description), externalId, metadata: metadataGiven(metadata) };
}

/** Creates a board with its columns, or nothing. */
async function create(call: CommandCall<OptionValues<typeof CREATE>>): Promise<void> {
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const parent = call.options.parent;
  const columns = newColumns(call.options.columns);
  const given = withoutUndefined({
    parentId: parent === undefined ? undefined : await workspace.page(parent),
    ...(await fields(call)),
  });
  const board = await session.boards.create({ workspaceId, name: call.options.name, ...given });
  const address = { workspaceId, boardId: board.id };
  await addColumns(session, address, columns);
  const view = await session.boards.get(address);
  call.out.record(view, OF_NEW_BOARD);
}
