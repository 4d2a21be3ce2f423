import type { Doc } from '../query/query.ts';

/**
 * What the lock document of a workspace says of it. Every write transaction that reads or writes anything of a
 * workspace writes to that document. It outlives the workspace, so no revision is ever given twice.
 */
export interface WorkspaceState {
  /** Of the structure. 0: there never was one. */
  readonly revision: number;
  readonly exists: boolean;
  /** The first revision of the workspace: a structure of before is of another workspace with the same id. */
  readonly createdAtRevision: number;
  /** The last revision at which no page that is out of reach was stored any more. */
  readonly settledAtRevision: number;
  /** The largest running number that was given. */
  readonly lastNum: number;
  /** How many tasks are kept; null until they are counted for the first time. */
  readonly taskCount: number | null;
}

/** What changes with tasks, and not with the revision. */
export type WorkspaceCounters = Pick<WorkspaceState, 'lastNum' | 'taskCount'>;

export const EMPTY_STATE: WorkspaceState = {
  revision: 0,
  exists: false,
  createdAtRevision: 0,
  settledAtRevision: 0,
  lastNum: 0,
  taskCount: null,
};

/** The stored names: documents of the first version have them, and processes of that version may run beside. */
interface StoredState {
  readonly revision?: number;
  readonly open?: boolean;
  readonly born?: number;
  readonly settled?: number;
  readonly nums?: number;
  readonly tally?: number | null;
}

export function toWorkspaceState(doc: Doc | null | undefined): WorkspaceState | null {
  if (doc === null || doc === undefined) return null;
  const { revision = 0, open = false, born = 0, settled = 0, nums = 0, tally = null } = doc as StoredState;
  return {
    revision,
    exists: open,
    createdAtRevision: born,
    settledAtRevision: settled,
    lastNum: nums,
    taskCount: tally,
  };
}

export function storedState(state: WorkspaceState): Required<StoredState> {
  const { revision, exists, createdAtRevision, settledAtRevision, lastNum, taskCount } = state;
  return {
    revision,
    open: exists,
    born: createdAtRevision,
    settled: settledAtRevision,
    nums: lastNum,
    tally: taskCount,
  };
}
