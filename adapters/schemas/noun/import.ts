import { MAX_ITEMS } from '../../../core/model/content/checklist-item.ts';
import { body, record } from '../components.ts';
import { acme, EXAMPLE_IDS } from '../examples.ts';
import {
  exactly,
  externalId,
  flag,
  id,
  integer,
  inWorkspace,
  list,
  metadataChanges,
  name,
  optional,
  text,
  time,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { optionalFields, writtenFields } from '../task-fields.ts';
import { color } from './tag.ts';

const ImportedComment = exactly({
  externalId: externalId(),
  content: text(20_000, { minLength: 1, description: 'The text of the comment.' }),
  authorId: optional(id({ description: 'The author. Absent: the member who owns the board.' })),
  createdAt: time({ description: 'The time of creation.' }),
  editedAt: optional(time({ description: 'The time of the last change. Absent: never changed.' })),
});

const ImportedItem = exactly({
  text: name(500, { description: 'The text of the item.' }),
  done: optional(flag({ description: 'Whether it is done. Absent: not done.' })),
  assigneeId: optional(id({ description: 'The assignee, a member with access to the board. Absent: nobody.' })),
});

const ImportedTask = exactly({
  ...optionalFields,
  externalId: externalId(),
  title: writtenFields.title,
  status: name(100, { description: 'The name of a status in statuses.' }),
  tags: optional(list(name(100), 1_000, { description: 'The names of tags in tags.' })),
  assignees: optional(list(id(), 1_000, { description: 'The assigned members.' })),
  createdById: optional(id({ description: 'The creator. Absent: the member who owns the board.' })),
  createdAt: optional(time({ description: 'The time of creation. Absent: now.' })),
  metadata: metadataChanges,
  checklist: optional(list(ImportedItem, MAX_ITEMS, { description: 'The checklist items, in order.' })),
  comments: optional(list(ImportedComment, 100_000, { description: 'The comments, in any order.' })),
  archived: optional(flag({ description: 'Imports the task into the trash. A service without a trash omits it.' })),
});

export const ImportBoard = body(
  'ImportBoard',
  exactly({
    ...inWorkspace,
    memberId: id({ description: 'The active member who owns the board.' }),
    externalId: externalId(),
    name: name(500, { description: 'The display name.' }),
    description: optional(text(10_000, { description: 'The description.' })),
    statuses: list(
      exactly({
        name: name(100, { description: 'The name of the column.' }),
        done: optional(flag({ description: 'Whether its tasks are complete.' })),
      }),
      1_000,
      {
        description: 'The statuses, in order. Names are unique.',
      },
    ),
    tags: list(
      exactly({ name: name(100, { description: 'The name, unique on the board, ignoring case.' }), color }),
      1_000,
      {
        description: 'The tags. Names are unique, ignoring case.',
      },
    ),
    tasks: list(ImportedTask, 1_000_000, { description: 'The tasks, in their order in the statuses.' }),
  }),
);

const count = (of: string) => integer(0, Number.MAX_SAFE_INTEGER, { description: `The number of ${of}.` });
const ImportCount = exactly({
  boards: count('boards'),
  statuses: count('statuses'),
  tags: count('tags'),
  tasks: count('tasks, including those in the trash'),
  trashed: count('tasks in the trash'),
  checklistItems: count('checklist items'),
  comments: count('comments'),
});

export const ImportReport = record(
  'ImportReport',
  'The result of an import.',
  exactly({
    boardId: id({ description: 'The imported board.' }),
    created: { ...ImportCount, description: 'The created records.' },
    existing: { ...ImportCount, description: 'Existing records, found by external id or name and left unchanged.' },
  }),
);

export const importOperations = [
  operation('imports.board', {
    method: 'POST',
    path: '/api/workspace/{id}/import/board',
    tag: 'Imports',
    summary: 'Import a board from another system',
    description:
      'For service administrators. Authors and times are kept. A new board is imported completely or not at all. Another import of the same board adds only what is missing: all or nothing up to 250 tasks, items and comments, and in parts above that.',
    input: ImportBoard,
    output: ImportReport,
    codes: ['being-removed', 'external-id-taken', 'quota-exceeded', 'unusable-reference'],
    example: {
      ...acme,
      memberId: EXAMPLE_IDS.ada,
      externalId: 'trello-5f1d',
      name: 'Weekly',
      statuses: [{ name: 'Open' }, { name: 'Closed', done: true }],
      tags: [{ name: 'urgent', color: 'red' }],
      tasks: [
        {
          externalId: 'card-1',
          title: 'Order coffee',
          status: 'Open',
          tags: ['urgent'],
          createdAt: '2026-05-01T08:00:00.000Z',
          checklist: [{ text: 'Ask who drinks what' }, { text: 'Find the old order', done: true }],
          comments: [{ externalId: 'note-1', content: 'The last bag is open.', createdAt: '2026-05-02T08:00:00.000Z' }],
        },
      ],
    },
  }),
];
