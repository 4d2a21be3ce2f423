import { body, record } from '../components.ts';
import { acme, EXAMPLE_IDS } from '../examples.ts';
import {
  exactly,
  externalId,
  flag,
  id,
  metadata,
  metadataChanges,
  nullable,
  onTask,
  optional,
  put,
  text,
  versioned,
} from '../fields.ts';
import { expanded, MemberName } from '../names.ts';
import { operation } from '../operation.ts';

const BASE = '/api/workspace/{workspaceId}/task/{taskId}/comment';
const content = text(20_000, {
  minLength: 1,
  description: 'The text of the comment.',
  examples: ['Looks good to me.'],
});

export const Comment = record(
  'Comment',
  'A comment of a member on a task.',
  exactly({
    id: id({ description: 'The id of the comment.' }),
    taskId: id({ description: 'The task of the comment.' }),
    authorId: id({ description: 'The member who wrote it.' }),
    content,
    edited: flag({ description: 'Whether the content was changed after creation.' }),
    externalId: nullable(externalId()),
    metadata,
    ...versioned,
    expanded: expanded({ author: optional(MemberName) }),
  }),
);

export const CreateComment = body(
  'CreateComment',
  exactly({
    ...onTask,
    content,
    externalId: optional(nullable(externalId())),
    metadata: metadataChanges,
  }),
);

const address = { ...onTask, commentId: id({ description: 'The comment.' }) };

const CommentAddress = exactly(address);

export const UpdateComment = body(
  'UpdateComment',
  put(
    address,
    { content: optional(content), externalId: optional(nullable(externalId())), metadata: metadataChanges },
    Comment,
  ),
);

export const commentOperations = [
  operation('comments.create', {
    method: 'POST',
    path: BASE,
    tag: 'Comments',
    summary: 'Comment on a task',
    description: 'Requires Comment Only. The comment goes to the end of the comments of the task.',
    input: CreateComment,
    output: Comment,
    codes: ['external-id-taken', 'quota-exceeded'],
    status: 201,
    location: '/api/workspace/{workspaceId}/task/{taskId}',
    example: { ...acme, taskId: EXAMPLE_IDS.readme, content: 'There is one now.' },
  }),
  operation('comments.update', {
    method: 'PUT',
    path: `${BASE}/{commentId}`,
    tag: 'Comments',
    summary: 'Edit a comment',
    description: 'For its author only.',
    input: UpdateComment,
    output: Comment,
    codes: ['external-id-taken'],
    conditional: true,
    example: {
      ...acme,
      taskId: EXAMPLE_IDS.readme,
      commentId: EXAMPLE_IDS.comment,
      content: 'Is there a picture of a board?',
    },
    exampleNeeds: 'requires the token of Cleo, who wrote the comment.',
  }),
  operation('comments.delete', {
    method: 'DELETE',
    path: `${BASE}/{commentId}`,
    tag: 'Comments',
    summary: 'Delete a comment',
    description: 'For its author, and for members with Full Access.',
    input: CommentAddress,
    output: null,
    conditional: true,
    example: { ...acme, taskId: EXAMPLE_IDS.readme, commentId: EXAMPLE_IDS.comment },
  }),
];
