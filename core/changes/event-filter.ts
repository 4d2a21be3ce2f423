import { pathUp } from '../access/resolve.ts';
import { sees, type Viewer } from '../access/viewer.ts';
import { visitItems } from '../kernel/stepwise.ts';
import type { EventKind } from '../model/log/change-event.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { LoggedEvent } from './events.ts';
import type { Sight } from './sight.ts';

/** Which events a reader of changes asks for. */
export interface EventFilter {
  /** Only events about these kinds of records. */
  readonly kind?: readonly EventKind[];
  /** Only events about these boards and their content, and about pages above that make either visible or hidden. */
  readonly boardId?: readonly string[];
  /**
   * Only events about these pages and the records whose access they decide, and about pages above that make them
   * visible or hidden.
   */
  readonly pageId?: readonly string[];
}

/** The events that pass the filters of the caller. */
export async function filtered(
  sight: Sight,
  events: readonly LoggedEvent[],
  { kind: kinds, boardId, pageId }: EventFilter,
): Promise<readonly LoggedEvent[]> {
  const boards = { ids: boardId, about: ({ boardIds }: LoggedEvent) => boardIds, pagesOf: pagesOfBoard };
  const pages = { ids: pageId, about: ({ pageIds }: LoggedEvent) => pageIds, pagesOf: pageItself };
  const [isOfBoards, isOfPages] = [await idsFilter(sight, events, boards), await idsFilter(sight, events, pages)];
  return events.filter((logged) => {
    const { kind, standsFor } = logged;
    if (kind === undefined) return true;
    if (kinds !== undefined && !kinds.some((each) => each === kind || each === standsFor)) return false;
    return isOfBoards(logged) && isOfPages(logged);
  });
}

interface FilterByIds {
  /** Absent: everything passes. */
  readonly ids: readonly string[] | undefined;
  /** The ids of an event that are compared with the filter. */
  readonly about: (logged: LoggedEvent) => readonly string[];
  /** The pages with which the record of the id becomes visible or hidden. */
  readonly pagesOf: (structure: Structure, id: string) => Iterable<string>;
}

function* pagesOfBoard(structure: Structure, boardId: string): IterableIterator<string> {
  yield boardId;
  for (const { id } of structure.taskPages(boardId)) yield id;
}

function pageItself(_: Structure, pageId: string): Iterable<string> {
  return [pageId];
}

/**
 * Passes events about one of the ids, and those about a page above one of their pages that make it visible or hidden.
 */
async function idsFilter(
  { before, now }: Sight,
  events: readonly LoggedEvent[],
  { ids, about, pagesOf }: FilterByIds,
): Promise<(logged: LoggedEvent) => boolean> {
  if (ids === undefined) return () => true;
  const wanted = new Set(ids);
  const isAbout = (logged: LoggedEvent) => about(logged).some((each) => wanted.has(each));
  // Usually no other event can matter: then nothing has to be known of what is below which page.
  const others = events.filter((logged) => !isAbout(logged));
  const aboveBefore = others.some(takesAway) ? await pathsTo(before, ids, pagesOf) : NO_PAGES;
  const aboveNow = others.some(brings) ? await pathsTo(now, ids, pagesOf) : NO_PAGES;
  return (logged) =>
    isAbout(logged) ||
    (takesAway(logged) && aboveBefore.has(logged.event.id!)) ||
    (brings(logged) && aboveNow.has(logged.event.id!));
}

function takesAway({ event: { type } }: LoggedEvent): boolean {
  return type === 'page.hide' || type === 'page.delete';
}

function brings({ event: { type, fields } }: LoggedEvent): boolean {
  return type === 'page.show' || (type === 'page.update' && fields.includes('access'));
}

const NO_PAGES: ReadonlySet<string> = new Set();

/** The ids of all pages on the paths to those pages that a member sees. O(pages * depth) in steps. */
async function pathsTo(
  viewer: Viewer | null,
  ids: readonly string[],
  pagesOf: FilterByIds['pagesOf'],
): Promise<ReadonlySet<string>> {
  if (viewer === null) return NO_PAGES;
  const { structure, yielder } = viewer;
  const above = new Set<string>();
  const addPath = (each: string) => {
    if (!sees(viewer, each)) return;
    for (const { id } of pathUp(structure, each)) {
      // The pages above it are there too.
      if (above.has(id)) return;
      above.add(id);
    }
  };
  for (const each of ids) {
    // What is on a hidden board is not told apart from the rest.
    if (sees(viewer, each)) await visitItems(pagesOf(structure, each), yielder, addPath);
  }
  return above;
}
