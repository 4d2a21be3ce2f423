import { exactly, externalId, flag, id, integer, inWorkspace, list, name, optional, text, time } from '../fields.ts';
import { operation } from '../operation.ts';
import { optionalFields, writtenFields } from '../task-fields.ts';
import { color } from './tag.ts';

const ImportedComment = exactly({
  externalId: externalId(),
  content: text(20_000, { minLength: 1 }),
  authorId: optional(id({ description: 'Absent: the member who imports.' })),
  createdAt: time(),
  editedAt: optional(time()),
});

const ImportedTask = exactly({
  ...optionalFields,
  externalId: externalId(),
  title: writtenFields.title,
  status: name(100, { description: 'Name of a status in statuses.' }),
  tags: optional(list(name(100), 1_000, { description: 'Names of tags in tags.' })),
  assignees: optional(list(id(), 1_000)),
  createdById: optional(id({ description: 'Absent: the member who imports.' })),
  createdAt: optional(time()),
  comments: optional(list(ImportedComment, 100_000)),
});

export const ImportBoard = exactly({
  ...inWorkspace,
  memberId: id({ description: 'Whose the board becomes: an active member.' }),
  externalId: externalId(),
  name: name(500),
  description: optional(text(10_000)),
  statuses: list(exactly({ name: name(100), done: optional(flag()) }), 1_000, {
    description: 'In order, names unique.',
  }),
  tags: list(exactly({ name: name(100), color }), 1_000, { description: 'Names unique ignoring case.' }),
  tasks: list(ImportedTask, 1_000_000, { description: 'In the order they get in their statuses.' }),
});

const count = integer(0, Number.MAX_SAFE_INTEGER);
const ImportCount = exactly({ boards: count, statuses: count, tags: count, tasks: count, comments: count });

export const ImportReport = exactly({
  boardId: id(),
  created: { ...ImportCount, description: 'What came in.' },
  existing: { ...ImportCount, description: 'Found by external id or name and left as it is.' },
});

export const importOperations = [
  operation('imports.board', {
    method: 'POST',
    path: '/api/workspace/{id}/import/board',
    tag: 'Imports',
    summary: 'Import a board of another system',
    description:
      'For service administrators. Authors and times stay as they were. A new board is there with all that is on it, or not at all. A second import of the same board adds only what is not there yet: all of it or nothing, but for more than 250 tasks and comments, which are added in parts.',
    input: ImportBoard,
    output: ImportReport,
    codes: ['being-removed', 'external-id-taken', 'quota-exceeded', 'unusable-reference'],
  }),
];
