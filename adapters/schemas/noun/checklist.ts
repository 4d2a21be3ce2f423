import { body, record } from '../components.ts';
import { acme, EXAMPLE_IDS } from '../examples.ts';
import { exactly, flag, id, name, nullable, onTask, optional, put } from '../fields.ts';
import { operation } from '../operation.ts';

const BASE = '/api/workspace/{workspaceId}/task/{taskId}/checklist';
const text = name(500, { description: 'The text of the item.', examples: ['Tell the newsletter'] });
const done = flag({ description: 'Whether the item is done. This does not complete or reopen the task.' });
const assigneeId = nullable(id(), { description: 'The assigned member. Null: nobody.' });

export const ChecklistItem = record(
  'ChecklistItem',
  'An item of the checklist of a task.',
  exactly({ id: id({ description: 'The id of the item.' }), text, done, assigneeId }),
);

const writable = {
  done: optional(done),
  assigneeId: optional(nullable(id(), { description: 'A member with at least View Only on the task. Null: nobody.' })),
  beforeItemId: optional(
    nullable(id(), { description: 'Places the item before this one of the same checklist. Null: at the end.' }),
  ),
  afterItemId: optional(
    nullable(id(), { description: 'Places the item after this one of the same checklist. Null: at the start.' }),
  ),
};

export const CreateChecklistItem = body('CreateChecklistItem', exactly({ ...onTask, text, ...writable }));

const address = { ...onTask, itemId: id({ description: 'The item.' }) };

const ChecklistItemAddress = exactly(address);

export const UpdateChecklistItem = body(
  'UpdateChecklistItem',
  put(address, { text: optional(text), ...writable }, ChecklistItem),
);

const OF_THE_TASK = 'If-Match takes the version of the task. Every change of its checklist raises it.';

export const checklistOperations = [
  operation('checklists.create', {
    method: 'POST',
    path: BASE,
    tag: 'Tasks',
    summary: 'Add an item to the checklist of a task',
    description: `Requires Editing. By default the item goes to the end. A checklist has at most 100 items. ${OF_THE_TASK}`,
    input: CreateChecklistItem,
    output: ChecklistItem,
    codes: ['limit-reached', 'unusable-reference'],
    status: 201,
    location: '/api/workspace/{workspaceId}/task/{taskId}',
    conditional: true,
    example: { ...acme, taskId: EXAMPLE_IDS.readme, text: 'Draw a picture of the board', assigneeId: EXAMPLE_IDS.ben },
  }),
  operation('checklists.update', {
    method: 'PUT',
    path: `${BASE}/{itemId}`,
    tag: 'Tasks',
    summary: 'Change or move an item of a checklist',
    description: `Requires Editing. ${OF_THE_TASK}`,
    input: UpdateChecklistItem,
    output: ChecklistItem,
    codes: ['unusable-reference'],
    conditional: true,
    example: { ...acme, taskId: EXAMPLE_IDS.readme, itemId: EXAMPLE_IDS.item, done: true, afterItemId: null },
    exampleNeeds: 'requires an existing item.',
  }),
  operation('checklists.delete', {
    method: 'DELETE',
    path: `${BASE}/{itemId}`,
    tag: 'Tasks',
    summary: 'Remove an item from a checklist',
    description: `Requires Editing. ${OF_THE_TASK}`,
    input: ChecklistItemAddress,
    output: null,
    conditional: true,
    example: { ...acme, taskId: EXAMPLE_IDS.readme, itemId: EXAMPLE_IDS.item },
    exampleNeeds: 'requires an existing item.',
  }),
];
