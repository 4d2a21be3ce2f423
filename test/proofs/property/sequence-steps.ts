import { EXPLANATION_EXPANSIONS } from '../../../core/access/explain.ts';
import { MEMBER_EXPANSIONS } from '../../../core/access/members-access.ts';
import { SETTINGS_EXPANSIONS } from '../../../core/access/settings.ts';
import { AUDIT_EXPANSIONS } from '../../../core/audit/list.ts';
import { BOARD_EXPANSIONS } from '../../../core/board/view.ts';
import { INVITATION_EXPANSIONS } from '../../../core/invitation/view.ts';
import { FULL_TASK_EXPANSIONS, TASK_EXPANSIONS } from '../../../core/names/task-names.ts';
import { PAGE_EXPANSIONS } from '../../../core/page/read.ts';
import { LEVELS } from '../../../core/model/access/level.ts';
import { ROLES } from '../../../core/model/access/role.ts';
import { TASK_SORTS } from '../../../core/task/list/sort.ts';
import { TRASH_EXPANSIONS } from '../../../core/trash/items.ts';
import { MISSING, type Place, type SequenceState, type Step } from './sequence-state.ts';

/** Now and then with names beside ids, of everything or of some of it. */
function names({ random }: SequenceState, all: readonly string[]): object {
  return random.once(3) ? { expand: random.once(2) ? all : [random.pick(all)] } : {};
}

type Draft = Omit<Step, 'userId' | 'ifVersion'>;
type Make = (state: SequenceState, place: Place) => Draft;

/** Few, so that filters and removals find some. */
const METADATA_KEYS = ['a', 'b.c', 'constructor'];
const METADATA_VALUES = [1, '1', true, 'true', 0.5, 'ä'];

const DATES = ['2026-02-27', '2026-03-01', '2026-03-02', '2026-04-01', null];

/** Mostly one of those known, now and then one from elsewhere, or none. */
function one(state: SequenceState, ids: readonly string[]): string {
  const { random } = state;
  if (ids.length === 0 || random.once(25)) return MISSING;
  if (random.once(25)) return random.pick([...state.place().pages, ...state.place().tasks, MISSING]);
  // The newest are the likeliest to be there still.
  return ids[ids.length - 1 - Math.min(random.below(ids.length), random.below(ids.length))]!;
}

function part<T extends { readonly id: string }>(state: SequenceState, parts: readonly T[], other: T): T {
  return parts.length === 0 || state.random.once(25) ? other : state.random.pick(parts);
}

const level = ({ random }: SequenceState) => random.pick(LEVELS);
const maybe = (state: SequenceState, fields: () => object, outOf = 2): object =>
  state.random.once(outOf) ? fields() : {};
const parentOf = (state: SequenceState, place: Place) => (state.random.once(4) ? null : one(state, place.pages));
const statusOf = (state: SequenceState, place: Place) => part(state, place.statuses, { boardId: MISSING, id: MISSING });
const metadata = ({ random }: SequenceState) =>
  random.once(6)
    ? null
    : {
        [random.pick(METADATA_KEYS)]: random.pick(METADATA_VALUES),
        [random.pick(METADATA_KEYS)]: random.pick([1, null]),
      };
const externalId = ({ random }: SequenceState) => (random.once(4) ? null : `E${random.below(6)}`);

function taskFields(state: SequenceState, place: Place): Record<string, unknown> {
  const { random } = state;
  const placing = () =>
    random.pick([
      () => ({ statusOrderKey: random.below(4) * 1024 }),
      () => ({ beforeTaskId: random.once(3) ? null : one(state, place.tasks) }),
      () => ({ afterTaskId: random.once(3) ? null : one(state, place.tasks) }),
    ])();
  return {
    ...maybe(state, () => ({ description: state.name() }), 4),
    ...maybe(state, () => ({ statusId: statusOf(state, place).id }), 3),
    ...maybe(state, () => ({ priority: random.pick([0, 100, 400]) }), 3),
    ...maybe(state, () => ({ complete: random.once(2) }), 4),
    ...maybe(state, () => ({ plannedStartDate: random.pick(DATES) }), 4),
    ...maybe(state, () => ({ plannedEndDate: random.pick(DATES) }), 4),
    ...maybe(state, () => ({ externalId: externalId(state) }), 6),
    ...maybe(state, () => ({ metadata: metadata(state) }), 4),
    ...maybe(state, () => ({ tags: random.some(place.tags, 3).map(({ id }) => id) }), 5),
    ...maybe(state, () => ({ assignees: random.some(place.members, 3) }), 5),
    ...maybe(state, placing, 3),
  };
}

function filters(state: SequenceState, place: Place): Record<string, unknown> {
  const { random } = state;
  const not = (name: string) => (random.once(3) ? `exclude${name[0]!.toUpperCase()}${name.slice(1)}` : name);
  return {
    ...maybe(state, () => ({ [not('boardId')]: [one(state, place.boards)] }), 4),
    ...maybe(state, () => ({ [not('statusId')]: [statusOf(state, place).id, statusOf(state, place).id] }), 6),
    ...maybe(state, () => ({ [not('assigneeId')]: [random.pick(['me', 'none', one(state, place.members)])] }), 6),
    ...maybe(
      state,
      () => ({ [not('tagId')]: [random.pick(['none', part(state, place.tags, { boardId: '', id: MISSING }).id])] }),
      6,
    ),
    ...maybe(state, () => ({ [not('createdById')]: [random.pick(['me', one(state, place.members)])] }), 8),
    ...maybe(state, () => ({ [not('num')]: [1 + random.below(9), 1 + random.below(30)] }), 8),
    ...maybe(state, () => ({ [not('priority')]: random.pick([[0], [100, 400], []]) }), 8),
    ...maybe(state, () => ({ [not('externalId')]: ['E1', 'E2'] }), 10),
    ...maybe(state, () => ({ complete: random.once(2) }), 8),
    ...maybe(state, () => ({ overdue: random.once(2) }), 8),
    ...maybe(state, () => ({ startFrom: '2026-03-01' }), 10),
    ...maybe(state, () => ({ endTo: '2026-03-02' }), 10),
    ...maybe(state, () => ({ updatedSince: '2026-03-01T12:01:00.000Z' }), 10),
    ...maybe(
      state,
      () => ({ [not('metadata')]: { [random.pick(METADATA_KEYS)]: random.pick([['1'], ['true', 'ä'], ['0.5'], []]) } }),
      6,
    ),
    ...maybe(state, () => ({ noMetadata: random.some(METADATA_KEYS, 2) }), 10),
    ...maybe(state, () => ({ [not('q')]: `0${random.below(10)}` }), 8),
  };
}

function tasksListed(state: SequenceState, place: Place): Draft {
  const { random } = state;
  const known = random.once(3) ? place.cursors.at(-1) : undefined;
  const sort =
    known?.sort ?? (random.once(2) ? [random.pick(TASK_SORTS)] : random.once(2) ? ['position', '-title'] : ['num']);
  return {
    noun: 'tasks',
    verb: 'list',
    input: {
      ...(known === undefined ? { ...filters(state, place), count: random.once(2) } : { cursor: known.cursor }),
      sort,
      limit: 1 + random.below(5),
      ...names(state, TASK_EXPANSIONS),
    },
    learn: ({ next }: { next: string | null }) => {
      if (next !== null) place.cursors.push({ cursor: next, sort });
    },
  };
}

/** A few tasks by id, or those that a filter finds, with a number that may be right. */
function selection(state: SequenceState, place: Place): Record<string, unknown> {
  const { random } = state;
  if (random.once(2)) return { taskIds: [...new Set([one(state, place.tasks), one(state, place.tasks)])] };
  return { filter: { num: [1 + random.below(20)], ...filters(state, place) }, count: random.below(3) };
}

function setOnTasks(state: SequenceState, place: Place): Record<string, unknown> {
  const { random } = state;
  const { description: _, externalId: _e, statusOrderKey: _s, tags, assignees, ...set } = taskFields(state, place);
  const words = random.pick([
    { tags, assignees },
    { addTags: tags, removeAssignees: assignees },
    { removeTags: tags, addAssignees: assignees },
  ]);
  const given = Object.entries(words).filter(([, value]) => value !== undefined);
  return { ...set, ...Object.fromEntries(given), ...maybe(state, () => board(state, place), 6) };
}

const page = (state: SequenceState, place: Place) => ({ pageId: one(state, place.pages) });
const task = (state: SequenceState, place: Place) => ({ taskId: one(state, place.tasks) });
const board = (state: SequenceState, place: Place) => ({ boardId: one(state, place.boards) });
const member = (state: SequenceState, place: Place) => ({ memberId: one(state, place.members) });

/** Mostly something that was deleted lately. */
function item(state: SequenceState, place: Place): Record<string, unknown> {
  const { deleted } = place;
  const all = [...place.pages, ...place.tasks];
  return { trashId: deleted.length === 0 || state.random.once(5) ? one(state, all) : deleted.at(-1) };
}

const forGood = (state: SequenceState) => maybe(state, () => ({ permanently: true }), 5);

function statusAt(state: SequenceState, place: Place): Record<string, unknown> {
  const { boardId, id: statusId } = statusOf(state, place);
  return { boardId, statusId };
}

function tagAt(state: SequenceState, place: Place): Record<string, unknown> {
  const { boardId, id: tagId } = part(state, place.tags, { boardId: one(state, place.boards), id: MISSING });
  return { boardId, tagId };
}

function commentAt(state: SequenceState, place: Place): Record<string, unknown> {
  const { taskId, id: commentId } = part(state, place.comments, { taskId: one(state, place.tasks), id: MISSING });
  return { taskId, commentId };
}

function itemAt(state: SequenceState, place: Place): Record<string, unknown> {
  const { taskId, id: itemId } = part(state, place.items, { taskId: one(state, place.tasks), id: MISSING });
  return { taskId, itemId };
}

function itemFields(state: SequenceState, place: Place): Record<string, unknown> {
  const { random } = state;
  const neighbour = () => (random.once(3) ? null : itemAt(state, place)['itemId']);
  return {
    ...maybe(state, () => ({ done: random.once(2) })),
    ...maybe(state, () => ({ assigneeId: random.once(4) ? null : one(state, place.members) }), 3),
    ...maybe(state, () => ({ [random.pick(['beforeItemId', 'afterItemId'])]: neighbour() }), 3),
  };
}

function madePage(place: Place): (made: { id: string; type: string; contentId: string | null }) => void {
  return ({ id, type, contentId }) => {
    place.pages.push(id);
    if (type === 'board') place.boards.push(id);
    if (type === 'task' && contentId !== null) place.tasks.push(id);
  };
}

const simple =
  (noun: string, verb: string, input: (state: SequenceState, place: Place) => object): Make =>
  (state, place) => ({ noun, verb, input: input(state, place) as Record<string, unknown> });

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
