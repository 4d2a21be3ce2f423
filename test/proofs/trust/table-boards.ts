import { allOf, atTheTop, level, named, role, inTurn } from './expectation.ts';
import { byLevel, one, row, type Row } from './row.ts';
import type { SampleService } from './sample-service.ts';

const board = ({ acme }: SampleService) => ({ ...acme.at, boardId: acme.near.boardId });

export const boardRows: Readonly<Record<string, Row>> = {
  'boards.list': one(
    'workspaceId',
    byLevel(role(10), ({ acme }) => acme.at),
  ),
  'boards.create': row('workspaceId parentId', {
    'at the top': byLevel(atTheTop, ({ acme }) => ({ ...acme.at, name: 'New' })),
    nested: byLevel(named(300), ({ acme }) => ({ ...acme.at, name: 'New', parentId: acme.near.folderId })),
  }),
  'boards.get': one('workspaceId boardId', byLevel(level(100), board)),
  'boards.history': one('workspaceId boardId', byLevel(level(100), board)),
  // update board, its statuses and tags: 300
  'boards.update': one(
    'workspaceId boardId',
    byLevel(level(300), (sample) => ({ ...board(sample), name: 'New' })),
  ),
  // 100 on the source, and what creating at the target needs
  'boards.copy': row('workspaceId boardId parentId', {
    'at the top': byLevel(inTurn(level(100), atTheTop), board),
    nested: byLevel(inTurn(level(100), named(300)), (sample) => ({
      ...board(sample),
      parentId: sample.acme.near.folderId,
      tasks: true,
      comments: true,
      assignees: true,
    })),
  }),
  'pages.copy': row('workspaceId pageId parentId', {
    'at the top': byLevel(inTurn(level(100), atTheTop), ({ acme }) => ({ ...acme.at, pageId: acme.near.folderId })),
    nested: byLevel(inTurn(level(100, 'elsewhere'), named(300)), ({ acme }) => ({
      ...acme.at,
      pageId: acme.elsewhere,
      parentId: acme.near.folderId,
    })),
  }),
  // with anything nested: 400
  'boards.delete': row('workspaceId boardId', {
    'with tasks': byLevel(level(400), board),
    'with tasks that have pages elsewhere': byLevel(allOf('elsewhere', 'above', 'here'), ({ acme }) => ({
      ...acme.at,
      boardId: acme.far.boardId,
    })),
    'for good': byLevel(level(400), (sample) => ({ ...board(sample), permanently: true })),
  }),
  'statuses.create': one(
    'workspaceId boardId',
    byLevel(level(300), (sample) => ({ ...board(sample), name: 'New' })),
  ),
  'statuses.update': one(
    'workspaceId boardId statusId',
    byLevel(level(300), (sample) => ({ ...board(sample), statusId: sample.acme.near.statusId, name: 'New' })),
  ),
  'statuses.delete': row('workspaceId boardId statusId moveTo', {
    empty: byLevel(level(300), (sample) => ({ ...board(sample), statusId: sample.acme.near.emptyStatusId })),
    'with tasks': byLevel(level(300), (sample) => ({
      ...board(sample),
      statusId: sample.acme.near.statusId,
      moveTo: sample.acme.near.emptyStatusId,
    })),
  }),
  'tags.create': one(
    'workspaceId boardId',
    byLevel(level(300), (sample) => ({ ...board(sample), name: 'new' })),
  ),
  'tags.update': one(
    'workspaceId boardId tagId',
    byLevel(level(300), (sample) => ({ ...board(sample), tagId: sample.acme.near.tagId, name: 'new' })),
  ),
  'tags.delete': one(
    'workspaceId boardId tagId',
    byLevel(level(300), (sample) => ({ ...board(sample), tagId: sample.acme.near.tagId })),
  ),
};
