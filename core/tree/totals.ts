import { forEachItemStepwise, type Stepwise } from '../kernel/stepwise.ts';
import { memoizeByChange } from './memoize-change.ts';
import { removalOf } from './removal.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Structure, StructureChange } from '../model/workspace/structure.ts';

/** How many records a structure holds. */
export interface Totals {
  /** Active members. */
  readonly members: number;
  readonly pages: number;
  readonly boards: number;
  /** Access entries, including those of former members. */
  readonly entries: number;
}

export const TOTALS = ['members', 'pages', 'boards', 'entries'] as const satisfies readonly (keyof Totals)[];

export type MutableTotals = { -readonly [Name in keyof Totals]: Totals[Name] };

/** By structure, which is immutable. */
const cache = new WeakMap<Structure, Totals>();

/** O(1) for a structure made by `build.ts`, which counts as it builds; else O(members + pages) once. */
export function totalsOf(structure: Structure): Totals {
  const totals = cache.get(structure) ?? countTotals(structure);
  cache.set(structure, totals);
  return totals;
}

/** The difference that a change makes to each total. O(change), then cached. */
export const totalsDeltaOf = memoizeByChange(function* (structure, change): Stepwise<Totals> {
  const growth = noTotals();
  for (const member of change.members ?? []) {
    growth.members += Number(member.active) - Number(structure.member(member.id)?.active === true);
  }
  yield* forEachItemStepwise(change.pages ?? [], (page) => {
    const before = structure.page(page.id);
    if (before === undefined) addPageToTotals(growth, page, 1);
    else if (before.entries !== page.entries) growth.entries += entryCount(page) - entryCount(before);
  });
  yield* forEachItemStepwise(change.restoredPages ?? [], (page) => addPageToTotals(growth, page, 1));
  const { pages } = yield* removalOf.inSteps(structure, change);
  yield* forEachItemStepwise(pages, (page) => addPageToTotals(growth, page, -1));
  return growth;
});

export function sumTotals(a: Totals, b: Totals): Totals {
  return {
    members: a.members + b.members,
    pages: a.pages + b.pages,
    boards: a.boards + b.boards,
    entries: a.entries + b.entries,
  };
}

/** Stores the totals of a structure, counted while it was built. */
export function cacheTotals(structure: Structure, totals: Totals): void {
  cache.set(structure, totals);
}

/** Stores the totals of a changed structure, if those before the change are known. */
export function* cacheTotalsAfter(before: Structure, change: StructureChange, after: Structure): Stepwise<void> {
  const totals = cache.get(before);
  if (totals !== undefined) cache.set(after, sumTotals(totals, yield* totalsDeltaOf.inSteps(before, change)));
}

/** O(entries) of the page. */
export function entryCount(page: Page): number {
  return Object.keys(page.entries).length;
}

function countTotals(structure: Structure): Totals {
  const totals = noTotals();
  for (const member of structure.members()) if (member.active) totals.members += 1;
  for (const page of structure.pages()) addPageToTotals(totals, page, 1);
  return totals;
}

/** Adds a page to the totals, or subtracts it. O(entries) of the page. */
export function addPageToTotals(totals: MutableTotals, page: Page, sign: 1 | -1): void {
  totals.pages += sign;
  if (page.type === 'board') totals.boards += sign;
  totals.entries += sign * entryCount(page);
}

export function noTotals(): MutableTotals {
  return { members: 0, pages: 0, boards: 0, entries: 0 };
}
