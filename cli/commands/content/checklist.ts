import type { ChecklistItemView } from '../../../core/checklist/view.ts';
import { TASK } from '../../args.ts';
import type { CommandCall } from '../../call.ts';
import { withoutUndefined } from '../../config/without-undefined.ts';
import { oneByOne } from '../../one-by-one.ts';
import { usage } from '../../io/failure.ts';
import { confirm, YES } from '../../io/confirm.ts';
import { option } from '../../option.ts';
import { checklistColumns } from '../../output/record/checklist.ts';
import { withMember } from '../../output/record/members.ts';
import { itemIdOf } from '../../refs/checklist-item.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { memberNamer } from '../../task/names.ts';
import { type Noun, verb } from '../../verb.ts';

const ITEM = { spec: '<item>', summary: 'number in the list, exact text or id' };
const ITEMS = { spec: '<items...>', summary: 'numbers in the list, exact texts or ids', field: 'itemId' };
const TEXT = { spec: '<text>', summary: 'text of the item', field: 'text' };

const ASSIGNEE = option('-a, --assignee <member>', 'assignee: e-mail address, name, id, me or none', {
  field: 'assigneeId',
});
const BEFORE = option('--before <item>', 'before this item; end: last', { field: 'beforeItemId' });
const AFTER = option('--after <item>', 'after this item; start: first', { field: 'afterItemId' });

async function atChecklist(call: CommandCall) {
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const taskId = await workspace.task(call.arg(0));
  let known: Promise<readonly ChecklistItemView[]> | undefined;
  /** The items, which are read once. */
  const items = () => (known ??= session.tasks.get({ workspaceId, taskId }).then(({ checklist }) => checklist));
  const itemId = (ref: string) => itemIdOf(items, ref);
  return { workspace, session, at: { workspaceId, taskId }, items, itemId };
}

function assigneeOf(workspace: WorkspaceLookup, ref: string | undefined): Promise<string | null> | undefined {
  if (ref === undefined) return undefined;
  return ref === 'none' ? Promise.resolve(null) : workspace.member(ref);
}

/** The item next to which another is placed; null: it is placed at the named edge. */
async function neighbour(itemId: (ref: string) => Promise<string>, ref: string | undefined, edge: string) {
  if (ref === undefined) return undefined;
  return ref === edge ? null : itemId(ref);
}

async function setDone(call: CommandCall, done: boolean): Promise<void> {
  const { session, at, items, itemId, workspace } = await atChecklist(call);
  const chosen = new Set<string>();
  for (const ref of call.args.slice(1)) chosen.add(await itemId(ref));
  const changed = await oneByOne(
    call,
    [...chosen].map((id) => () => session.checklists.update({ ...at, itemId: id, done })),
  );
  const names = await memberNamer(workspace, call.out.isForPeople);
  await call.out.list(await withMember(call, workspace, changed, 'assigneeId'), checklistColumns(names, await items()));
}

/** One item, with the name of its assignee. */
async function print(call: CommandCall, workspace: WorkspaceLookup, item: ChecklistItemView): Promise<void> {
  const [shown] = await withMember(call, workspace, [item], 'assigneeId');
  call.out.record(shown!, checklistColumns(await memberNamer(workspace, call.out.isForPeople)));
}

export const checklist: Noun = {
  name: 'checklist',
  summary: 'A task has one checklist of up to 100 items; members who can edit the task can edit it.',
  verbs: [
    verb({
      name: 'list',
      summary: 'list the checklist of a task',
      args: [TASK],
      examples: ['checklist list "#2" --json'],
      async run(call) {
        const { workspace, items } = await atChecklist(call);
        const names = await memberNamer(workspace, call.out.isForPeople);
        const all = await items();
        await call.out.list(await withMember(call, workspace, all, 'assigneeId'), checklistColumns(names, all));
      },
    }),
    verb({
      name: 'create',
      summary: 'add an item',
      uses: ['checklists.create'],
      moreFields: ['expanded'],
      args: [TASK, TEXT],
      options: [option('--done', 'mark it as done'), ASSIGNEE, BEFORE, AFTER],
      examples: [
        'checklist create "#2" "Tell the newsletter" --assignee me',
        'checklist add 2 "First things" --after start',
      ],
      async run(call) {
        const { workspace, session, at, itemId } = await atChecklist(call);
        const { before, after, assignee } = call.options;
        const more = withoutUndefined({
          done: call.options.done,
          assigneeId: await assigneeOf(workspace, assignee),
          beforeItemId: await neighbour(itemId, before, 'end'),
          afterItemId: await neighbour(itemId, after, 'start'),
        });
        const item = await session.checklists.create({ ...at, text: call.arg(1), ...more });
        await print(call, workspace, item);
      },
    }),
    verb({
      name: 'done',
      summary: 'check items off',
      uses: ['checklists.update'],
      moreFields: ['expanded'],
      aliases: ['check'],
      args: [TASK, ITEMS],
      examples: ['checklist done "#2" 1 2'],
      run: (call) => setDone(call, true),
    }),
    verb({
      name: 'reopen',
      summary: 'mark items as not done',
      uses: ['checklists.update'],
      moreFields: ['expanded'],
      aliases: ['uncheck'],
      args: [TASK, ITEMS],
      examples: ['checklist reopen "#2" 1'],
      run: (call) => setDone(call, false),
    }),
    verb({
      name: 'edit',
      summary: 'edit the text or assignee of an item',
      uses: ['checklists.update'],
      moreFields: ['expanded'],
      args: [TASK, ITEM],
      options: [option('-t, --text <text>', 'text of the item'), ASSIGNEE],
      examples: ['checklist edit "#2" 1 --text "Tell the press"', 'checklist edit "#2" 2 --assignee none'],
      async run(call) {
        const { workspace, session, at, itemId } = await atChecklist(call);
        const { text, assignee } = call.options;
        if (text === undefined && assignee === undefined) throw usage('No changes given: use --text or --assignee.');
        const changes = withoutUndefined({ text, assigneeId: await assigneeOf(workspace, assignee) });
        const item = await session.checklists.update({ ...at, itemId: await itemId(call.arg(1)), ...changes });
        await print(call, workspace, item);
      },
    }),
    verb({
      name: 'move',
      summary: 'move an item within its list',
      uses: ['checklists.update'],
      moreFields: ['expanded'],
      args: [TASK, ITEM],
      options: [BEFORE, AFTER],
      examples: ['checklist move "#2" 2 --after start', 'checklist move "#2" 1 --before end'],
      async run(call) {
        const { workspace, session, at, itemId } = await atChecklist(call);
        const { before, after } = call.options;
        if (before === undefined && after === undefined) throw usage('No destination given: use --before or --after.');
        const place = withoutUndefined({
          beforeItemId: await neighbour(itemId, before, 'end'),
          afterItemId: await neighbour(itemId, after, 'start'),
        });
        const item = await session.checklists.update({ ...at, itemId: await itemId(call.arg(1)), ...place });
        await print(call, workspace, item);
      },
    }),
    verb({
      name: 'delete',
      summary: 'delete an item',
      uses: ['checklists.delete'],
      args: [TASK, ITEM],
      options: [YES],
      examples: ['checklist delete "#2" 2 --yes'],
      async run(call) {
        const { session, at, itemId } = await atChecklist(call);
        const id = await itemId(call.arg(1));
        await confirm(call, 'Deleting the item');
        await session.checklists.delete({ ...at, itemId: id });
        call.out.note('Deleted the item.');
      },
    }),
  ],
};
