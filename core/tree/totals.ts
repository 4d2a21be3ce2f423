import { removalOf } from './removal.ts';
import type { Structure, StructureChange } from '../model/structure.ts';

/** How many records a structure holds. */
export interface Totals {
  /** Active members. */
  readonly members: number;
  readonly pages: number;
  readonly boards: number;
}

/** Structures are immutable: each is counted once. */
const known = new WeakMap<Structure, Totals>();

/** O(members + pages) the first time; O(1) when `remember` carried the totals over from the previous revision. */
export function totalsOf(structure: Structure): Totals {
  const totals = known.get(structure) ?? counted(structure);
  known.set(structure, totals);
  return totals;
}

/** By how much a change raises each total; negative where it removes. O(change). */
export function growthOf(structure: Structure, change: StructureChange): Totals {
  const growth = { members: 0, pages: 0, boards: 0 };
  for (const member of change.members ?? []) {
    growth.members += Number(member.active) - Number(structure.member(member.id)?.active === true);
  }
  for (const page of change.pages ?? []) {
    if (structure.page(page.id) !== undefined) continue;
    growth.pages += 1;
    if (page.type === 'board') growth.boards += 1;
  }
  for (const page of removalOf(structure, change).pages) {
    growth.pages -= 1;
    if (page.type === 'board') growth.boards -= 1;
  }
  return growth;
}

export function sum(a: Totals, b: Totals): Totals {
  return { members: a.members + b.members, pages: a.pages + b.pages, boards: a.boards + b.boards };
}

/** Records the totals of the structure that a change led to, so that it need not be counted. */
export function remember(structure: Structure, totals: Totals): void {
  known.set(structure, totals);
}

function counted(structure: Structure): Totals {
  const totals = { members: 0, pages: 0, boards: 0 };
  for (const member of structure.members()) if (member.active) totals.members += 1;
  for (const page of structure.pages()) {
    totals.pages += 1;
    if (page.type === 'board') totals.boards += 1;
  }
  return totals;
}
