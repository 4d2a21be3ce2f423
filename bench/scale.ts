import type { StoreName } from './stores.ts';

/** How much is measured, and for how long. */
export interface Scale {
  readonly name: 'smoke' | 'quick' | 'full';
  /** Counted rounds of each comparison; one more warms up. */
  readonly rounds: number;
  /** Of load in one round. */
  readonly seconds: number;
  /** Of calls in one round, in process. */
  readonly milliseconds: number;
  /** Of tasks in a workspace. */
  readonly sizes: readonly number[];
  readonly column: number;
  /** Of tasks on one board, from few to many. */
  readonly boardTasks: readonly number[];
  /** Pages of the big tree. */
  readonly pages: number;
  /** That connect at once. */
  readonly clients: number;
  /** Of the memory store, to see what one takes. */
  readonly memoryTasks: number;
  /** `seconds`: how long to watch what is removed afterwards. */
  readonly cascade: { readonly pages: number; readonly tasks: number; readonly seconds: number };
  /** Streams of events: how many idle ones for how many seconds, and how many watchers of one board. */
  readonly streams: { readonly idle: number; readonly seconds: number; readonly watchers: number };
  /** In a log, all of which have expired. */
  readonly changes: number;
  readonly startTasks: number;
  /** Rounds of starting the service. */
  readonly starts: number;
  /** Rounds of starting commands. */
  readonly commands: number;
  readonly soakSeconds: number;
  /** The board in a browser: its cards, the frames that are watched, and the moves of a round. */
  readonly board: { readonly cards: number; readonly frames: number; readonly moves: number };
  /** Tasks and pages that one request concerns. */
  readonly growing: number;
  /** How many of one kind, far above the default quotas. */
  readonly volume: {
    readonly pages: number;
    readonly entries: number;
    readonly memberships: number;
    readonly statuses: number;
    readonly workspaces: number;
  };
  /** Sizes in place of these on MongoDB, where putting in as many takes minutes; 100,000 workspaces take half an hour. */
  readonly mongodb: Partial<Sizes>;
}

type Sizes = Pick<Scale, 'sizes' | 'boardTasks' | 'changes' | 'volume'>;

/** The sizes of a scale on a store. */
export function sizesOn(store: StoreName, scale: Scale): Sizes {
  return store === 'MongoDB' ? { ...scale, ...scale.mongodb } : scale;
}

export const SCALES: Readonly<Record<Scale['name'], Scale>> = {
  smoke: {
    name: 'smoke',
    rounds: 1,
    seconds: 0.1,
    milliseconds: 2,
    sizes: [100, 200],
    column: 50,
    boardTasks: [10, 200],
    pages: 100,
    clients: 50,
    memoryTasks: 1_000,
    cascade: { pages: 50, tasks: 200, seconds: 5 },
    streams: { idle: 50, seconds: 0.5, watchers: 10 },
    changes: 1_000,
    startTasks: 100,
    starts: 1,
    commands: 1,
    soakSeconds: 2,
    board: { cards: 50, frames: 10, moves: 2 },
    growing: 100,
    volume: { pages: 200, entries: 20, memberships: 20, statuses: 20, workspaces: 50 },
    mongodb: { sizes: [100] },
  },
  quick: {
    name: 'quick',
    rounds: 5,
    seconds: 1.4,
    milliseconds: 15,
    sizes: [10_000, 100_000],
    column: 10_000,
    boardTasks: [10, 1_000, 100_000],
    pages: 10_000,
    clients: 1_000,
    memoryTasks: 100_000,
    cascade: { pages: 10_000, tasks: 100_000, seconds: 3 },
    streams: { idle: 10_000, seconds: 20, watchers: 1_000 },
    changes: 100_000,
    startTasks: 100_000,
    starts: 2,
    commands: 7,
    soakSeconds: 60,
    board: { cards: 2_000, frames: 240, moves: 10 },
    growing: 10_000,
    volume: { pages: 50_000, entries: 2_000, memberships: 2_000, statuses: 2_000, workspaces: 10_000 },
    mongodb: { sizes: [] },
  },
  full: {
    name: 'full',
    rounds: 3,
    seconds: 1.25,
    milliseconds: 60,
    sizes: [10_000, 100_000, 1_000_000],
    column: 10_000,
    boardTasks: [10, 1_000, 100_000, 500_000],
    pages: 10_000,
    clients: 1_000,
    memoryTasks: 200_000,
    cascade: { pages: 10_000, tasks: 100_000, seconds: 60 },
    streams: { idle: 10_000, seconds: 20, watchers: 1_000 },
    changes: 1_000_000,
    startTasks: 100_000,
    starts: 5,
    commands: 21,
    soakSeconds: 60,
    board: { cards: 2_000, frames: 240, moves: 10 },
    growing: 10_000,
    volume: { pages: 500_000, entries: 100_000, memberships: 10_000, statuses: 50_000, workspaces: 100_000 },
    mongodb: {
      sizes: [10_000, 100_000],
      boardTasks: [10, 1_000, 100_000],
      changes: 250_000,
      volume: { pages: 100_000, entries: 100_000, memberships: 10_000, statuses: 50_000, workspaces: 10_000 },
    },
  },
};
