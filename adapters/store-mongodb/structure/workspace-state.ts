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

/** The stored names: documents of the first version have them, and processes of that version may run beside. */
interface StoredState {
  readonly revision?: number;
  readonly open?: boolean;
  readonly born?: number;
  readonly settled?: number;
  readonly nums?: number;
  readonly tally?: number | null;
  readonly countedTo?: number | null;
  readonly pageMoves?: number;
  readonly log?: LogHead;
}

/** Raised with every transaction, the second by releases that keep counts of statuses alone. */
interface Sequences {
  readonly seq?: number;
  readonly countSeq?: number;
}

export function toWorkspaceState(doc: Doc): WorkspaceState {
  const { revision = 0, open = false, born = 0, settled = 0, nums = 0, tally = null } = doc as StoredState;
  const { countedTo = null, pageMoves = 0, log = EMPTY_LOG, seq, countSeq } = doc as StoredState & Sequences;
  return {
    revision,
    exists: open,
    createdAtRevision: born,
    settledAtRevision: settled,
    lastNum: nums,
    taskCount: tally,
    countedTo: seq === countSeq ? countedTo : null,
    pageMoves,
    log,
  };
}

export function storedState(state: WorkspaceState): Required<StoredState> {
  const { revision, exists, createdAtRevision, settledAtRevision, lastNum, taskCount, countedTo, pageMoves, log } =
    state;
  return {
    revision,
    open: exists,
    born: createdAtRevision,
    settled: settledAtRevision,
    nums: lastNum,
    tally: taskCount,
    countedTo,
    pageMoves,
    log,
  };
}
