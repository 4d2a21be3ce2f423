import { Type } from 'typebox';
import { exactly, id, name, onBoard, optional, put, versioned } from '../fields.ts';
import { operation } from '../operation.ts';

const BASE = '/api/workspace/{workspaceId}/board/{boardId}/tag';

export const color = Type.String({
  format: 'css-color',
  minLength: 3,
  maxLength: 20,
  pattern: '^(?:#[0-9A-Fa-f]{6}|[A-Za-z]+)$',
  description: 'A CSS colour name or #rrggbb, kept in lower case.',
  examples: ['rebeccapurple', '#663399'],
});

const tagName = name(100, { description: 'Unique on the board, ignoring case.', examples: ['bug'] });

export const Tag = exactly({ id: id(), name: tagName, color, ...versioned });

export const CreateTag = exactly({ ...onBoard, name: tagName, color: optional({ ...color, default: 'gray' }) });

const address = { ...onBoard, tagId: id({ description: 'The tag.' }) };

const TagAddress = exactly(address);

export const UpdateTag = put(address, { name: optional(tagName), color: optional(color) }, Tag);

export const tagOperations = [
  operation('tags.create', {
    method: 'POST',
    path: BASE,
    tag: 'Boards',
    summary: 'Add a tag to a board',
    input: CreateTag,
    output: Tag,
    codes: ['quota-exceeded', 'tag-name-taken'],
    status: 201,
    location: '/api/workspace/{workspaceId}/board/{boardId}',
  }),
  operation('tags.update', {
    method: 'PUT',
    path: `${BASE}/{tagId}`,
    tag: 'Boards',
    summary: 'Change a tag',
    input: UpdateTag,
    output: Tag,
    codes: ['tag-name-taken'],
    conditional: true,
  }),
  operation('tags.delete', {
    method: 'DELETE',
    path: `${BASE}/{tagId}`,
    tag: 'Boards',
    summary: 'Delete a tag',
    description: 'It is taken off its tasks.',
    input: TagAddress,
    output: null,
    conditional: true,
  }),
];
