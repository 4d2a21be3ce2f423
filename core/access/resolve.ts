import type { Member } from '../model/member.ts';
import type { PageEntry } from '../model/page-entry.ts';
import { hasEntries, type AccessSettings, type Page } from '../model/page.ts';
import type { Structure } from '../model/structure.ts';
import { lookAtAll, type Stepwise } from '../kernel/stepwise.ts';
import type { TreeOrder } from '../tree/order.ts';
import { DENIED, FULL, type Level } from '../model/level.ts';
import { baseLevel, ceiling, GUEST, OWNER, ROLES } from '../model/role.ts';

/** Whoever may have access: an active member whose user is not disabled, with a known role. */
export interface Principal {
  readonly memberId: string;
  readonly role: number;
  /** The number of the present membership. */
  readonly membership: number;
}

/** Null: no access to anything. */
export function principalOf(
  member: Member | undefined,
  user: { readonly disabled: boolean } | undefined,
): Principal | null {
  if (member?.active !== true || user?.disabled !== false) return null;
  if (!(ROLES as readonly number[]).includes(member.role)) return null;
  return { memberId: member.id, role: member.role, membership: member.membership };
}

/**
 * The level of one on a page, from the level on the one above it. O(1). This is the one rule that every view of access
 * is made of: an entry of the present membership replaces what comes from above, an entry of an earlier one caps it.
 */
export function levelUnder(page: Page, who: Principal, above: Level): Level {
  if (who.role === OWNER) return FULL;
  const entry = page.entries[who.memberId];
  if (entry === undefined) return levelWithoutEntry(page.settings, who.role, above);
  if (entry.membership === who.membership) return lower(entry.level, ceiling(who.role));
  return lower(entry.level, levelWithoutEntry(page.settings, who.role, above));
}

/** The level of a role on a page where nothing is set for the member, from the level on the page above it. */
export function levelWithoutEntry(
  { inherit, defaultAccess }: Pick<AccessSettings, 'inherit' | 'defaultAccess'>,
  role: number,
  above: Level,
): Level {
  if (inherit) return above;
  return role === GUEST ? DENIED : (defaultAccess ?? DENIED);
}

/** Whether the level on a page does not depend on the pages above it. */
export function decides(page: Page, who: Principal): boolean {
  return !page.settings.inherit || page.entries[who.memberId]?.membership === who.membership;
}

/** The level of one on a page; 0 when there is no such page. O(depth). */
export function effective(structure: Structure, who: Principal | null, pageId: string): Level {
  let page = structure.page(pageId);
  if (page === undefined || who === null) return DENIED;
  if (who.role === OWNER) return FULL;
  let cap: Level = FULL;
  for (; page !== undefined; page = above(structure, page)) {
    // From full access above, a page gives what it says itself, or the most that it lets through.
    cap = lower(cap, levelUnder(page, who, FULL));
    if (decides(page, who)) return cap;
  }
  return lower(cap, baseLevel(who.role, structure.workspace.defaultAccess));
}

/**
 * Tells the level on one page of whoever is asked about. O(depth + entries above) once, then O(1) for each: up to the
 * first page that does not inherit, the nearest entry of the present membership of each counts, capped by those of
 * earlier ones below it, and there all others are decided.
 */
export function resolverAt(structure: Structure, pageId: string): (who: Principal | null) => Level {
  const own = structure.page(pageId);
  if (own === undefined) return () => DENIED;
  const decidingPages = new Map<string, Page>();
  const caps = new Map<string, Level>();
  let last: Page | undefined = own;
  for (; last !== undefined; last = above(structure, last)) {
    for (const memberId in last.entries) {
      if (decidingPages.has(memberId)) continue;
      const { level, membership } = last.entries[memberId]!;
      if (membership === structure.member(memberId)?.membership) decidingPages.set(memberId, last);
      else caps.set(memberId, lower(level, caps.get(memberId) ?? FULL));
    }
    if (!last.settings.inherit) break;
  }
  const defaultAccess = structure.workspace.defaultAccess;
  return (who) => {
    if (who === null) return DENIED;
    if (who.role === OWNER) return FULL;
    const decidingPage = decidingPages.get(who.memberId) ?? last;
    const base = baseLevel(who.role, defaultAccess);
    const decided = decidingPage === undefined ? base : levelUnder(decidingPage, who, base);
    return lower(decided, caps.get(who.memberId) ?? FULL);
  };
}

/** Tells the level of one on each child of a page (null: at the top). O(depth) once, then O(1) for each. */
export function resolverUnder(structure: Structure, who: Principal, parentId: string | null): (child: Page) => Level {
  const inherited =
    parentId === null ? baseLevel(who.role, structure.workspace.defaultAccess) : effective(structure, who, parentId);
  return (child) => levelUnder(child, who, inherited);
}

function above(structure: Structure, page: Page): Page | undefined {
  return page.parentId === null ? undefined : structure.page(page.parentId);
}

/** Says nothing about anybody: everyone has what they have on the page above. */
export function inheritsFully(page: Page): boolean {
  return page.settings.inherit && !hasEntries(page);
}

/** The level of one on every page of the tree. */
export interface PageLevels {
  readonly order: TreeOrder;
  /** By position in the order. */
  readonly levels: { readonly [position: number]: Level };
}

/** One pass down the tree. O(pages). */
export function* levels(structure: Structure, order: TreeOrder, who: Principal): Stepwise<PageLevels> {
  const { pages, parents } = order;
  const silent = silences.get(order) ?? new Uint8Array(pages.length);
  silences.set(order, silent);
  const found = new Uint16Array(pages.length);
  const base = baseLevel(who.role, structure.workspace.defaultAccess);
  yield* lookAtAll(pages.length, (i) => {
    const page = pages[i]!;
    const parent = parents[i]!;
    const above = parent < 0 ? base : (found[parent] as Level);
    if (silent[i] === 0) silent[i] = inheritsFully(page) ? SILENT : SPEAKS;
    found[i] = silent[i] === SILENT ? above : levelUnder(page, who, above);
  });
  return { order, levels: found as Uint16Array & Record<number, Level> };
}

/** Most pages say nothing about anybody: that is found out once for all members. By position; 0 where it is not known. */
const silences = new WeakMap<TreeOrder, Uint8Array>();
const SILENT = 1;
const SPEAKS = 2;

/** `accepted` when an entry on the page itself counts, `inherited` when the level is taken from elsewhere. */
export type AccessType = 'accepted' | 'inherited';

export function accessType(page: Page, member: Pick<Member, 'id' | 'membership'>): AccessType {
  return countingEntry(page, member) === undefined ? 'inherited' : 'accepted';
}

/** The entry on a page for a member; none where it is of an earlier membership and 400, a cap that lowers nothing. */
export function countingEntry(
  page: Page,
  { id, membership }: Pick<Member, 'id' | 'membership'>,
): PageEntry | undefined {
  const entry = page.entries[id];
  return entry?.level === FULL && entry.membership !== membership ? undefined : entry;
}

export function lower(a: Level, b: Level): Level {
  return a < b ? a : b;
}

/** The page and those above it, nearest first. */
export function* pathUp(structure: Structure, pageId: string | null): IterableIterator<Page> {
  let page = pageId === null ? undefined : structure.page(pageId);
  for (; page !== undefined; page = above(structure, page)) yield page;
}
