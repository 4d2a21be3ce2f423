import { EXPLANATION_EXPANSIONS } from '../../../core/access/explain.ts';
import { MEMBER_EXPANSIONS } from '../../../core/access/members-access.ts';
import { SETTINGS_EXPANSIONS } from '../../../core/access/settings.ts';
import { AUDIT_EXPANSIONS } from '../../../core/audit/list.ts';
import { BOARD_EXPANSIONS } from '../../../core/board/view.ts';
import { INVITATION_EXPANSIONS } from '../../../core/invitation/view.ts';
import { FULL_TASK_EXPANSIONS } from '../../../core/names/task-names.ts';
import { PAGE_EXPANSIONS } from '../../../core/page/read.ts';
import { ROLES } from '../../../core/model/access/role.ts';
import { TRASH_EXPANSIONS } from '../../../core/trash/items.ts';
import { MISSING, type SequenceState, type Step } from './sequence-state.ts';
import {
  board,
  commentAt,
  externalId,
  forGood,
  item,
  itemAt,
  itemFields,
  level,
  linkOf,
  madePage,
  type Make,
  maybe,
  member,
  metadata,
  METADATA_KEYS,
  names,
  one,
  page,
  parentOf,
  selection,
  setOnTasks,
  simple,
  statusAt,
  statusOf,
  tagAt,
  task,
  taskFields,
  tasksListed,
} from './sequence-inputs.ts';

/** What a step may be, and how likely. */
const STEPS: readonly (readonly [number, Make])[] = [
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
  [
    5,
    (state, place) => ({
      noun: 'pages',
      verb: 'create',
      input: {
        name: state.name(),
        type: state.random.pick(['folder', 'board', 'task', 'task']),
        parentId: parentOf(state, place),
        ...maybe(state, () => ({ type: 'task', taskId: one(state, place.tasks) }), 5),
      },
      learn: madePage(place),
    }),
  ],
  [
    6,
    simple('pages', 'update', (state, place) => ({
      ...page(state, place),
      ...maybe(state, () => ({ name: state.name() }), 3),
      ...maybe(state, () => ({ parentId: parentOf(state, place) })),
      ...maybe(state, () => ({ orderIndex: state.random.below(4) }), 3),
      ...maybe(state, () => ({ template: state.random.once(2) }), 4),
      ...maybe(state, () => ({ metadata: metadata(state) }), 5),
    })),
  ],
  [2, simple('pages', 'delete', (state, place) => ({ ...page(state, place), ...forGood(state) }))],
  [
    6,
    simple('access', 'grant', (state, place) => ({
      ...page(state, place),
      ...member(state, place),
      access: level(state),
    })),
  ],
  [3, simple('access', 'revoke', (state, place) => ({ ...page(state, place), ...member(state, place) }))],
  [
    4,
    simple('access', 'changeSettings', (state, place) => ({
      ...page(state, place),
      ...(state.random.once(3) ? { inherit: true } : { inherit: false, defaultAccess: level(state) }),
    })),
  ],
  [
    2,
    (state, place) => ({
      noun: 'boards',
      verb: 'create',
      input: {
        name: state.name(),
        parentId: parentOf(state, place),
        ...maybe(state, () => ({ externalId: externalId(state) }), 4),
      },
      learn: ({ id }: { id: string }) => {
        place.boards.push(id);
        place.pages.push(id);
      },
    }),
  ],
  [
    1,
    simple('boards', 'update', (state, place) => ({
      ...board(state, place),
      name: state.name(),
      externalId: externalId(state),
      ...maybe(state, () => ({ metadata: metadata(state) }), 2),
    })),
  ],
  [1, simple('boards', 'delete', (state, place) => ({ ...board(state, place), ...forGood(state) }))],
  [
    1,
    (state, place) => ({
      noun: 'boards',
      verb: 'copy',
      input: {
        ...board(state, place),
        parentId: parentOf(state, place),
        ...maybe(state, () => ({ tasks: true, comments: state.random.once(2), assignees: state.random.once(2) })),
      },
      learn: ({ id }: { id: string }) => {
        place.boards.push(id);
        place.pages.push(id);
      },
    }),
  ],
  [1, simple('pages', 'copy', (state, place) => ({ ...page(state, place), tasks: state.random.once(2) }))],
  [
    4,
    (state, place) => {
      const on = board(state, place);
      const fields = {
        name: state.name(),
        done: state.random.once(3),
        ...maybe(state, () => ({ orderKey: state.random.below(5) }), 3),
      };
      const learn = ({ id }: { id: string }) => void place.statuses.push({ ...on, id });
      return { noun: 'statuses', verb: 'create', input: { ...on, ...fields }, learn };
    },
  ],
  [
    1,
    simple('statuses', 'update', (state, place) => ({
      ...statusAt(state, place),
      orderKey: state.random.below(5),
      done: state.random.once(2),
      ...maybe(state, () => ({ metadata: metadata(state) }), 2),
    })),
  ],
  [
    2,
    simple('statuses', 'delete', (state, place) => ({
      ...statusAt(state, place),
      ...maybe(state, () => ({ moveTo: statusOf(state, place).id })),
    })),
  ],
  [
    3,
    (state, place) => {
      const on = board(state, place);
      const name = state.random.once(2) ? state.name() : 'Common';
      const learn = ({ id }: { id: string }) => void place.tags.push({ ...on, id });
      return { noun: 'tags', verb: 'create', input: { ...on, name }, learn };
    },
  ],
  [
    1,
    simple('tags', 'update', (state, place) => ({
      ...tagAt(state, place),
      name: state.name(),
      ...maybe(state, () => ({ metadata: metadata(state) }), 2),
    })),
  ],
  [1, simple('tags', 'delete', tagAt)],
  [
    9,
    (state, place) => ({
      noun: 'tasks',
      verb: 'create',
      input: {
        ...board(state, place),
        title: state.name(),
        ...(state.random.once(2) ? {} : taskFields(state, place)),
        ...maybe(state, () => ({ pageId: one(state, place.pages) }), 8),
      },
      learn: ({ id }: { id: string }) => void place.tasks.push(id),
    }),
  ],
  [
    1,
    (state, place) => ({
      noun: 'tasks',
      verb: 'createMany',
      input: { tasks: [0, 1].map(() => ({ ...board(state, place), title: state.name() })) },
      learn: (made: { id: string }[]) => void place.tasks.push(...made.map(({ id }) => id)),
    }),
  ],
  [
    10,
    simple('tasks', 'update', (state, place) => ({
      ...task(state, place),
      ...maybe(state, () => ({ title: state.name() }), 3),
      ...maybe(state, () => board(state, place), 4),
      ...taskFields(state, place),
    })),
  ],
  [
    3,
    simple('tasks', 'updateMany', (state, place) => ({
      ...selection(state, place),
      set: setOnTasks(state, place),
    })),
  ],
  [1, simple('tasks', 'deleteMany', selection)],
  [2, simple('tasks', 'delete', (state, place) => ({ ...task(state, place), ...forGood(state) }))],
  [
    2,
    (state, place) => ({
      noun: 'trash',
      verb: 'list',
      input: { limit: 1 + state.random.below(5), ...names(state, TRASH_EXPANSIONS) },
      learn: ({ items }: { items: readonly { id: string }[] }) => void place.deleted.push(...items.map(({ id }) => id)),
    }),
  ],
  [
    4,
    simple('trash', 'restore', (state, place) => ({
      ...item(state, place),
      ...maybe(state, () => ({ parentId: parentOf(state, place) }), 4),
    })),
  ],
  [1, simple('trash', 'delete', item)],
  [2, simple('tasks', 'addTag', (state, place) => ({ ...task(state, place), tagId: tagAt(state, place)['tagId'] }))],
  [1, simple('tasks', 'removeTag', (state, place) => ({ ...task(state, place), tagId: tagAt(state, place)['tagId'] }))],
  [4, simple('tasks', 'link', (state, place) => linkOf(state, place))],
  [2, simple('tasks', 'unlink', (state, place) => linkOf(state, place))],
  [1, simple('tasks', 'unlinkParent', (state, place) => ({ fromTaskId: one(state, place.tasks) }))],
  [2, simple('tasks', 'assign', (state, place) => ({ ...task(state, place), ...member(state, place) }))],
  [1, simple('tasks', 'unassign', (state, place) => ({ ...task(state, place), ...member(state, place) }))],
  [
    3,
    (state, place) => {
      const on = task(state, place);
      const input = {
        ...on,
        content: state.name(),
        ...maybe(state, () => ({ externalId: externalId(state) }), 5),
        ...maybe(state, () => ({ metadata: metadata(state) }), 5),
      };
      const learn = ({ id }: { id: string }) => void place.comments.push({ ...on, id });
      return { noun: 'comments', verb: 'create', input, learn };
    },
  ],
  [
    4,
    (state, place) => {
      const on = task(state, place);
      const input = { ...on, text: state.name(), ...itemFields(state, place) };
      const learn = ({ id }: { id: string }) => void place.items.push({ ...on, id });
      return { noun: 'checklists', verb: 'create', input, learn };
    },
  ],
  [
    3,
    simple('checklists', 'update', (state, place) => ({
      ...itemAt(state, place),
      ...maybe(state, () => ({ text: state.name() })),
      ...itemFields(state, place),
    })),
  ],
  [1, simple('checklists', 'delete', itemAt)],
  [3, simple('comments', 'update', (state, place) => ({ ...commentAt(state, place), content: state.name() }))],
  [1, simple('comments', 'delete', commentAt)],
  [1, simple('members', 'update', (state, place) => ({ ...member(state, place), role: state.random.pick(ROLES) }))],
  [1, simple('members', 'update', (state, place) => ({ ...member(state, place), metadata: metadata(state) }))],
  [1, simple('members', 'remove', member)],
  [
    2,
    (state, place) => ({
      noun: 'invitations',
      verb: 'create',
      input: {
        role: state.random.pick(ROLES),
        ...maybe(state, () => ({ pages: [{ pageId: one(state, place.pages), access: level(state) }] }), 2),
      },
      learn: ({ id }: { id: string }) => void place.invitations.push(id),
    }),
  ],
  [
    3,
    (state, place) => ({
      noun: 'invitations',
      verb: 'join',
      input: { invitationId: one(state, place.invitations) },
      learn: ({ id }: { id: string }) => void (place.members.includes(id) || place.members.push(id)),
    }),
  ],
  [1, simple('invitations', 'revoke', (state, place) => ({ invitationId: one(state, place.invitations) }))],
  [
    1,
    simple('workspaces', 'update', (state) => ({
      description: state.name(),
      defaultAccess: level(state),
      metadata: metadata(state),
      ...maybe(state, () => ({ indexedMetadata: state.random.some(METADATA_KEYS, 2) })),
    })),
  ],
];

const TOTAL = STEPS.reduce((sum, [weight]) => sum + weight, 0);

/** Addressed by their own id alone. */
const WITHOUT_WORKSPACE = new Set(['workspaces.list', 'invitations.read', 'invitations.join']);

export function nextStep(state: SequenceState): Step {
  const { random } = state;
  const place = state.place();
  let ticket = random.below(TOTAL);
  const [, make] = STEPS.find(([weight]) => (ticket -= weight) < 0)!;
  const draft = make(state, place);
  const stray = WITHOUT_WORKSPACE.has(`${draft.noun}.${draft.verb}`);
  return {
    ...draft,
    userId: random.pick(state.users),
    input: stray ? draft.input : { workspaceId: random.once(40) ? MISSING : place.workspaceId, ...draft.input },
    ...(random.once(12) ? { ifVersion: [1 + random.below(3)] } : {}),
  };
}
