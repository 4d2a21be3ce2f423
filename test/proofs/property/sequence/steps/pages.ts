import {
  board,
  externalId,
  forGood,
  level,
  madePage,
  maybe,
  member,
  metadata,
  one,
  page,
  parentOf,
  simple,
  statusAt,
  statusOf,
  tagAt,
  type Steps,
} from '../sequence-inputs.ts';

/** What a step may do to pages, boards, columns and tags. */
export const PAGE_STEPS: Steps = [
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
];
