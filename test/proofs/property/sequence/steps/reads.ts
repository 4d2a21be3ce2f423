import { EXPLANATION_EXPANSIONS } from '../../../../../core/access/explain.ts';
import { MEMBER_EXPANSIONS } from '../../../../../core/access/members-access.ts';
import { SETTINGS_EXPANSIONS } from '../../../../../core/access/settings.ts';
import { AUDIT_EXPANSIONS } from '../../../../../core/audit/list.ts';
import { BOARD_EXPANSIONS } from '../../../../../core/board/view.ts';
import { INVITATION_EXPANSIONS } from '../../../../../core/invitation/view.ts';
import { FULL_TASK_EXPANSIONS } from '../../../../../core/names/task-names.ts';
import { PAGE_EXPANSIONS } from '../../../../../core/page/read.ts';
import {
  board,
  maybe,
  member,
  names,
  one,
  page,
  parentOf,
  simple,
  task,
  tasksListed,
  type Steps,
} from '../sequence-inputs.ts';

/** What a step may read. */
export const READS: Steps = [
  [2, simple('pages', 'list', (state) => names(state, PAGE_EXPANSIONS))],
  [1, simple('pages', 'get', (state, place) => ({ ...page(state, place), ...names(state, PAGE_EXPANSIONS) }))],
  [1, simple('boards', 'list', (state) => names(state, BOARD_EXPANSIONS))],
  [2, simple('boards', 'get', (state, place) => ({ ...board(state, place), ...names(state, BOARD_EXPANSIONS) }))],
  [2, simple('tasks', 'get', (state, place) => ({ ...task(state, place), ...names(state, FULL_TASK_EXPANSIONS) }))],
  [5, tasksListed],
  [3, simple('tasks', 'history', (state, place) => ({ ...task(state, place), limit: 1 + state.random.below(9) }))],
  [1, simple('boards', 'history', board)],
  [1, simple('pages', 'history', page)],
  [1, simple('members', 'list', ({ random }) => ({ former: random.once(2) }))],
  [1, simple('workspaces', 'get', () => ({}))],
  [1, simple('workspaces', 'list', () => ({}))],
  [
    1,
    simple('access', 'settings', (state, place) => ({ ...page(state, place), ...names(state, SETTINGS_EXPANSIONS) })),
  ],
  [2, simple('access', 'members', (state, place) => ({ ...page(state, place), ...names(state, MEMBER_EXPANSIONS) }))],
  [
    2,
    simple('access', 'explain', (state, place) => ({
      ...page(state, place),
      ...maybe(state, () => member(state, place)),
      ...names(state, EXPLANATION_EXPANSIONS),
    })),
  ],
  [
    2,
    simple('access', 'preview', (state, place) => ({
      ...page(state, place),
      parentId: parentOf(state, place),
      ...names(state, MEMBER_EXPANSIONS),
    })),
  ],
  [
    1,
    simple('invitations', 'list', (state) => ({
      limit: 1 + state.random.below(4),
      ...names(state, INVITATION_EXPANSIONS),
    })),
  ],
  [1, simple('invitations', 'get', (state, place) => ({ invitationId: one(state, place.invitations) }))],
  [1, simple('invitations', 'read', (state, place) => ({ invitationId: one(state, place.invitations) }))],
  [3, simple('audit', 'list', (state) => ({ limit: 1 + state.random.below(60), ...names(state, AUDIT_EXPANSIONS) }))],
];
