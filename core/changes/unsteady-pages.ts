import { accessType, pathUp } from '../access/resolve.ts';
import { levelOn, sees, type Viewer } from '../access/viewer.ts';
import type { LoggedChange } from '../model/log/change.ts';
import { isEarlier, seesNow, type Sight, UNITS_PER_PAGE, viewersBetween } from './sight.ts';

/**
 * Pages that the reader may have seen otherwise between what they know and now: there for a while, or gone for a while. The
 * difference of the two does not tell, and the reader may have read these pages in between: pages, boards and tasks are read
 * later than the events that tell of them.
 */
export interface UnsteadyPages {
  /** Those that the reader sees now, and may have tried to read while they did not. */
  readonly toShow: ReadonlySet<string>;
  /** Whether that may be so of all pages. */
  readonly everywhere: boolean;
}

/** What decides who sees a page, and what is below it. */
const OF_ACCESS: ReadonlySet<string> = new Set(['entries', 'settings', 'parentId', 'boardId']);
/** What decides what a member sees everywhere. */
const OF_EVERY_PAGE: ReadonlySet<string> = new Set(['role', 'active', 'defaultAccess']);
/** What some changes led from and to. */
interface Span {
  /** Null: not known any more. */
  readonly from: Viewer | null;
  readonly fromRevision: number;
  readonly to: Viewer;
  /** The changes of these that decide access; null: some more are in other answers. */
  readonly all: readonly LoggedChange[] | null;
  /** The reader in the structure of each revision, from the first to the last. Null: some are not at hand. */
  readonly viewers: readonly Viewer[] | null;
}

/**
 * Null: there are none. Known from the structures at hand; where these are not all at hand, as another process wrote, from
 * the log: what two changes could have given and taken counts as unsteady. A page below one that is unsteady is so too,
 * and one above which, or on which, nothing was changed is steady. O(changes * structures * depth), in steps.
 */
export async function unsteadyPages(sight: Sight, changes: readonly LoggedChange[]): Promise<UnsteadyPages | null> {
  const deciding = changes.filter((change) => decidesOnPage(change) || decidesEverywhere(sight, change));
  if (deciding.length === 0) return null;
  const found = [
    await unsteadyIn(
      sight,
      spanBefore(sight),
      deciding.filter((change) => isEarlier(sight, change)),
    ),
    await unsteadyIn(
      sight,
      spanNow(sight, deciding),
      deciding.filter((change) => !isEarlier(sight, change)),
    ),
  ].filter((each) => each !== null);
  if (found.length === 0) return null;
  return {
    toShow: new Set(found.flatMap(({ toShow }) => [...toShow])),
    everywhere: found.some(({ everywhere }) => everywhere),
  };
}

function decidesOnPage(change: LoggedChange): boolean {
  const { kind, action, fields } = change;
  return (
    kind === 'page' && (action === 'delete' || cameIntoTree(change) || fields.some((field) => OF_ACCESS.has(field)))
  );
}

/** Created, restored or copied: the latter two are logged as updates of no field. */
function cameIntoTree({ action, fields }: LoggedChange): boolean {
  return action === 'create' || (action === 'update' && fields.length === 0);
}

function decidesEverywhere({ now }: Sight, { kind, action, recordId, fields }: LoggedChange): boolean {
  if (kind !== 'workspace' && (kind !== 'member' || recordId !== now.member.id)) return false;
  return action !== 'update' || fields.some((field) => OF_EVERY_PAGE.has(field));
}

/** Up to the structure that the reader was brought to by the first answer of a catch-up. */
function spanBefore(sight: Sight): Span | null {
  const { earlier, before, now } = sight;
  if (earlier === null) return null;
  return spanOf(sight, earlier.viewer, earlier.revision, before ?? now, null);
}

function spanNow(sight: Sight, deciding: readonly LoggedChange[]): Span {
  const { before, now, earlier, revision, isAtEnd } = sight;
  return spanOf(sight, before, revision, now, isAtEnd && earlier === null ? deciding : null);
}

function spanOf(
  { at }: Sight,
  from: Viewer | null,
  fromRevision: number,
  to: Viewer,
  all: readonly LoggedChange[] | null,
): Span {
  const viewers = from === null ? null : viewersBetween(from, to.structure.revision, at);
  return { from, fromRevision, to, all, viewers };
}

async function unsteadyIn(
  sight: Sight,
  span: Span | null,
  changes: readonly LoggedChange[],
): Promise<UnsteadyPages | null> {
  // What one change leads from and to is in the difference.
  if (span === null || span.to.structure.revision - span.fromRevision < 2) return null;
  const made = changes.filter(({ revision }) => revision === null || revision > span.fromRevision);
  const everywhere = made.some(({ kind }) => kind !== 'page') && mayBeUnsteadyEverywhere(span);
  const ids = new Set(made.filter(({ kind }) => kind === 'page').map(({ recordId }) => recordId));
  const toShow = new Set<string>();
  let isAny = everywhere;
  for (const id of ids) {
    const pause = sight.now.yielder.step(UNITS_PER_PAGE);
    if (pause !== null) await pause;
    if (!mayBeUnsteady(span, id)) continue;
    isAny = true;
    if (seesNow(sight, id) && span.viewers?.every((viewer) => sees(viewer, id)) !== true) toShow.add(id);
  }
  return isAny ? { toShow, everywhere } : null;
}

function mayBeUnsteadyEverywhere({ viewers, all }: Span): boolean {
  if (viewers !== null)
    return (
      turns(viewers.map(({ principal, structure }) => [principal.role, structure.workspace.defaultAccess].join(' '))) >
      1
    );
  return all === null || all.filter(({ kind }) => kind !== 'page').length > 1;
}

function mayBeUnsteady(span: Span, id: string): boolean {
  const { viewers, all } = span;
  if (viewers !== null) return turns(viewers.map((viewer) => seenAs(viewer, id))) > 1;
  if (all === null) return true;
  const path = new Set([id]);
  for (const viewer of [span.from, span.to]) {
    for (const page of viewer === null ? [] : pathUp(viewer.structure, id)) path.add(page.id);
  }
  const made = all.findLastIndex((each) => each.kind === 'page' && each.recordId === id && cameIntoTree(each));
  const deciding = all.slice(Math.max(0, made)).filter(({ kind, recordId }) => kind !== 'page' || path.has(recordId));
  // Below what a page was that moved, or came into the tree, is known only if it is still there.
  const isGone = span.to.structure.page(id) === undefined;
  if (isGone && made !== -1) return true;
  const isMoved = (span.from === null || isGone) && deciding.some(({ fields }) => fields.includes('parentId'));
  return (isMoved ? all : deciding).length > 1;
}

/** How the reader sees a page in one structure: its level, whether they have it by an entry, and the page that they see it below. */
function seenAs(viewer: Viewer, id: string): string {
  const page = viewer.structure.page(id);
  if (page === undefined || !sees(viewer, id)) return '';
  const { parentId } = page;
  const above = parentId === null || !sees(viewer, parentId) ? '' : parentId;
  return [levelOn(viewer, id), accessType(page, viewer.member), above].join(' ');
}

/** How often one is not like the one before. */
function turns(seen: readonly string[]): number {
  return seen.filter((each, n) => n > 0 && each !== seen[n - 1]).length;
}
