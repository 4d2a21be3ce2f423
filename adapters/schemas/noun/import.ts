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
  content: text(20_000, { minLength: 1, description: 'What it says.' }),
  authorId: optional(id({ description: 'Absent: the member who imports.' })),
  createdAt: time({ description: 'When it was written.' }),
  editedAt: optional(time({ description: 'When it was last changed. Absent: never.' })),
});

const ImportedItem = exactly({
  text: name(500, { description: 'What is to be done.' }),
  done: optional(flag({ description: 'Absent: it is not.' })),
  assigneeId: optional(id({ description: 'A member with access to the board. Absent: nobody.' })),
});

const ImportedTask = exactly({
  ...optionalFields,
  externalId: externalId(),
  title: writtenFields.title,
  status: name(100, { description: 'Name of a status in statuses.' }),
  tags: optional(list(name(100), 1_000, { description: 'Names of tags in tags.' })),
  assignees: optional(list(id(), 1_000, { description: 'Members.' })),
  createdById: optional(id({ description: 'Absent: the member who imports.' })),
  createdAt: optional(time({ description: 'When it was made. Absent: now.' })),
  metadata: metadataChanges,
  checklist: optional(list(ImportedItem, MAX_ITEMS, { description: 'In order.' })),
  comments: optional(list(ImportedComment, 100_000, { description: 'In any order.' })),
  archived: optional(flag({ description: 'It goes to the trash. Where none is kept, it is left out.' })),
});

export const ImportBoard = body(
  'ImportBoard',
  exactly({
    ...inWorkspace,
    memberId: id({ description: 'The member who owns the board: an active one.' }),
    externalId: externalId(),
    name: name(500, { description: 'Display name.' }),
    description: optional(text(10_000, { description: 'Free text.' })),
    statuses: list(
      exactly({
        name: name(100, { description: 'Name of the column.' }),
        done: optional(flag({ description: 'Its tasks are complete.' })),
      }),
      1_000,
      {
        description: 'In order, names unique.',
      },
    ),
    tags: list(exactly({ name: name(100, { description: 'Unique on the board, ignoring case.' }), color }), 1_000, {
      description: 'Names unique ignoring case.',
    }),
    tasks: list(ImportedTask, 1_000_000, { description: 'In the order in which they are placed in their statuses.' }),
  }),
);

const count = (of: string) => integer(0, Number.MAX_SAFE_INTEGER, { description: `How many ${of}.` });
const ImportCount = exactly({
  boards: count('boards'),
  statuses: count('statuses'),
  tags: count('tags'),
  tasks: count('tasks, with those in the trash'),
  trashed: count('tasks in the trash'),
  checklistItems: count('items of checklists'),
  comments: count('comments'),
});

export const ImportReport = record(
  'ImportReport',
  'What an import has created.',
  exactly({
    boardId: id({ description: 'The board that it came into.' }),
    created: { ...ImportCount, description: 'What came in.' },
    existing: { ...ImportCount, description: 'Found by external id or name and left as it is.' },
  }),
);

export const importOperations = [
  operation('imports.board', {
    method: 'POST',
    path: '/api/workspace/{id}/import/board',
    tag: 'Imports',
    summary: 'Import a board of another system',
    description:
      'For service administrators. Authors and times stay as they were. A new board is there with all that is on it, or not at all. A second import of the same board adds only what is not there yet: all of it or nothing, but for more than 250 tasks, items and comments, which are added in parts.',
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
