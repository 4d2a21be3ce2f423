import { allOf, atTheTop, both, inTurn, level, named, role } from './expectation.ts';
import { byLevel, one, row, type Row } from './row.ts';

export const pageRows: Readonly<Record<string, Row>> = {
  'pages.list': one(
    'workspaceId',
    byLevel(role(10), ({ acme }) => acme.at),
  ),
  // at the top: role 20 and base 300; nested: 300 on the parent
  'pages.create': row('workspaceId parentId taskId', {
    'at the top': byLevel(atTheTop, ({ acme }) => ({ ...acme.at, name: 'New', type: 'folder' })),
    nested: byLevel(named(300), ({ acme }) => ({
      ...acme.at,
      name: 'New',
      type: 'folder',
      parentId: acme.near.folderId,
    })),
    'a task on a board': byLevel(named(300), ({ acme }) => ({
      ...acme.at,
      name: 'New',
      type: 'task',
      parentId: acme.near.boardId,
    })),
    // 400 on what governs the task, 300 on the parent
    'for a task': byLevel(both(named(400), named(300, 'elsewhere')), ({ acme }) => ({
      ...acme.at,
      name: 'New',
      type: 'task',
      parentId: acme.elsewhere,
      taskId: acme.near.taskId,
    })),
    'for a task, under trial': byLevel(both(named(400, 'elsewhere'), named(300)), ({ acme }) => ({
      ...acme.at,
      name: 'New',
      type: 'task',
      parentId: acme.near.folderId,
      taskId: acme.far.taskId,
    })),
  }),
  'pages.get': one(
    'workspaceId pageId',
    byLevel(level(100), ({ acme }) => ({ ...acme.at, pageId: acme.near.folderId })),
  ),
  'pages.history': one(
    'workspaceId pageId',
    byLevel(level(100), ({ acme }) => ({ ...acme.at, pageId: acme.near.folderId })),
  ),
  'pages.update': row('workspaceId pageId parentId', {
    name: byLevel(level(300), ({ acme }) => ({ ...acme.at, pageId: acme.near.folderId, name: 'New' })),
    // among pages with a hidden parent there is no place to take
    order: byLevel(
      inTurn(level(300), (who) => (who.level('above') === 0 ? 'unusable' : 'ok')),
      ({ acme }) => ({ ...acme.at, pageId: acme.near.folderId, orderIndex: 0 }),
    ),
    template: byLevel(level(400), ({ acme }) => ({ ...acme.at, pageId: acme.near.folderId, template: true })),
    // move: 400 on the page and 300 on the new parent; top: as for creating there
    'move elsewhere': byLevel(inTurn(level(400), named(300, 'elsewhere')), ({ acme }) => ({
      ...acme.at,
      pageId: acme.near.folderId,
      parentId: acme.elsewhere,
    })),
    'move to the top': byLevel(
      // to whom the parent is hidden it reads null: this is no move then
      (who) => (who.role > 0 && who.level('above') === 0 ? level(300) : inTurn(level(400), atTheTop))(who),
      ({ acme }) => ({ ...acme.at, pageId: acme.near.folderId, parentId: null }),
    ),
    'move in': byLevel(inTurn(level(400, 'mine'), named(300)), ({ acme }) => ({
      ...acme.at,
      pageId: acme.mine,
      parentId: acme.near.folderId,
    })),
  }),
  // nothing nested: 300 for a task, or for who created it; else 400 on it and 300 on everything nested
  'pages.delete': row('workspaceId pageId', {
    'a page of someone else': byLevel(level(400), ({ acme }) => ({ ...acme.at, pageId: acme.near.folderId })),
    'the own': byLevel(level(300), ({ acme }) => ({ ...acme.at, pageId: acme.near.ownFolderId })),
    'of a task': byLevel(level(300), ({ acme }) => ({ ...acme.at, pageId: acme.near.pagedTaskId })),
    'of a task with pages under it': byLevel(level(400), ({ acme }) => ({ ...acme.at, pageId: acme.near.deepTaskId })),
    'of a task with a page of other levels under it': byLevel(allOf('above', 'here'), ({ acme }) => ({
      ...acme.at,
      pageId: acme.near.guardedTaskId,
    })),
    'of a board with tasks': byLevel(level(400), ({ acme }) => ({ ...acme.at, pageId: acme.near.boardId })),
    'of a board whose tasks have pages elsewhere': byLevel(allOf('elsewhere', 'above', 'here'), ({ acme }) => ({
      ...acme.at,
      pageId: acme.far.boardId,
    })),
    'with all in it': byLevel(allOf('above', 'here'), ({ acme }) => ({ ...acme.at, pageId: acme.above })),
    // for good: as from the trash
    'the own for good': byLevel(level(400), ({ acme }) => ({
      ...acme.at,
      pageId: acme.near.ownFolderId,
      permanently: true,
    })),
  }),
  // what the caller could delete
  'trash.list': one(
    'workspaceId',
    byLevel(role(10), ({ acme }) => acme.at),
  ),
  // what deleting needs; elsewhere 400 on it and 300 on the new parent
  'trash.restore': row('workspaceId trashId parentId', {
    'a card': byLevel(level(300), ({ acme }) => ({ ...acme.at, trashId: acme.near.trashId })),
    'a page of someone else': byLevel(level(400), ({ acme }) => ({ ...acme.at, trashId: acme.near.goneFolderId })),
    'the own': byLevel(level(300), ({ acme }) => ({ ...acme.at, trashId: acme.near.ownGoneFolderId })),
    elsewhere: byLevel(inTurn(level(400), named(300, 'elsewhere')), ({ acme }) => ({
      ...acme.at,
      trashId: acme.near.ownGoneFolderId,
      parentId: acme.elsewhere,
    })),
  }),
  // 400 on it and 300 on everything nested
  'trash.delete': row('workspaceId trashId', {
    'a card': byLevel(level(400), ({ acme }) => ({ ...acme.at, trashId: acme.near.trashId })),
    'the own page': byLevel(level(400), ({ acme }) => ({ ...acme.at, trashId: acme.near.ownGoneFolderId })),
  }),
  'access.settings': one(
    'workspaceId pageId',
    byLevel(level(100), ({ acme }) => ({ ...acme.at, pageId: acme.near.folderId })),
  ),
  'access.changeSettings': one(
    'workspaceId pageId',
    byLevel(level(400), ({ acme }) => ({
      ...acme.at,
      pageId: acme.near.folderId,
      inherit: false,
      defaultAccess: 200,
    })),
  ),
  'access.members': one(
    'workspaceId pageId',
    byLevel(level(100), ({ acme }) => ({ ...acme.at, pageId: acme.near.folderId })),
  ),
  'access.grant': row('workspaceId pageId memberId', {
    'to another': byLevel(level(400), ({ acme }) => ({
      ...acme.at,
      pageId: acme.near.folderId,
      memberId: acme.members.cleo,
      access: 300,
    })),
    // an owner can have nothing but 400
    'to oneself': byLevel(
      inTurn(level(400), (who) => (who.role === 40 ? 'conflict' : 'ok')),
      ({ acme }) => ({ ...acme.at, pageId: acme.near.folderId, memberId: acme.members.actor, access: 300 }),
    ),
  }),
  'access.revoke': row('workspaceId pageId memberId', {
    'of another': byLevel(level(400), ({ acme }) => ({
      ...acme.at,
      pageId: acme.near.folderId,
      memberId: acme.members.cleo,
    })),
    'of oneself': byLevel(
      inTurn(level(400), (who) => (who.hasEntry ? 'ok' : 'not-found')),
      ({ acme }) => ({ ...acme.at, pageId: acme.near.folderId, memberId: acme.members.actor }),
    ),
  }),
  // 100 for oneself, 400 for others
  'access.explain': row(
    'workspaceId pageId memberId',
    {
      oneself: byLevel(level(100), ({ acme }) => ({ ...acme.at, pageId: acme.near.folderId })),
      another: byLevel(level(400), ({ acme }) => ({
        ...acme.at,
        pageId: acme.near.folderId,
        memberId: acme.members.cleo,
      })),
    },
    'not-found',
  ),
  // only what the caller may see
  'access.audit': one(
    'workspaceId',
    byLevel(role(10), ({ acme }) => acme.at),
  ),
  // 400 on the page, 100 on the target
  'access.preview': row(
    'workspaceId pageId parentId',
    {
      'a move out': byLevel(inTurn(level(400), level(100, 'elsewhere')), ({ acme }) => ({
        ...acme.at,
        pageId: acme.near.folderId,
        parentId: acme.elsewhere,
      })),
      'a move in': byLevel(inTurn(level(400, 'mine'), level(100)), ({ acme }) => ({
        ...acme.at,
        pageId: acme.mine,
        parentId: acme.near.folderId,
      })),
    },
    'not-found',
  ),
};
