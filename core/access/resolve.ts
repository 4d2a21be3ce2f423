import type { Member } from '../model/member.ts';
import type { Page } from '../model/page.ts';
import type { Structure } from '../model/structure.ts';
import { positionIn, treeOrder, type TreeOrder } from '../tree/order.ts';
import { DENIED, FULL, type Level } from '../model/level.ts';
import { baseLevel, ceiling, GUEST, OWNER, ROLES } from '../model/role.ts';

/** Whoever may have access: an active member whose user is not disabled, with a known role. */
export interface Principal {
  readonly memberId: string;
  readonly role: number;
}

/** Null: no access to anything. */
export function principalOf(
  member: Member | undefined,
  user: { readonly disabled: boolean } | undefined,
): Principal | null {
  if (member?.active !== true || user?.disabled !== false) return null;
  if (!(ROLES as readonly number[]).includes(member.role)) return null;
  return { memberId: member.id, role: member.role };
}

/**
 * What a page itself says about someone: their entry, else where it stops inheriting. Undefined when it
 * is silent and the page above decides. This is the one rule that every view of access is made of.
 */
export function levelSetOn(page: Page, who: Principal): Level | undefined {
  const entry = page.entries[who.memberId];
  if (entry !== undefined) {
    const most = ceiling(who.role);
    return entry < most ? entry : most;
  }
  if (page.settings.inherit) return undefined;
  return who.role === GUEST ? DENIED : (page.settings.defaultAccess ?? DENIED);
}

/** The level of one on a page; 0 when there is no such page. O(depth). */
export function effective(structure: Structure, who: Principal | null, pageId: string): Level {
  let page = structure.page(pageId);
  if (page === undefined || who === null) return DENIED;
  if (who.role === OWNER) return FULL;
  for (; page !== undefined; page = above(structure, page)) {
    const said = levelSetOn(page, who);
    if (said !== undefined) return said;
  }
  return baseLevel(who.role, structure.workspace.defaultAccess);
}

/**
 * Tells the level on one page of whoever is asked about. O(depth + entries above) once, then O(1) for each: up to
 * the first page that does not inherit, the nearest entry of each counts, and there all others are decided.
 */
export function resolverAt(structure: Structure, pageId: string): (who: Principal | null) => Level {
  const own = structure.page(pageId);
  if (own === undefined) return () => DENIED;
  const decidingPages = new Map<string, Page>();
  let last: Page | undefined = own;
  for (; last !== undefined; last = above(structure, last)) {
    for (const memberId in last.entries) if (!decidingPages.has(memberId)) decidingPages.set(memberId, last);
    if (!last.settings.inherit) break;
  }
  return (who) => {
    if (who === null) return DENIED;
    if (who.role === OWNER) return FULL;
    const decidingPage = decidingPages.get(who.memberId) ?? last;
    return (decidingPage && levelSetOn(decidingPage, who)) ?? baseLevel(who.role, structure.workspace.defaultAccess);
  };
}

/** Tells the level of one on each child of a page (null: at the top). O(depth) once, then O(1) for each. */
export function resolverUnder(structure: Structure, who: Principal, parentId: string | null): (child: Page) => Level {
  const inherited =
    parentId === null ? baseLevel(who.role, structure.workspace.defaultAccess) : effective(structure, who, parentId);
  return (child) => levelUnder(child, who, inherited);
}

/** The level of one on a page, from the level on the one above it. O(1). */
export function levelUnder(page: Page, who: Principal, above: Level): Level {
  return who.role === OWNER ? FULL : (levelSetOn(page, who) ?? above);
}

function above(structure: Structure, page: Page): Page | undefined {
  return page.parentId === null ? undefined : structure.page(page.parentId);
}

/** Says nothing about anybody: everyone has what they have on the page above. */
export function inheritsFully(page: Page): boolean {
  if (!page.settings.inherit) return false;
  for (const _ in page.entries) return false;
  return true;
}

/** The level of one on every page of the tree. */
export interface PageLevels {
  readonly order: TreeOrder;
  /** By position in the order. */
  readonly levels: readonly Level[];
}

/** One pass down the tree. O(pages). */
export function levels(structure: Structure, who: Principal): PageLevels {
  const order = treeOrder(structure);
  const { pages, parents } = order;
  const silent = silentIn(order);
  const found: Level[] = [];
  const base = baseLevel(who.role, structure.workspace.defaultAccess);
  for (let i = 0; i < pages.length; i++) {
    const said = who.role === OWNER ? FULL : silent[i] === 1 ? undefined : levelSetOn(pages[i]!, who);
    const parent = parents[i]!;
    found.push(said ?? (parent < 0 ? base : found[parent]!));
  }
  return { order, levels: found };
}

/** Most pages say nothing about anybody: that is found out once for all members. */
const silences = new WeakMap<TreeOrder, Uint8Array>();

/** By position, 1 where a page is silent. */
function silentIn(order: TreeOrder): Uint8Array {
  const known = silences.get(order) ?? Uint8Array.from(order.pages, (page) => (inheritsFully(page) ? 1 : 0));
  silences.set(order, known);
  return known;
}

export function levelIn({ order, levels }: PageLevels, pageId: string): Level {
  const position = positionIn(order, pageId);
  return position === undefined ? DENIED : levels[position]!;
}

/** `accepted` when it is set on the page itself, `inherited` when it is taken from elsewhere. */
export type AccessType = 'accepted' | 'inherited';

export function accessType(page: Page, memberId: string): AccessType {
  return page.entries[memberId] === undefined ? 'inherited' : 'accepted';
}

/** The page and those above it, nearest first. */
export function* pathUp(structure: Structure, pageId: string | null): IterableIterator<Page> {
  let page = pageId === null ? undefined : structure.page(pageId);
  for (; page !== undefined; page = above(structure, page)) yield page;
}
