import { identify, type Identified } from '../user/identify.ts';
import type { Context } from '../context.ts';
import { forbidden, found, notFound } from '../errors.ts';
import type { Member } from '../member/member.ts';
import type { ReadTransaction } from '../store.ts';
import type { Structure } from '../structure/structure.ts';
import type { Task } from '../task/task.ts';
import type { User } from '../user/user.ts';
import { DENIED, LEVEL_NAMES, VIEW, type Level } from './level.ts';
import { effective, levels, standingOf, type PageLevels, type Standing } from './resolve.ts';
import { ROLE_NAMES, type Role } from './role.ts';

/** A caller inside a workspace: who they are there, and what they may see. */
export interface Viewer {
  readonly user: User;
  readonly member: Member;
  readonly standing: Standing;
  readonly structure: Structure;
}

/** @throws `not-found` unless the caller is an active member of the workspace */
export async function enter(tx: ReadTransaction, context: Context, workspaceId: string): Promise<Viewer> {
  const [who, structure] = await Promise.all([identify(tx, context), tx.structures.get(workspaceId)]);
  const viewer = viewerIn(structure, who);
  context.after?.active.add(viewer.member.id);
  return viewer;
}

export function viewerIn(structure: Structure | null, who: Identified): Viewer {
  const user = found(who.user);
  const entered = found(structure);
  const member = found(entered.memberOfUser(user.id));
  return { user, member, standing: found(standingOf(member, user)), structure: entered };
}

/** The same viewer after a change of pages. */
export function viewerAfter(viewer: Viewer, structure: Structure): Viewer {
  return { ...viewer, structure };
}

export function levelOn(viewer: Viewer, pageId: string): Level {
  return effective(viewer.structure, viewer.standing, pageId);
}

/** What members have on every page, by structure: it belongs to one revision and never changes. */
const known = new WeakMap<Structure, Map<string, PageLevels>>();
const MEMBERS_KNOWN = 256;

/** The viewer's level on every page. O(pages) the first time for a revision and a member, then O(1). */
export function allLevels({ structure, standing }: Viewer): PageLevels {
  const ofMembers = known.get(structure) ?? new Map<string, PageLevels>();
  known.set(structure, ofMembers);
  const before = ofMembers.get(standing.memberId);
  if (before !== undefined) return before;
  if (ofMembers.size >= MEMBERS_KNOWN) ofMembers.clear();
  const all = levels(structure, standing);
  ofMembers.set(standing.memberId, all);
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
export function governing(structure: Structure, task: Pick<Task, 'id' | 'boardId'>): string | null {
  // A page is gone before the content it showed is purged: such content is out of reach.
  if (structure.page(task.boardId) === undefined) return null;
  return structure.page(task.id) === undefined ? task.boardId : task.id;
}

export function levelOnTask(viewer: Viewer, task: Pick<Task, 'id' | 'boardId'>): Level {
  const pageId = governing(viewer.structure, task);
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
