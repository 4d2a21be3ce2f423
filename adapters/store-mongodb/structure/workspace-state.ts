import { EMPTY_LOG, type LogHead } from '../../../core/ports/change-log.ts';
import type { Doc } from '../query/query.ts';

/**
 * What the lock document of a workspace says of it. Every write transaction that reads or writes anything of a
 * workspace writes to that document. It outlives the workspace, so no revision is ever given twice.
 */
export interface WorkspaceState {
  /** Of the structure. 0: there never was one. */
  readonly revision: number;
  readonly exists: boolean;
  /** The first revision of the workspace: earlier ones are of another workspace with the same id. */
  readonly createdAtRevision: number;
  /** The last revision at which no unreachable page was stored. */
  readonly settledAtRevision: number;
  /** The largest running number that was given. */
  readonly lastNum: number;
  /** How many tasks are kept; null until they are counted for the first time. */
  readonly taskCount: number | null;
  /**
   * Up to which running number tasks are in the counts of statuses; {@link ALL_COUNTED}, or null where those counts do
   * not hold: a release that kept none has written in the workspace since.
   */
  readonly countedTo: number | null;
  /** See `StatusCounts` of the port. */
  readonly pageMoves: number;
  /** Of its change log. */
  readonly log: LogHead;
}

/** Greater than every running number. */
export const ALL_COUNTED = Number.MAX_SAFE_INTEGER;

/** What changes with every write, and not with the revision. */
export type WorkspaceCounters = Pick<WorkspaceState, 'lastNum' | 'taskCount' | 'countedTo' | 'pageMoves' | 'log'>;

export const NO_COUNTERS: WorkspaceCounters = {
  lastNum: 0,
  taskCount: null,
  countedTo: null,
  pageMoves: 0,
  log: EMPTY_LOG,
};

export const EMPTY_STATE: WorkspaceState = {
  revision: 0,
  exists: false,
  createdAtRevision: 0,
  settledAtRevision: 0,
  ...NO_COUNTERS,
  countedTo: ALL_COUNTED,
};

/** The stored names, where they differ: documents of the first version have them, and it may run beside this one. */
const STORED_NAMES: Partial<Record<string, string>> = {
  exists: 'open',
  createdAtRevision: 'born',
  settledAtRevision: 'settled',
  lastNum: 'nums',
  taskCount: 'tally',
};

const FIELDS = Object.keys(EMPTY_STATE).map((field) => [field, STORED_NAMES[field] ?? field] as const);

/** The state of a document in which the first version has written nothing. */
const UNSET: Doc = { _id: '', ...EMPTY_STATE, ...NO_COUNTERS };

export function toWorkspaceState(doc: Doc): WorkspaceState {
  // The first number is raised with every transaction, the second by releases that keep counts of statuses alone.
  const isCounted = doc['seq'] === doc['countSeq'];
  const fields = FIELDS.map(([field, stored]) => [field, (doc[stored] as unknown) ?? UNSET[field]] as const);
  const state = Object.fromEntries(fields) as unknown as WorkspaceState;
  return isCounted ? state : { ...state, countedTo: null };
}

export function storedState(state: WorkspaceState): Record<string, unknown> {
  return Object.fromEntries(FIELDS.map(([field, stored]) => [stored, state[field as keyof WorkspaceState]]));
}
