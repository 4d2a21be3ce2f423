import type { BoardSummary, BoardView } from '../../core/board/view.ts';
import type { Call } from '../call.ts';
import { confirm, YES } from '../io/confirm.ts';
import { DRY_RUN, printPreview, previewDeletion } from '../output/deletion-preview.ts';
import { boardPicture, type Card } from '../output/board.ts';
import type { Column } from '../output/column.ts';
import { withoutUndefined } from '../config/without-undefined.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { relative } from '../config/values.ts';
import { option, type Noun } from '../verb.ts';

const COLUMNS: readonly Column<BoardSummary>[] = [
  { title: 'name', cut: true, text: ({ name }) => name },
  { title: 'description', cut: true, text: ({ description }) => description },
  { title: 'changed', text: ({ updatedAt }) => relative(updatedAt) },
  { title: 'id', spare: true, text: ({ id }) => id },
];

const BOARD = { spec: '<board>', summary: 'name, path (Engineering/Dev) or id' };
const FIELDS = [
  option('--description <text>', 'what it is for; - reads the standard input, @FILE a file'),
  option('--external-id <id>', 'its id in another system'),
];

export const board: Noun = {
  name: 'board',
  summary: 'boards',
  verbs: [
    {
      name: 'list',
      summary: 'list the boards',
      uses: ['boards.list'],
      examples: ['board list --workspace acme'],
      async run(call) {
        const { session, workspaceId } = await call.space();
        await call.out.list(await session.boards.list({ workspaceId }), COLUMNS);
      },
    },
    {
      name: 'create',
      summary: 'make a board and its page',
      uses: ['boards.create'],
      options: [
        option('--name <name>', 'its name', { required: true }),
        option('--parent <page>', 'the page it goes under; default: the top'),
        ...FIELDS,
      ],
      examples: ['board create --name Dev --parent Engineering'],
      async run(call) {
        const space = await call.space();
        const { session, workspaceId } = space;
        const parent = call.text('parent');
        const given = withoutUndefined({
          parentId: parent === undefined ? undefined : await space.page(parent),
          ...(await fields(call)),
        });
        call.out.record(await session.boards.create({ workspaceId, name: call.required('name'), ...given }), COLUMNS);
      },
    },
    {
      name: 'show',
      summary: 'draw a board with its columns and tasks',
      uses: ['boards.get'],
      args: [BOARD],
      examples: ['board show Dev --workspace acme', 'board show Dev --json'],
      async run(call) {
        const space = await call.space();
        const view = await space.boardView(await space.board(call.arg(0)));
        if (call.out.isJson) return call.out.record(view, COLUMNS);
        const cards = await cardsOf(space, view);
        call.out.show(view, (style) => boardPicture(view, cards, style, call.out.width ?? 100));
      },
    },
    {
      name: 'edit',
      summary: 'change a board; its page is renamed with it',
      uses: ['boards.update'],
      args: [BOARD],
      options: [option('--name <name>', 'a new name'), ...FIELDS],
      examples: ['board edit Dev --description "What we build"'],
      async run(call) {
        const space = await call.space();
        const { session, workspaceId } = space;
        const boardId = await space.board(call.arg(0));
        const changes = withoutUndefined({ name: call.text('name'), ...(await fields(call)) });
        call.out.record(await session.boards.update({ workspaceId, boardId, ...changes }), COLUMNS);
      },
    },
    {
      name: 'delete',
      summary: 'delete a board, its page, its tasks, and all nested under them',
      uses: ['boards.delete'],
      args: [BOARD],
      options: [DRY_RUN, YES],
      examples: ['board delete Dev --dry-run', 'board delete Dev --yes'],
      async run(call) {
        const space = await call.space();
        const { session, workspaceId } = space;
        const boardId = await space.board(call.arg(0));
        if (call.flag('dryRun'))
          return printPreview(call, `board ${call.arg(0)}`, await previewDeletion(space, boardId));
        await confirm(call, `Deleting board ${call.arg(0)} with its tasks`);
        await session.boards.delete({ workspaceId, boardId });
        call.out.note(`Deleted board ${call.arg(0)}.`);
      },
    },
  ],
};

async function fields(call: Call) {
  return { description: await call.longText('description'), externalId: call.text('externalId') };
}

const MOST_CARDS = 500;

async function cardsOf(space: WorkspaceLookup, { id }: BoardView): Promise<readonly Card[]> {
  const { session, workspaceId } = space;
  const { items } = await session.tasks.list({ workspaceId, boardId: [id], sort: ['position'], limit: MOST_CARDS });
  const members = new Map((await space.members()).map((member) => [member.id, member.name]));
  return items.map((task) => ({ ...task, people: task.assignees.map((one) => members.get(one) ?? '?') }));
}
