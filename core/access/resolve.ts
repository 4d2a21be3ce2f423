import type { Member } from '../model/workspace/member.ts';
import type { PageEntry } from '../model/access/page-entry.ts';
import { hasEntries, type AccessSettings, type Page } from '../model/workspace/page.ts';
import type { Structure } from '../model/workspace/structure.ts';
import { forEachStepwise, type Stepwise } from '../kernel/stepwise.ts';
import type { TreeOrder } from '../tree/order.ts';
import { DENIED, FULL, type Level } from '../model/access/level.ts';
import { baseLevel, highestLevelOf, GUEST, OWNER, ROLES } from '../model/access/role.ts';

/** A member who can have access: active, with a known role, and a user who is not disabled. */
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
 * The level of a principal on a page, given their level on the page above. O(1). All access is computed by this rule:
 * an entry of the present membership replaces the inherited level, an entry of an earlier one caps it.
 */
export function levelUnder(page: Page, who: Principal, above: Level): Level {
  if (who.role === OWNER) return FULL;
  const entry = page.entries[who.memberId];
  if (entry === undefined) return levelWithoutEntry(page.settings, who.role, above);
  if (entry.membership === who.membership) return lower(entry.level, highestLevelOf(who.role));
  return lower(entry.level, levelWithoutEntry(page.settings, who.role, above));
}

/** The level of a role on a page without an entry for the member, given the level on the page above. */
export function levelWithoutEntry(
  { inherit, defaultAccess }: Pick<AccessSettings, 'inherit' | 'defaultAccess'>,
  role: number,
  above: Level,
): Level {
  if (inherit) return above;
  return role === GUEST ? DENIED : (defaultAccess ?? DENIED);
}

/** Whether the level on a page is independent of the pages above it. */
export function decides(page: Page, who: Principal): boolean {
  return !page.settings.inherit || page.entries[who.memberId]?.membership === who.membership;
}

/** The level of a principal on a page; 0 if there is no such page. O(depth). */
export function effective(
  structure: Pick<Structure, 'page' | 'workspace'>,
  who: Principal | null,
  pageId: string,
): Level {
  let page = structure.page(pageId);
  if (page === undefined || who === null) return DENIED;
  if (who.role === OWNER) return FULL;
  let cap: Level = FULL;
  for (; page !== undefined; page = above(structure, page)) {
    // Under full access, the rule yields what the page itself sets, or the cap that it puts on inherited levels.
    cap = lower(cap, levelUnder(page, who, FULL));
    if (decides(page, who)) return cap;
  }
  return lower(cap, baseLevel(who.role, structure.workspace.defaultAccess));
}

/** The level of a principal on one page; 0 for null. */
export type LevelOf = (who: Principal | null) => Level;

/**
 * A function from a principal to their level on one page. O(depth + entries above) to make, then O(1) per call. It
 * collects, up to the first page that does not inherit, the nearest entry of each member's present membership, and the
 * caps that entries of earlier memberships put on it. That first page decides for all other members.
 */
export function* resolverAt(structure: Structure, pageId: string): Stepwise<LevelOf> {
  const own = structure.page(pageId);
  if (own === undefined) return () => DENIED;
  const decidingPages = new Map<string, Page>();
  const caps = new Map<string, Level>();
  let last: Page | undefined = own;
  for (; last !== undefined; last = above(structure, last)) {
    const page: Page = last;
    const memberIds = Object.keys(page.entries);
    yield* forEachStepwise(memberIds.length, (n) => {
      const memberId = memberIds[n]!;
      if (decidingPages.has(memberId)) return;
      const { level, membership } = page.entries[memberId]!;
      if (membership === structure.member(memberId)?.membership) decidingPages.set(memberId, page);
      else caps.set(memberId, lower(level, caps.get(memberId) ?? FULL));
    });
    if (!page.settings.inherit) break;
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

/**
 * A function from a child of a page (null: from a top page) to the level of a principal on it. O(depth) to make, then
 * O(1) per call.
 */
export function resolverUnder(structure: Structure, who: Principal, parentId: string | null): (child: Page) => Level {
  const inherited =
    parentId === null ? baseLevel(who.role, structure.workspace.defaultAccess) : effective(structure, who, parentId);
  return (child) => levelUnder(child, who, inherited);
}

function above(structure: Pick<Structure, 'page'>, page: Page): Page | undefined {
  return page.parentId === null ? undefined : structure.page(page.parentId);
}

/** Whether a page sets no access at all: everybody has their level of the page above. */
export function inheritsFully(page: Page): boolean {
  return page.settings.inherit && !hasEntries(page);
}

/** The level of a principal on every page of the tree. */
export interface PageLevels {
  readonly order: TreeOrder;
  /** By position in the order. */
  readonly levels: { readonly [position: number]: Level };
}

/** One pass down the tree. O(pages). */
export function* levels(structure: Structure, order: TreeOrder, who: Principal): Stepwise<PageLevels> {
  const { pages, parents } = order;
  const kinds = inheritanceKinds.get(order) ?? new Uint8Array(pages.length);
  inheritanceKinds.set(order, kinds);
  const found = new Uint16Array(pages.length);
  const base = baseLevel(who.role, structure.workspace.defaultAccess);
  yield* forEachStepwise(pages.length, (i) => {
    const page = pages[i]!;
    const parent = parents[i]!;
    const above = parent < 0 ? base : (found[parent] as Level);
    if (kinds[i] === 0) kinds[i] = inheritsFully(page) ? INHERITS : SETS_ACCESS;
    found[i] = kinds[i] === INHERITS ? above : levelUnder(page, who, above);
  });
  return { order, levels: found as Uint16Array & Record<number, Level> };
}

/**
 * Which pages set access at all, by position in the order; 0 where not computed yet. It is the same for all members,
 * and most pages set none.
 */
const inheritanceKinds = new WeakMap<TreeOrder, Uint8Array>();
const INHERITS = 1;
const SETS_ACCESS = 2;

/** `accepted`: an entry on the page itself applies; `inherited`: the level comes from a page above or the workspace. */
export type AccessType = 'accepted' | 'inherited';

export function accessType(page: Page, member: Pick<Member, 'id' | 'membership'>): AccessType {
  return countingEntry(page, member) === undefined ? 'inherited' : 'accepted';
}

/**
 * The entry on a page that applies to a member. One of an earlier membership with level 400 does not: as a cap it
 * lowers nothing.
 */
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
