import { memoizeByChange } from './memoize-change.ts';
import { removalOf } from './removal.ts';
import type { Page } from '../model/page.ts';
import type { Structure, StructureChange } from '../model/structure.ts';

/** How many records a structure holds. */
export interface Totals {
  /** Active members. */
  readonly members: number;
  readonly pages: number;
  readonly boards: number;
  /** Access entries, those of former members included. */
  readonly entries: number;
}

export const TOTALS = ['members', 'pages', 'boards', 'entries'] as const satisfies readonly (keyof Totals)[];

/** Totals that are being counted. */
export type Counting = { -readonly [Name in keyof Totals]: Totals[Name] };

/** Structures are immutable: each is counted once. */
const known = new WeakMap<Structure, Totals>();

/** O(1) for a structure that was built or changed here, where they are kept; else O(members + pages) the first time. */
export function totalsOf(structure: Structure): Totals {
  const totals = known.get(structure) ?? counted(structure);
  known.set(structure, totals);
  return totals;
}

/** By how much a change raises each total; negative where it removes. O(change) the first time, then O(1). */
export const growthOf = memoizeByChange((structure, change): Totals => {
  const growth = noTotals();
  for (const member of change.members ?? []) {
    growth.members += Number(member.active) - Number(structure.member(member.id)?.active === true);
  }
  for (const page of change.pages ?? []) {
    const before = structure.page(page.id);
    if (before === undefined) addPage(growth, page, 1);
    else if (before.entries !== page.entries) growth.entries += entryCount(page) - entryCount(before);
  }
  for (const page of removalOf(structure, change).pages) addPage(growth, page, -1);
  return growth;
});

export function sum(a: Totals, b: Totals): Totals {
  return {
    members: a.members + b.members,
    pages: a.pages + b.pages,
    boards: a.boards + b.boards,
    entries: a.entries + b.entries,
  };
}

/** Keeps the totals of a structure that was built, counted on the way. */
export function keepTotals(structure: Structure, totals: Totals): void {
  known.set(structure, totals);
}

/** Keeps the totals of the structure that a change led to, where those before it are known. */
export function keepTotalsAfter(before: Structure, change: StructureChange, after: Structure): void {
  const totals = known.get(before);
  if (totals !== undefined) known.set(after, sum(totals, growthOf(before, change)));
}

/** O(entries) of the page. */
export function entryCount(page: Page): number {
  return Object.keys(page.entries).length;
}

function counted(structure: Structure): Totals {
  const totals = noTotals();
  for (const member of structure.members()) if (member.active) totals.members += 1;
  for (const page of structure.pages()) addPage(totals, page, 1);
  return totals;
}

/** Counts a page, or takes it off. O(entries) of the page. */
export function addPage(totals: Counting, page: Page, sign: 1 | -1): void {
  totals.pages += sign;
  if (page.type === 'board') totals.boards += sign;
  totals.entries += sign * entryCount(page);
}

export function noTotals(): Counting {
  return { members: 0, pages: 0, boards: 0, entries: 0 };
}
