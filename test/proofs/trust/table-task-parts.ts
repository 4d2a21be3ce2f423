import { level, rule, inTurn } from './expectation.ts';
import { byLevel, one, row, type Row } from './row.ts';
import type { SampleService } from './sample-service.ts';

const card = ({ acme }: SampleService) => ({ ...acme.at, taskId: acme.near.taskId });

/** One with a page under trial, on a board elsewhere. */
const paged = ({ acme }: SampleService) => ({ ...acme.at, taskId: acme.near.pagedTaskId });
/** The first item of its checklist. */
const item = (sample: SampleService) => ({ ...card(sample), itemId: sample.acme.near.itemId });

export const taskPartRows: Readonly<Record<string, Row>> = {
  // as editing the task: 300
  'checklists.create': row('workspaceId taskId assigneeId beforeItemId afterItemId', {
    'on a card': byLevel(level(300), (sample) => ({
      ...card(sample),
      text: 'New',
      assigneeId: sample.acme.members.ada,
      beforeItemId: sample.acme.near.itemId,
    })),
    behind: byLevel(level(300), (sample) => ({ ...card(sample), text: 'New', afterItemId: sample.acme.near.itemId })),
    'with a page': byLevel(level(300), (sample) => ({ ...paged(sample), text: 'New' })),
  }),
  'checklists.update': row('workspaceId taskId itemId assigneeId beforeItemId afterItemId', {
    'on a card': byLevel(level(300), (sample) => ({
      ...item(sample),
      text: 'New',
      assigneeId: sample.acme.members.ada,
    })),
    before: byLevel(level(300), (sample) => ({ ...item(sample), beforeItemId: sample.acme.nextItemId })),
    behind: byLevel(level(300), (sample) => ({ ...item(sample), afterItemId: sample.acme.nextItemId })),
  }),
  'checklists.delete': one('workspaceId taskId itemId', byLevel(level(300), item)),
  // comment: 200; edit: its author, still at 200; delete: its author, or 400
  'comments.create': row('workspaceId taskId', {
    'on a card': byLevel(level(200), (sample) => ({ ...card(sample), content: 'New.' })),
    'with a page': byLevel(level(200), (sample) => ({ ...paged(sample), content: 'New.' })),
  }),
  'comments.update': row('workspaceId taskId commentId', {
    'the own': byLevel(level(200), (sample) => ({
      ...card(sample),
      commentId: sample.acme.ownCommentId,
      content: 'New.',
    })),
    "somebody else's": byLevel(
      inTurn(
        level(100),
        rule(() => 'forbidden'),
      ),
      (sample) => ({ ...card(sample), commentId: sample.acme.near.commentId, content: 'New.' }),
    ),
  }),
  'comments.delete': row('workspaceId taskId commentId', {
    'the own': byLevel(level(100), (sample) => ({ ...card(sample), commentId: sample.acme.ownCommentId })),
    "somebody else's": byLevel(level(400), (sample) => ({ ...card(sample), commentId: sample.acme.near.commentId })),
  }),
};
