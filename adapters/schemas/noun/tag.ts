import { Type } from 'typebox';
import { body, record } from '../components.ts';
import { acme, EXAMPLE_IDS } from '../examples.ts';
import { exactly, flag, id, metadata, metadataChanges, name, onBoard, optional, put, versioned } from '../fields.ts';
import { operation } from '../operation.ts';

const BASE = '/api/workspace/{workspaceId}/board/{boardId}/tag';

export const color = Type.String({
  format: 'css-color',
  minLength: 3,
  maxLength: 20,
  pattern: '^(?:#[0-9A-Fa-f]{6}|[A-Za-z]+)$',
  description: 'A CSS colour name or #rrggbb, in lower case.',
  examples: ['rebeccapurple', '#663399'],
});

const tagName = name(100, { description: 'The name, unique on the board, ignoring case.', examples: ['bug'] });

const beingRemoved = flag({
  description:
    'The tag is being removed from its tasks. It cannot be added to others, and disappears with the last one.',
});

export const Tag = record(
  'Tag',
  'A label for the tasks of a board.',
  exactly({
    id: id({ description: 'The id of the tag.' }),
    name: tagName,
    color,
    beingRemoved,
    metadata,
    ...versioned,
  }),
);

export const CreateTag = body(
  'CreateTag',
  exactly({
    ...onBoard,
    name: tagName,
    color: optional({ ...color, default: 'gray' }),
    metadata: metadataChanges,
  }),
);

const address = { ...onBoard, tagId: id({ description: 'The tag.' }) };

const TagAddress = exactly(address);

export const UpdateTag = body(
  'UpdateTag',
  put(address, { name: optional(tagName), color: optional(color), metadata: metadataChanges }, Tag),
);

export const tagOperations = [
  operation('tags.create', {
    method: 'POST',
    path: BASE,
    tag: 'Boards',
    summary: 'Add a tag to a board',
    description: 'Requires Editing. Tags belong to one board.',
    input: CreateTag,
    output: Tag,
    codes: ['quota-exceeded', 'tag-name-taken'],
    status: 201,
    location: '/api/workspace/{workspaceId}/board/{boardId}',
    example: { ...acme, boardId: EXAMPLE_IDS.launch, name: 'bug', color: 'crimson' },
  }),
  operation('tags.update', {
    method: 'PUT',
    path: `${BASE}/{tagId}`,
    tag: 'Boards',
    summary: 'Change a tag',
    description: 'Requires Editing. Its tasks show the new name and colour at once.',
    input: UpdateTag,
    output: Tag,
    codes: ['being-removed', 'tag-name-taken'],
    conditional: true,
    example: { ...acme, boardId: EXAMPLE_IDS.launch, tagId: EXAMPLE_IDS.docs, color: '#663399' },
  }),
  operation('tags.delete', {
    method: 'DELETE',
    path: `${BASE}/{tagId}`,
    tag: 'Boards',
    summary: 'Delete a tag',
    description:
      'Removes the tag from its tasks. Many tasks are changed in steps, and the answer comes after the last: other calls run in between, and see the tag as being removed. It is removed even if the caller does not wait for the answer.',
    input: TagAddress,
    output: null,
    conditional: true,
    example: { ...acme, boardId: EXAMPLE_IDS.launch, tagId: EXAMPLE_IDS.docs },
  }),
];
