import { idOf } from './ids.ts';
import type { Alphabet } from './titles.ts';

/** What a workspace to measure with holds. Everything in it follows from these numbers. */
export interface Shape {
  /** Tells workspaces of one store apart. */
  readonly world: number;
  readonly tasks: number;
  readonly boards: number;
  /** The first is the owner, the second the caller, a Member with an entry of their own; the rest by turns of every role. */
  readonly members: number;
  /** Folders beside the boards, in a tree. */
  readonly folders: number;
  /** How deep the tree goes, boards being the deepest. At least 3. */
  readonly depth: number;
  /** Board 0 stands beside everything else: all other pages are under folder 1, board 0 and folder 1 under folder 0. */
  readonly apart?: true;
  /** With one board: so many of the tasks have pages of their own, which hide them from the caller. */
  readonly hidden?: number;
  /** All tasks have tag 0 of their board. */
  readonly tagged?: true;
  /** Access entries, spread over the pages. */
  readonly entries: number;
  /** How many of `members` the tasks are for: each has a fixed share of all tasks. */
  readonly assignees: number;
  /**
   * `share`: board 0 has half of the tasks, the others the rest. `even`: all have as many.
   * `columns`: board 0 has all but ten of them in its first status and those ten in its second.
   */
  readonly spread: 'share' | 'even' | 'columns';
  /** Of the texts of tasks. Absent: that of English. */
  readonly alphabet?: Alphabet;
}

export const STATUSES = 4;
export const TAGS = 8;

export const SMALL: Shape = {
  world: 1,
  tasks: 1_000,
  boards: 1,
  members: 20,
  folders: 3,
  depth: 4,
  entries: 8,
  assignees: 8,
  spread: 'even',
};

/** Half of the tasks on one board of ten. */
export const SHARED: Shape = { ...SMALL, boards: 10, spread: 'share' };

/** Where a task stands. */
export interface Stand {
  readonly board: number;
  readonly status: number;
}

const FEW = 10;

export function standOf({ tasks, boards, spread }: Shape, n: number): Stand {
  if (spread === 'columns') return { board: 0, status: n < tasks - FEW ? 0 : 1 };
  if (spread === 'even' || boards === 1) {
    return { board: n % boards, status: Math.floor(n / boards) % STATUSES };
  }
  const half = Math.floor(n / 2);
  if (n % 2 === 0) return { board: 0, status: half % STATUSES };
  return { board: 1 + (half % (boards - 1)), status: Math.floor(half / (boards - 1)) % STATUSES };
}

/** The ids of a world by their number. */
export function namesOf({ world }: Pick<Shape, 'world'>) {
  return {
    workspaceId: idOf(world, 'workspace', 0),
    user: (n: number) => idOf(world, 'user', n),
    member: (n: number) => idOf(world, 'member', n),
    /** Boards come first. */
    board: (n: number) => idOf(world, 'page', n),
    page: (n: number) => idOf(world, 'page', n),
    status: (board: number, n: number) => idOf(world, 'status', board * STATUSES + n),
    tag: (board: number, n: number) => idOf(world, 'tag', board * TAGS + n),
    task: (n: number) => idOf(world, 'task', n),
  };
}

/** The number of the member who calls. */
export const CALLER = 1;

export function emailOf(world: number, n: number): string {
  return `person-${n}-of-${world}@example.org`;
}
