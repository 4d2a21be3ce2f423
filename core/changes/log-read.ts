import type { Viewer } from '../access/viewer.ts';
import { type LoggedChange, offsetOf } from '../model/log/change.ts';
import type { LogHead } from '../ports/change-log.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { pagesLeft } from './content-events.ts';
import type { ChangeCursor, EarlierRevision } from './cursor.ts';
import type { RecentStructures } from './recent-structures.ts';
import { requireIssued } from './issued-cursor.ts';
import { changedPagesOf, type Sight, type ViewerAt, viewerBefore } from './sight.ts';

/** The changes that one answer is about. */
export interface LogRead {
  readonly since: Required<ChangeCursor>;
  readonly head: LogHead;
  readonly changes: readonly LoggedChange[];
  /** The offset of the last of them. */
  readonly offset: number;
  /** Pages that the answer before hid, to be shown again. Null: unknown, as the changes that name them are gone. */
  readonly shownAgain: ReadonlySet<string> | null;
}

/** The most changes that one answer is about. */
const MAX_LIMIT = 500;

const NONE: ReadonlySet<string> = new Set();

/**
 * Reads up to `limit` changes after a cursor. O(limit).
 *
 * @throws `cursor-expired` for a cursor that no answer had
 */
export async function readLog(
  tx: ReadTransaction,
  { structure }: Viewer,
  since: Required<ChangeCursor>,
  head: LogHead,
  limit: number,
): Promise<LogRead> {
  const { earlier, offset, shownFrom } = since;
  const workspaceId = structure.workspace.id;
  // An answer ends at the offset after which the reader is taken to know another structure.
  const most = earlier === null || earlier.until <= offset ? limit : Math.min(limit, earlier.until - offset);
  const around = await tx.changeLog.list(workspaceId, Math.max(0, offset - 1), most + 1);
  const [first] = around;
  const at = first !== undefined && offsetOf(first) <= offset ? first : undefined;
  const changes = at === undefined ? around.slice(0, most) : around.slice(1);
  await requireIssued(tx, workspaceId, since, head, at, changes);
  const last = changes.at(-1);
  const read = { since, head, changes, offset: last === undefined ? offset : offsetOf(last) };
  if (shownFrom === null || shownFrom >= offset) return { ...read, shownAgain: NONE };
  if (shownFrom < head.floor || offset - shownFrom > MAX_LIMIT) return { ...read, shownAgain: null };
  const hiddenIn = await tx.changeLog.list(workspaceId, shownFrom, offset - shownFrom);
  return { ...read, shownAgain: pagesLeft(hiddenIn) };
}

/** What the reader of these changes sees, and saw. */
export function sightOf(now: Viewer, log: LogRead, structures: RecentStructures | undefined): Sight {
  const { since, head, changes, offset, shownAgain } = log;
  const { workspace, revision } = now.structure;
  const viewers = new Map<number, Viewer | null>([[revision, now]]);
  const at: ViewerAt = (revisionThen) => {
    const known = viewers.get(revisionThen);
    if (known !== undefined) return known;
    const viewer = viewerBefore(now, structures?.get(workspace.id, revisionThen));
    viewers.set(revisionThen, viewer);
    return viewer;
  };
  const before = shownAgain === null ? null : at(since.revision);
  const { earlier } = since;
  return {
    now,
    before,
    revision: since.revision,
    isAtEnd: offset === head.last,
    earlier: earlier === null ? null : { ...earlier, viewer: at(earlier.revision) },
    shownAgain: shownAgain ?? NONE,
    changedPages: before === null && offset === head.last ? changedPagesOf(now, changes) : null,
    at,
  };
}

/**
 * The cursor after an answer.
 *
 * @param revision of the structure that the reader knows
 * @param hasHidden whether it hides pages that the next answer shows again
 */
export function cursorAfter(log: LogRead, revision: number, hasHidden: boolean): Required<ChangeCursor> {
  const { since, offset } = log;
  return { offset, revision, earlier: earlierBehind(log, revision), shownFrom: hasHidden ? since.offset : null };
}

function earlierBehind({ since, head, offset }: LogRead, revision: number): EarlierRevision | null {
  if (offset >= head.last) return null;
  const known = since.earlier !== null && offset < since.earlier.until ? since.earlier : null;
  if (revision === since.revision) return known;
  return { revision: (known ?? since).revision, until: head.last };
}
