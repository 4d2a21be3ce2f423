import type { Level } from '../../../core/model/access/level.ts';

/** A workspace as plain data: members and pages are known by their index. */
export interface PlainWorkspace {
  readonly defaultAccess: Level;
  readonly members: readonly PlainMember[];
  readonly pages: readonly PlainPage[];
}

export interface PlainMember {
  readonly role: number;
  /** False: has left. */
  readonly active: boolean;
  readonly disabled: boolean;
  /** The number of the membership, from 1. */
  readonly membership: number;
}

export interface PlainEntry {
  readonly level: Level;
  /** The number of the membership it was made for. */
  readonly membership: number;
}

export interface PlainPage {
  /** An earlier page, or null at the top. */
  readonly parent: number | null;
  readonly inherit: boolean;
  readonly defaultAccess: Level;
  readonly entries: ReadonlyMap<number, PlainEntry>;
}

/** The level of a member on a page, told as the design tells it and written without a look at the core. */
export function oracle(world: PlainWorkspace, memberIndex: number, pageIndex: number): number {
  const member = world.members[memberIndex];
  if (member === undefined || !member.active || member.disabled) return 0;
  const known = [40, 30, 20, 10].includes(member.role);
  if (!known) return 0;
  if (member.role === 40) return 400;
  const isGuest = member.role === 10;
  const ceiling = isGuest ? 300 : 400;
  const base = member.role === 30 ? 400 : member.role === 20 ? world.defaultAccess : 0;
  const walk = (index: number | null, cap: number): number => {
    if (index === null) return Math.min(base, cap);
    const page = world.pages[index]!;
    const entry = page.entries.get(memberIndex);
    if (entry?.membership === member.membership) return Math.min(entry.level, ceiling, cap);
    const capped = entry === undefined ? cap : Math.min(cap, entry.level);
    if (!page.inherit) return Math.min(isGuest ? 0 : page.defaultAccess, capped);
    return walk(page.parent, capped);
  };
  return walk(pageIndex, 400);
}

/** `accepted` with an entry on the page itself; one of an earlier membership that is 400 counts as none. */
export function oracleType({ members, pages }: PlainWorkspace, memberIndex: number, pageIndex: number): string {
  const entry = pages[pageIndex]!.entries.get(memberIndex);
  const isNone = entry === undefined || (entry.membership !== members[memberIndex]!.membership && entry.level === 400);
  return isNone ? 'inherited' : 'accepted';
}

export function isBelow(world: PlainWorkspace, pageIndex: number, root: number): boolean {
  for (let index: number | null = pageIndex; index !== null; index = world.pages[index]!.parent) {
    if (index === root) return true;
  }
  return false;
}
