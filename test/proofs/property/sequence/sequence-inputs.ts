import { LINK_TYPES } from '../../../../core/model/content/task-links.ts';
import { TASK_EXPANSIONS } from '../../../../core/names/task-names.ts';
import { LEVELS } from '../../../../core/model/access/level.ts';
import { TASK_SORTS } from '../../../../core/task/list/sort.ts';
import { MISSING, type Place, type SequenceState, type Step } from './sequence-state.ts';

/** Now and then with names beside ids, of everything or of some of it. */
export function names({ random }: SequenceState, all: readonly string[]): object {
  return random.once(3) ? { expand: random.once(2) ? all : [random.pick(all)] } : {};
}

type Draft = Omit<Step, 'userId' | 'ifVersion'>;
export type Make = (state: SequenceState, place: Place) => Draft;

/** What steps may be, and how likely each is. */
export type Steps = readonly (readonly [weight: number, make: Make])[];

/** Few, so that filters and removals find some. */
export const METADATA_KEYS = ['a', 'b.c', 'constructor'];
const METADATA_VALUES = [1, '1', true, 'true', 0.5, 'ä'];

const DATES = ['2026-02-27', '2026-03-01', '2026-03-02', '2026-04-01', null];

/** Mostly one of those known, now and then one from elsewhere, or none. */
export function one(state: SequenceState, ids: readonly string[]): string {
  const { random } = state;
  if (ids.length === 0 || random.once(25)) return MISSING;
  if (random.once(25)) return random.pick([...state.place().pages, ...state.place().tasks, MISSING]);
  // The newest are the likeliest to be there still.
  return ids[ids.length - 1 - Math.min(random.below(ids.length), random.below(ids.length))]!;
}

function part<T extends { readonly id: string }>(state: SequenceState, parts: readonly T[], other: T): T {
  return parts.length === 0 || state.random.once(25) ? other : state.random.pick(parts);
}

export const level = ({ random }: SequenceState) => random.pick(LEVELS);
export const maybe = (state: SequenceState, fields: () => object, outOf = 2): object =>
  state.random.once(outOf) ? fields() : {};
export const parentOf = (state: SequenceState, place: Place) => (state.random.once(4) ? null : one(state, place.pages));
export const statusOf = (state: SequenceState, place: Place) =>
  part(state, place.statuses, { boardId: MISSING, id: MISSING });
export const metadata = ({ random }: SequenceState) =>
  random.once(6)
    ? null
    : {
        [random.pick(METADATA_KEYS)]: random.pick(METADATA_VALUES),
        [random.pick(METADATA_KEYS)]: random.pick([1, null]),
      };
export const externalId = ({ random }: SequenceState) => (random.once(4) ? null : `E${random.below(6)}`);

export function taskFields(state: SequenceState, place: Place): Record<string, unknown> {
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
    ...maybe(state, () => ({ template: random.once(2) }), 6),
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
    ...maybe(state, () => ({ [not('parentTaskId')]: [random.once(2) ? 'none' : one(state, place.tasks)] }), 8),
    ...maybe(state, () => ({ [not('linkedTo')]: [one(state, place.tasks), one(state, place.tasks)] }), 8),
    ...maybe(state, () => ({ [not('blocked')]: random.once(2) }), 8),
    ...maybe(state, () => ({ [not('q')]: `0${random.below(10)}` }), 8),
  };
}

export function linkOf(state: SequenceState, place: Place): Record<string, unknown> {
  const type = state.random.pick(LINK_TYPES);
  return { fromTaskId: one(state, place.tasks), type, taskId: one(state, place.tasks) };
}

export function tasksListed(state: SequenceState, place: Place): Draft {
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
export function selection(state: SequenceState, place: Place): Record<string, unknown> {
  const { random } = state;
  if (random.once(2)) return { taskIds: [...new Set([one(state, place.tasks), one(state, place.tasks)])] };
  return { filter: { num: [1 + random.below(20)], ...filters(state, place) }, count: random.below(3) };
}

export function setOnTasks(state: SequenceState, place: Place): Record<string, unknown> {
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

export const page = (state: SequenceState, place: Place) => ({ pageId: one(state, place.pages) });
export const task = (state: SequenceState, place: Place) => ({ taskId: one(state, place.tasks) });
export const board = (state: SequenceState, place: Place) => ({ boardId: one(state, place.boards) });
export const member = (state: SequenceState, place: Place) => ({ memberId: one(state, place.members) });

/** Mostly something that was deleted lately. */
export function item(state: SequenceState, place: Place): Record<string, unknown> {
  const { deleted } = place;
  const all = [...place.pages, ...place.tasks];
  return { trashId: deleted.length === 0 || state.random.once(5) ? one(state, all) : deleted.at(-1) };
}

export const forGood = (state: SequenceState) => maybe(state, () => ({ permanently: true }), 5);

export function statusAt(state: SequenceState, place: Place): Record<string, unknown> {
  const { boardId, id: statusId } = statusOf(state, place);
  return { boardId, statusId };
}

export function tagAt(state: SequenceState, place: Place): Record<string, unknown> {
  const { boardId, id: tagId } = part(state, place.tags, { boardId: one(state, place.boards), id: MISSING });
  return { boardId, tagId };
}

export function commentAt(state: SequenceState, place: Place): Record<string, unknown> {
  const { taskId, id: commentId } = part(state, place.comments, { taskId: one(state, place.tasks), id: MISSING });
  return { taskId, commentId };
}

export function itemAt(state: SequenceState, place: Place): Record<string, unknown> {
  const { taskId, id: itemId } = part(state, place.items, { taskId: one(state, place.tasks), id: MISSING });
  return { taskId, itemId };
}

export function itemFields(state: SequenceState, place: Place): Record<string, unknown> {
  const { random } = state;
  const neighbour = () => (random.once(3) ? null : itemAt(state, place)['itemId']);
  return {
    ...maybe(state, () => ({ done: random.once(2) })),
    ...maybe(state, () => ({ assigneeId: random.once(4) ? null : one(state, place.members) }), 3),
    ...maybe(state, () => ({ [random.pick(['beforeItemId', 'afterItemId'])]: neighbour() }), 3),
  };
}

export function madePage(place: Place): (made: { id: string; type: string; contentId: string | null }) => void {
  return ({ id, type, contentId }) => {
    place.pages.push(id);
    if (type === 'board') place.boards.push(id);
    if (type === 'task' && contentId !== null) place.tasks.push(id);
  };
}

export const simple =
  (noun: string, verb: string, input: (state: SequenceState, place: Place) => object): Make =>
  (state, place) => ({ noun, verb, input: input(state, place) as Record<string, unknown> });
