import type { Member } from '../member/member.ts';
import type { Page } from '../page/page.ts';
import type { Structure } from '../structure/structure.ts';
import { DENIED, FULL, type Level } from './level.ts';
import { baseLevel, ceiling, GUEST, OWNER, ROLES } from './role.ts';

/** Whoever may have access: an active member whose user is not disabled, with a known role. */
export interface Standing {
  readonly memberId: string;
  readonly role: number;
}

/** Null: no access to anything. */
export function standingOf(
  member: Member | undefined,
  user: { readonly disabled: boolean } | undefined,
): Standing | null {
  if (member === undefined || !member.active || user === undefined || user.disabled) return null;
  if (!(ROLES as readonly number[]).includes(member.role)) return null;
  return { memberId: member.id, role: member.role };
}

/**
 * What a page itself says about someone: their entry, else where it stops inheriting. Undefined when it
 * is silent and the page above decides. This is the one rule that every view of access is made of.
 */
export function statement(page: Page, who: Standing): Level | undefined {
  const entry = page.entries[who.memberId];
  if (entry !== undefined) {
    const most = ceiling(who.role);
    return entry < most ? entry : most;
  }
  if (page.settings.inherit) return undefined;
  return who.role === GUEST ? DENIED : (page.settings.defaultAccess ?? DENIED);
}

/** The level of one on a page; 0 when there is no such page. O(depth). */
export function effective(structure: Structure, who: Standing | null, pageId: string): Level {
  let page = structure.page(pageId);
  if (page === undefined || who === null) return DENIED;
  if (who.role === OWNER) return FULL;
  for (;;) {
    const said = statement(page, who);
    if (said !== undefined) return said;
    const above: Page | undefined = page.parentId === null ? undefined : structure.page(page.parentId);
    if (above === undefined) return baseLevel(who.role, structure.workspace.defaultAccess);
    page = above;
  }
}

/** The level on every page, in tree order: parents before children, siblings in order. O(pages). */
export function levels(structure: Structure, who: Standing | null): ReadonlyMap<string, Level> {
  const found = new Map<string, Level>();
  const base = who === null ? DENIED : baseLevel(who.role, structure.workspace.defaultAccess);
  const fixed = who === null || who.role === OWNER;
  const stack: [Page, Level][] = [];
  const push = (parentId: string | null, inherited: Level) => {
    const children = structure.children(parentId);
    for (let i = children.length - 1; i >= 0; i--) stack.push([children[i]!, inherited]);
  };
  push(null, base);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [page, inherited] = next;
    const level = fixed ? inherited : (statement(page, who) ?? inherited);
    found.set(page.id, level);
    push(page.id, level);
  }
  return found;
}

/** `accepted` when it is set on the page itself, `inherited` when it is taken from elsewhere. */
export type AccessType = 'accepted' | 'inherited';

export function accessType(page: Page, memberId: string): AccessType {
  return page.entries[memberId] === undefined ? 'inherited' : 'accepted';
}

/** The page and those above it, nearest first. */
export function* pathUp(structure: Structure, pageId: string | null): IterableIterator<Page> {
  for (let id = pageId; id !== null;) {
    const page = structure.page(id);
    if (page === undefined) return;
    yield page;
    id = page.parentId;
  }
}
