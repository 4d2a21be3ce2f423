import type { Level } from '../../core/model/level.ts';

/** A workspace as plain data: members and pages are known by their index. */
export interface PlainWorld {
  readonly defaultAccess: Level;
  readonly members: readonly PlainMember[];
  readonly pages: readonly PlainPage[];
}

export interface PlainMember {
  readonly role: number;
  /** False: has left. */
  readonly active: boolean;
  readonly disabled: boolean;
}

export interface PlainPage {
  /** An earlier page, or null at the top. */
  readonly parent: number | null;
  readonly inherit: boolean;
  readonly defaultAccess: Level;
  readonly entries: ReadonlyMap<number, Level>;
}

/** The level of a member on a page, told as the design tells it and written without a look at the core. */
export function oracle(world: PlainWorld, memberIndex: number, pageIndex: number): number {
  const member = world.members[memberIndex];
  if (member === undefined || !member.active || member.disabled) return 0;
  const known = [40, 30, 20, 10].includes(member.role);
  if (!known) return 0;
  if (member.role === 40) return 400;
  const isGuest = member.role === 10;
  const fromAbove = (index: number | null): number => {
    if (index === null) return member.role === 30 ? 400 : member.role === 20 ? world.defaultAccess : 0;
    const page = world.pages[index]!;
    const entry = page.entries.get(memberIndex);
    if (entry !== undefined) return isGuest ? Math.min(entry, 300) : entry;
    if (!page.inherit) return isGuest ? 0 : page.defaultAccess;
    return fromAbove(page.parent);
  };
  return fromAbove(pageIndex);
}

export function isBelow(world: PlainWorld, pageIndex: number, root: number): boolean {
  for (let index: number | null = pageIndex; index !== null; index = world.pages[index]!.parent) {
    if (index === root) return true;
  }
  return false;
}
