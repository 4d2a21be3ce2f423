import type { TrashView } from '../../../core/trash/items.ts';
import { allItems } from '../../all-items.ts';
import { localDay } from '../../config/dates.ts';
import { relative } from '../../config/values.ts';
import { oneByOne } from '../../one-by-one.ts';
import { confirm, YES } from '../../io/confirm.ts';
import { failureOf, usage } from '../../io/failure.ts';
import { oneLine, safe } from '../../io/safe-text.ts';
import { option } from '../../option.ts';
import { PAGING, printPages } from '../../output/paging.ts';
import type { TableColumn } from '../../output/table/column.ts';
import { count } from '../../output/table/count.ts';
import { isId } from '../../../core/kernel/id.ts';
import { resolveName } from '../../refs/resolve-name.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { type Noun, verb } from '../../verb.ts';

const COLUMNS: readonly TableColumn<TrashView>[] = [
  { title: 'num', align: 'right', text: ({ num }) => (num === null ? '' : `#${num}`) },
  { title: 'name', cut: true, text: ({ name }) => name },
  { title: 'kind', text: ({ kind }) => kind },
  { title: 'deleted', text: ({ deletedAt }) => relative(deletedAt) },
  { title: 'by', cut: true, text: ({ deletedById, expanded }) => expanded?.deletedBy?.name ?? deletedById ?? '' },
  { title: 'until', text: ({ purgeAt }) => localDay(purgeAt) },
  { title: 'id', wide: true, text: ({ id }) => id },
];

const ITEM = { spec: '<item>', summary: 'name or id of the deleted item, or number of a task', field: 'trashId' };

export const trash: Noun = {
  name: 'trash',
  summary: 'The trash keeps deleted pages, boards and tasks for a while, so that you can restore them.',
  verbs: [
    verb({
      name: 'list',
      summary: 'list the items in the trash that you could delete, last deleted first',
      uses: ['trash.list'],
      options: PAGING,
      examples: ['trash list', 'trash list --jsonl --all'],
      isDefault: true,
      async run(call) {
        const { session, workspaceId } = await call.workspace();
        await printPages(
          call,
          (part) => session.trash.list({ workspaceId, ...part, expand: ['deletedBy'] }),
          async (items) => call.out.list(items, COLUMNS),
        );
      },
    }),
    verb({
      name: 'restore',
      summary: 'restore an item and everything deleted with it, to its old place or another',
      uses: ['trash.restore', 'trash.list'],
      args: [ITEM],
      options: [
        option('--to <page>', 'restore it under this page', { field: 'parentId' }),
        option('--top', 'restore it to the top level'),
      ],
      examples: ['trash restore Roadmap', 'trash restore 3', 'trash restore Roadmap --to Engineering'],
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const { to, top } = call.options;
        if (to !== undefined && top) throw usage('--to and --top cannot be combined.');
        const trashId = await itemNamed(workspace, call.arg(0));
        const place = to !== undefined ? { parentId: await workspace.page(to) } : top ? { parentId: null } : {};
        const restored = await session.trash.restore({ workspaceId, trashId, ...place });
        const name = 'title' in restored ? `task #${restored.num} ${restored.title}` : restored.name;
        call.out.show(restored, () => safe`Restored ${oneLine(name)}.\n`);
      },
    }),
    verb({
      name: 'empty',
      summary: 'permanently delete the given items from the trash, or all that you can',
      uses: ['trash.delete', 'trash.list'],
      args: [{ spec: '[items...]', summary: ITEM.summary, field: ITEM.field }],
      options: [YES],
      examples: ['trash empty --yes', 'trash empty Roadmap --yes'],
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const items = await itemsOf(workspace);
        const named = new Set(call.args.map((ref) => itemIn(items, ref)));
        const gone = call.args.length === 0 ? items.map(({ id }) => id) : [...named];
        await confirm(call, `Deleting ${count(gone.length, 'item')} from the trash`);
        const steps = gone.map(
          (trashId) => () =>
            session.trash.delete({ workspaceId, trashId }).then(
              () => true,
              (error: unknown) => {
                if (call.args.length > 0 || failureOf(error, call.io.env).exit !== 'denied') throw error;
                return false;
              },
            ),
        );
        const left = (await oneByOne(call, steps)).filter((isDeleted) => !isDeleted).length;
        call.out.note(`Deleted ${count(gone.length - left, 'item')} from the trash.`);
        if (left > 0) call.out.note(`Left ${count(left, 'item')}: deleting them permanently requires Full Access.`);
      },
    }),
  ],
};

/** The item with this name or id. */
async function itemNamed(workspace: WorkspaceLookup, ref: string): Promise<string> {
  return isId(ref) ? ref : itemIn(await itemsOf(workspace), ref);
}

function itemIn(items: readonly TrashView[], ref: string): string {
  const named = items.map(({ id, kind, num, name, deletedAt }) => {
    const numbers = num === null ? [] : [`#${num}`, String(num)];
    return { id, names: [name, ...numbers], shown: `${kind} ${name}, deleted ${relative(deletedAt)}` };
  });
  return isId(ref) ? ref : resolveName('item in the trash', ref, named);
}

async function itemsOf({ session, workspaceId }: WorkspaceLookup): Promise<readonly TrashView[]> {
  const items: TrashView[] = [];
  for await (const item of allItems((part) => session.trash.list({ workspaceId, ...part }))) items.push(item);
  return items;
}
