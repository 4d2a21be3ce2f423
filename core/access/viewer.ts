import { identify, type Identified } from './identify.ts';
import type { Context } from '../ports/context.ts';
import { forbidden, found, notFound } from '../kernel/errors.ts';
import type { Member } from '../model/member.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Structure } from '../model/structure.ts';
import type { Task } from '../model/task.ts';
import type { User } from '../model/user.ts';
import { DENIED, LEVEL_NAMES, VIEW, type Level } from '../model/level.ts';
import { effective, levels, principalOf, type PageLevels, type Principal } from './resolve.ts';
import { ROLE_NAMES, type Role } from '../model/role.ts';

/** A caller inside a workspace: who they are there, and what they may see. */
export interface Viewer {
  readonly user: User;
  readonly member: Member;
  readonly principal: Principal;
  readonly structure: Structure;
}

/** @throws `not-found` unless the caller is an active member of the workspace */
export async function viewerOf(tx: ReadTransaction, context: Context, workspaceId: string): Promise<Viewer> {
  const [who, structure] = await Promise.all([identify(tx, context), tx.structures.get(workspaceId)]);
  const viewer = viewerIn(structure, who);
  context.effects?.active.add(viewer.member.id);
  return viewer;
}

export function viewerIn(structure: Structure | null, who: Identified): Viewer {
  const user = found(who.user);
  const entered = found(structure);
  const member = found(entered.memberOfUser(user.id));
  return { user, member, principal: found(principalOf(member, user)), structure: entered };
}

/** The same viewer after a change of pages. */
export function viewerAfter(viewer: Viewer, structure: Structure): Viewer {
  return { ...viewer, structure };
}

export function levelOn(viewer: Viewer, pageId: string): Level {
  return effective(viewer.structure, viewer.principal, pageId);
}

/** What members have on every page, by structure: it belongs to one revision and never changes. */
const known = new WeakMap<Structure, Map<string, PageLevels>>();
const MEMBERS_KNOWN = 256;

/** The viewer's level on every page. O(pages) the first time for a revision and a member, then O(1). */
export function levelsOnAllPages({ structure, principal }: Viewer): PageLevels {
  const ofMembers = known.get(structure) ?? new Map<string, PageLevels>();
  known.set(structure, ofMembers);
  const before = ofMembers.get(principal.memberId);
  if (before !== undefined) return before;
  if (ofMembers.size >= MEMBERS_KNOWN) ofMembers.clear();
  const all = levels(structure, principal);
  ofMembers.set(principal.memberId, all);
  return all;
}

export function sees(viewer: Viewer, pageId: string): boolean {
  return levelOn(viewer, pageId) >= VIEW;
}

/** Whether there is a board of this id that the viewer may see. */
export function seesBoard(viewer: Viewer, id: string): boolean {
  return viewer.structure.page(id)?.type === 'board' && sees(viewer, id);
}

/** The page that decides access to a task: its own if it has one, else its board's. */
export function governingPageId(structure: Structure, task: Pick<Task, 'id' | 'boardId'>): string | null {
  // A page is gone before the content it showed is purged: such content is out of reach.
  if (structure.page(task.boardId) === undefined) return null;
  if (structure.page(task.id) !== undefined) return task.id;
  return structure.isRemovedTask(task.id) ? null : task.boardId;
}

export function levelOnTask(viewer: Viewer, task: Pick<Task, 'id' | 'boardId'>): Level {
  const pageId = governingPageId(viewer.structure, task);
  return pageId === null ? DENIED : levelOn(viewer, pageId);
}

/** @throws `not-found` at 0, `forbidden` below what is needed */
export function requireLevel(has: Level, needs: Level): void {
  if (has === DENIED) throw notFound();
  if (has < needs) {
    throw forbidden(`This needs level ${needs} (${LEVEL_NAMES[needs]}); you have ${has} (${LEVEL_NAMES[has]}).`);
  }
}

/** @throws `forbidden` below the role */
export function requireRole(viewer: Viewer, role: Role): void {
  if (viewer.member.role < role)
    throw forbidden(`This needs the role ${ROLE_NAMES[role]} in the workspace, or a higher one.`);
}
