import { allOf, both, level, named, role, rule, inTurn } from './expectation.ts';
import { byLevel, one, row, type Row } from './row.ts';
import type { SampleService } from './sample-service.ts';

const card = ({ acme }: SampleService) => ({ ...acme.at, taskId: acme.near.taskId });

/** A task that is linked to another. */
const linking =
  (fromTaskId: string) =>
  ({ acme }: SampleService) => ({ ...acme.at, fromTaskId });
/** One with a page under trial, on a board elsewhere. */
const paged = ({ acme }: SampleService) => ({ ...acme.at, taskId: acme.near.pagedTaskId });

/** What a filter finds: nothing where all is hidden, and then another number than expected. */
const found = rule((who) => {
  const has = who.level('here');
  return has === 0 ? 'conflict' : has < 300 ? 'forbidden' : 'ok';
});

const draft = (sample: SampleService) => ({ title: 'New', boardId: sample.acme.near.boardId });

/** Everything a task can name. */
const linked = ({ acme }: SampleService) => ({
  statusId: acme.near.statusId,
  tags: [acme.near.tagId],
  assignees: [acme.members.ada],
});

export const taskRows: Readonly<Record<string, Row>> = {
  // a foreign id in a filter matches nothing
  'tasks.list': row(
    'workspaceId boardId[] statusId[] assigneeId[] tagId[] createdById[] excludeBoardId[] excludeStatusId[] excludeAssigneeId[] excludeTagId[] excludeCreatedById[] parentTaskId[] excludeParentTaskId[] linkedTo[] excludeLinkedTo[]',
    {
      all: byLevel(role(10), ({ acme }) => acme.at),
      filtered: byLevel(role(10), ({ acme }) => ({
        ...acme.at,
        boardId: [acme.near.boardId],
        statusId: [acme.near.statusId],
        assigneeId: [acme.members.ada],
        tagId: [acme.near.tagId],
        createdById: [acme.members.ada],
        excludeBoardId: [acme.far.boardId],
        excludeStatusId: [acme.far.statusId],
        excludeAssigneeId: [acme.members.cleo],
        excludeTagId: [acme.far.tagId],
        excludeCreatedById: [acme.members.cleo],
        parentTaskId: [acme.far.taskId],
        excludeParentTaskId: [acme.near.taskId],
        linkedTo: [acme.near.nextTaskId],
        excludeLinkedTo: [acme.near.pagedTaskId],
      })),
    },
    'ok',
  ),
  'changes.list': row(
    'workspaceId boardId[] pageId[]',
    {
      all: byLevel(role(10), ({ acme }) => ({ ...acme.at, since: acme.cursor })),
      filtered: byLevel(role(10), ({ acme }) => ({
        ...acme.at,
        since: acme.cursor,
        boardId: [acme.near.boardId],
        pageId: [acme.above],
        include: ['record'],
      })),
    },
    'ok',
  ),
  // 300; with pageId on board and page
  'tasks.create': row('workspaceId boardId statusId tags[] assignees[] beforeTaskId afterTaskId pageId', {
    plain: byLevel(named(300), (sample) => ({ ...sample.acme.at, ...draft(sample), ...linked(sample) })),
    before: byLevel(named(300), (sample) => ({
      ...sample.acme.at,
      ...draft(sample),
      beforeTaskId: sample.acme.near.nextTaskId,
    })),
    behind: byLevel(named(300), (sample) => ({
      ...sample.acme.at,
      ...draft(sample),
      afterTaskId: sample.acme.near.nextTaskId,
    })),
    'for a page': byLevel(named(300), (sample) => ({
      ...sample.acme.at,
      ...draft(sample),
      pageId: sample.acme.near.standalonePageId,
    })),
    'for a page, on another board': byLevel(both(named(300, 'elsewhere'), named(300)), ({ acme }) => ({
      ...acme.at,
      title: 'New',
      boardId: acme.far.boardId,
      pageId: acme.near.standalonePageId,
    })),
  }),
  'tasks.createMany': row(
    'workspaceId tasks[].boardId tasks[].statusId tasks[].tags[] tasks[].assignees[] tasks[].beforeTaskId tasks[].afterTaskId tasks[].pageId',
    {
      'on one board': byLevel(named(300), (sample) => ({
        ...sample.acme.at,
        tasks: [
          { ...draft(sample), ...linked(sample), beforeTaskId: sample.acme.near.nextTaskId },
          { ...draft(sample), afterTaskId: sample.acme.near.nextTaskId, pageId: sample.acme.near.standalonePageId },
        ],
      })),
      'on two boards': byLevel(both(named(300, 'elsewhere'), named(300)), (sample) => ({
        ...sample.acme.at,
        tasks: [{ ...draft(sample), boardId: sample.acme.far.boardId }, draft(sample)],
      })),
    },
  ),
  'tasks.get': row('workspaceId taskId', {
    'a card': byLevel(level(100), card),
    'with a page': byLevel(level(100), paged),
  }),
  // 300 on both boards when moving across
  'tasks.update': row('workspaceId taskId boardId statusId tags[] assignees[] beforeTaskId afterTaskId', {
    'a card': byLevel(level(300), (sample) => ({ ...card(sample), title: 'New', ...linked(sample) })),
    'with a page': byLevel(level(300), (sample) => ({ ...paged(sample), title: 'New' })),
    before: byLevel(level(300), (sample) => ({ ...card(sample), beforeTaskId: sample.acme.near.nextTaskId })),
    behind: byLevel(level(300), (sample) => ({ ...card(sample), afterTaskId: sample.acme.near.nextTaskId })),
    'to another board': byLevel(inTurn(level(300), named(300, 'elsewhere')), (sample) => ({
      ...card(sample),
      boardId: sample.acme.far.boardId,
    })),
    'from another board': byLevel(inTurn(level(300, 'elsewhere'), named(300)), ({ acme }) => ({
      ...acme.at,
      taskId: acme.far.taskId,
      boardId: acme.near.boardId,
    })),
  }),
  // 300 on each that is seen, before the number of a filter counts
  'tasks.updateMany': row(
    'workspaceId taskIds[] filter.boardId[] set.statusId set.addTags[] set.addAssignees[] set.beforeTaskId set.afterTaskId set.tags[] set.assignees[] set.boardId',
    {
      'a card': byLevel(named(300), ({ acme }) => ({
        ...acme.at,
        taskIds: [acme.near.taskId],
        set: {
          statusId: acme.near.statusId,
          addTags: [acme.near.tagId],
          addAssignees: [acme.members.ada],
          beforeTaskId: acme.near.nextTaskId,
        },
      })),
      'with a page': byLevel(named(300), ({ acme }) => ({
        ...acme.at,
        taskIds: [acme.near.pagedTaskId],
        set: { priority: 1, assignees: [acme.members.ada] },
      })),
      'cards in place of all': byLevel(named(300), ({ acme }) => ({
        ...acme.at,
        taskIds: [acme.near.taskId],
        set: { tags: [acme.near.tagId], afterTaskId: acme.near.nextTaskId },
      })),
      'found by a filter': byLevel(found, ({ acme }) => ({
        ...acme.at,
        filter: { boardId: [acme.near.boardId] },
        count: 2,
        set: { priority: 1 },
      })),
      'to another board': byLevel(both(named(300), named(300, 'elsewhere')), ({ acme }) => ({
        ...acme.at,
        taskIds: [acme.near.taskId],
        set: { boardId: acme.far.boardId },
      })),
    },
  ),
  'tasks.deleteMany': row('workspaceId taskIds[] filter.boardId[]', {
    'a card': byLevel(named(300), ({ acme }) => ({ ...acme.at, taskIds: [acme.near.taskId] })),
    'with a page': byLevel(named(300), ({ acme }) => ({ ...acme.at, taskIds: [acme.near.pagedTaskId] })),
    'with pages under its own': byLevel(named(400), ({ acme }) => ({ ...acme.at, taskIds: [acme.near.deepTaskId] })),
    'found by a filter': byLevel(found, ({ acme }) => ({
      ...acme.at,
      filter: { boardId: [acme.near.boardId] },
      count: 2,
    })),
  }),
  // with nothing nested under it: 300; else 400
  'tasks.delete': row('workspaceId taskId', {
    'with pages under its own': byLevel(level(400), ({ acme }) => ({ ...acme.at, taskId: acme.near.deepTaskId })),
    'with pages of other levels under its own': byLevel(allOf('above', 'here'), ({ acme }) => ({
      ...acme.at,
      taskId: acme.near.guardedTaskId,
    })),
    'a card': byLevel(level(300), card),
    'with a page': byLevel(level(300), paged),
    'a card for good': byLevel(level(400), (sample) => ({ ...card(sample), permanently: true })),
  }),
  'tasks.addTag': row('workspaceId taskId tagId', {
    'to a card': byLevel(level(300), (sample) => ({ ...card(sample), tagId: sample.acme.near.tagId })),
    // who does not see the board cannot name its tags
    'with a page': byLevel(
      inTurn(level(300), (who) => (who.level('elsewhere') === 0 ? 'unusable' : 'ok')),
      (sample) => ({
        ...paged(sample),
        tagId: sample.acme.far.tagId,
      }),
    ),
  }),
  'tasks.removeTag': one(
    'workspaceId taskId tagId',
    byLevel(level(300), (sample) => ({ ...card(sample), tagId: sample.acme.near.tagId })),
  ),
  'tasks.assign': row('workspaceId taskId memberId', {
    'a card': byLevel(level(300), (sample) => ({ ...card(sample), memberId: sample.acme.members.ada })),
    'with a page': byLevel(level(300), (sample) => ({ ...paged(sample), memberId: sample.acme.members.ada })),
  }),
  'tasks.unassign': one(
    'workspaceId taskId memberId',
    byLevel(level(300), (sample) => ({ ...card(sample), memberId: sample.acme.members.ada })),
  ),
  // at one end 300, at the other 100
  'tasks.link': row('workspaceId fromTaskId taskId', {
    'two cards': byLevel(level(300), (sample) => ({
      ...linking(sample.acme.near.taskId)(sample),
      type: 'relates',
      taskId: sample.acme.near.nextTaskId,
    })),
    'with a page, to a card elsewhere': byLevel(
      inTurn(level(300), (who) => (who.level('elsewhere') === 0 ? 'unusable' : 'ok')),
      (sample) => ({
        ...linking(sample.acme.near.pagedTaskId)(sample),
        type: 'parent',
        taskId: sample.acme.far.taskId,
      }),
    ),
  }),
  'tasks.unlink': one(
    'workspaceId fromTaskId taskId',
    byLevel(level(300), (sample) => ({
      ...linking(sample.acme.near.taskId)(sample),
      type: 'blocks',
      taskId: sample.acme.near.nextTaskId,
    })),
  ),
  // 300 on the child; the parent may be hidden
  'tasks.unlinkParent': one(
    'workspaceId fromTaskId',
    byLevel(level(300), (sample) => linking(sample.acme.near.taskId)(sample)),
  ),
  'tasks.history': row('workspaceId taskId', {
    'a card': byLevel(level(100), card),
    'with a page': byLevel(level(100), paged),
  }),
};
