import { TRASH_EXPANSIONS } from '../../../../../core/trash/items.ts';
import {
  board,
  commentAt,
  externalId,
  forGood,
  item,
  itemAt,
  itemFields,
  linkOf,
  maybe,
  member,
  metadata,
  names,
  one,
  parentOf,
  selection,
  setOnTasks,
  simple,
  tagAt,
  task,
  taskFields,
  type Steps,
} from '../sequence-inputs.ts';

/** What a step may do to tasks, and to what belongs to them. */
export const TASK_STEPS: Steps = [
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
];
