import { accessType, pathUp } from '../access/resolve.ts';
import { levelOn, sees, type Viewer } from '../access/viewer.ts';
import { forEachItemStepwise, inSteps, ITEMS_PER_STEP, type Stepwise } from '../kernel/stepwise.ts';
import type { LoggedChange } from '../model/log/change.ts';
import { isEarlier, seesNow, type Sight, UNITS_PER_PAGE, viewersBetween } from './sight.ts';

/**
 * Pages that the reader may have seen in another state between the structure they know and the present one: there for a
 * while, or gone for a while. The difference between the two does not show this, and the reader may have read these
 * pages in between: pages, boards and tasks are read later than the events about them.
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
/** The structures before and after some changes. */
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

/** Up to the structure that the reader got with the first answer of a catch-up. */
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
  // With one change there is nothing in between.
  if (span === null || span.to.structure.revision - span.fromRevision < 2) return null;
  const made = changes.filter(({ revision }) => revision === null || revision > span.fromRevision);
  const everywhere = made.some(({ kind }) => kind !== 'page') && mayBeUnsteadyEverywhere(span);
  const ids = new Set(made.filter(({ kind }) => kind === 'page').map(({ recordId }) => recordId));
  const toShow = new Set<string>();
  const away: string[] = [];
  let isAny = everywhere;
  for (const id of ids) {
    const pause = sight.now.yielder.step(UNITS_PER_PAGE);
    if (pause !== null) await pause;
    if (wasAway(span, id, made)) away.push(id);
    if (!mayBeUnsteady(span, id)) continue;
    isAny = true;
    if (seesNow(sight, id) && span.viewers?.every((viewer) => sees(viewer, id)) !== true) toShow.add(id);
  }
  if (away.length > 0 && (isAny || (await sawAny(span.viewers ?? [], away)))) {
    isAny = true;
    for (const id of await inSteps(seenWith(sight.now, away), sight.now.yielder)) toShow.add(id);
  }
  return isAny ? { toShow, everywhere } : null;
}

/** Whether a page was not in the tree for a while, or only for a while; or, where that is not at hand, may have been. */
function wasAway({ viewers }: Span, id: string, made: readonly LoggedChange[]): boolean {
  if (viewers !== null) return alternations(viewers.map((viewer) => String(isInTree(viewer, id)))) > 1;
  return made.some((each) => each.recordId === id && (each.action === 'delete' || cameIntoTree(each)));
}

function isInTree({ structure }: Viewer, id: string): boolean {
  return structure.page(id) !== undefined;
}

/** Whether the reader saw any page that came or went with these, which they may not see themselves. */
async function sawAny(viewers: readonly Viewer[], ids: readonly string[]): Promise<boolean> {
  for (const [n, viewer] of viewers.entries()) {
    const pause = viewer.yielder.step(ids.length);
    if (pause !== null) await pause;
    const neighbours = viewers.slice(Math.max(0, n - 1), n + 2);
    const cameOrWent = ids.filter((id) => isInTree(viewer, id) && !neighbours.every((each) => isInTree(each, id)));
    if ((await inSteps(seenWith(viewer, cameOrWent), viewer.yielder)).size > 0) return true;
  }
  return false;
}

/** The pages that the reader sees among those that come and go with some pages: see `core/page/subtree.ts`. In steps. */
function* seenWith(viewer: Viewer, ids: readonly string[]): Stepwise<ReadonlySet<string>> {
  const { structure } = viewer;
  const seen = new Set<string>();
  const visited = new Set<string>();
  const waiting = [...ids];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const page = structure.page(id);
    if (page === undefined || visited.has(id)) continue;
    visited.add(id);
    if (visited.size % ITEMS_PER_STEP === 0) yield;
    if (sees(viewer, id)) seen.add(id);
    yield* forEachItemStepwise(structure.children(id), (child) => void waiting.push(child.id));
    if (page.type === 'board')
      yield* forEachItemStepwise(structure.taskPages(id), (each) => void waiting.push(each.id));
  }
  return seen;
}

function mayBeUnsteadyEverywhere({ viewers, all }: Span): boolean {
  if (viewers !== null)
    return (
      alternations(
        viewers.map(({ principal, structure }) => [principal.role, structure.workspace.defaultAccess].join(' ')),
      ) > 1
    );
  return all === null || all.filter(({ kind }) => kind !== 'page').length > 1;
}

function mayBeUnsteady(span: Span, id: string): boolean {
  const { viewers, all } = span;
  if (viewers !== null) return alternations(viewers.map((viewer) => seenAs(viewer, id))) > 1;
  if (all === null) return true;
  const path = new Set([id]);
  for (const viewer of [span.from, span.to]) {
    for (const page of viewer === null ? [] : pathUp(viewer.structure, id)) path.add(page.id);
  }
  const own = (each: LoggedChange) => each.kind === 'page' && each.recordId === id;
  const created = all.findIndex((each) => own(each) && each.action === 'create');
  const deciding = all
    .slice(Math.max(0, created))
    .filter(({ kind, recordId }) => kind !== 'page' || path.has(recordId));
  // Below what a page was that moved, or came into the tree, is known only if it is still there.
  const isGone = span.to.structure.page(id) === undefined;
  if (isGone && all.some((each) => own(each) && cameIntoTree(each))) return true;
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

/** How often one differs from the one before. */
function alternations(seen: readonly string[]): number {
  return seen.filter((each, n) => n > 0 && each !== seen[n - 1]).length;
}
