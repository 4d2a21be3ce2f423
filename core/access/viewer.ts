import { identify, type IdentifiedCaller } from './identify.ts';
import type { Context } from '../ports/context.ts';
import { forbidden, found, notFound } from '../kernel/errors.ts';
import { cursorText } from '../changes/cursor.ts';
import type { Member } from '../model/workspace/member.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Task } from '../model/content/task.ts';
import { NEVER_YIELD, type Yielder } from '../ports/yielder.ts';
import { NamedStepwiseCache } from '../kernel/named-stepwise-cache.ts';
import { mapNowOrLater, StepwiseCache } from '../kernel/stepwise.ts';
import type { User } from '../model/user/user.ts';
import { DENIED, LEVEL_NAMES, VIEW, type Level } from '../model/access/level.ts';
import { effective, levels, principalOf, type PageLevels, type Principal } from './resolve.ts';
import { treeOrder, type TreeOrder } from '../tree/order.ts';
import { ROLE_NAMES, type Role } from '../model/access/role.ts';

/** The caller as a member of a workspace, with the structure that decides what they may see. */
export interface Viewer {
  readonly user: User;
  readonly member: Member;
  readonly principal: Principal;
  readonly structure: Structure;
  /** For computations over all pages. */
  readonly yielder: Yielder;
  /** Levels computed so far, by page: a batch or a list asks for the same ones again and again. */
  readonly levels: Map<string, Level>;
  /**
   * Levels of other members, by member and page: many tasks on one board need the same ones. Null: none computed yet.
   */
  levelsOfOthers: Map<string, Level> | null;
}

/** @throws `not-found` unless the caller is an active member of the workspace */
export async function viewerOf(tx: ReadTransaction, context: Context, workspaceId: string): Promise<Viewer> {
  const { onCursor, recentStructures, precomputed, effects } = context;
  // Without `onCursor` the offset is not read: that would cost a promise on every call.
  const heads = onCursor === undefined ? [] : [tx.changeLog.head(workspaceId)];
  const [who, structure, head] = await Promise.all([
    identify(tx, context),
    tx.structures.get(workspaceId, precomputed?.structure),
    ...heads,
  ]);
  const viewer = viewerIn(structure, who, context.yielder?.());
  effects?.active.add(viewer.member.id);
  if (head !== undefined) {
    const { revision } = viewer.structure;
    // In a write, the structure may come from an earlier write that is not committed yet, and may never be.
    if (effects?.writes !== true) recentStructures?.add(viewer.structure);
    onCursor?.(cursorText(head, { offset: head.last, revision }));
  }
  return viewer;
}

export function viewerIn(structure: Structure | null, who: IdentifiedCaller, yielder: Yielder = NEVER_YIELD): Viewer {
  const user = found(who.user);
  const present = found(structure);
  const member = found(present.memberOfUser(user.id));
  const principal = found(principalOf(member, user));
  return { user, member, principal, structure: present, yielder, levels: new Map(), levelsOfOthers: null };
}

/** The same viewer after a change of pages. */
export function viewerAfter(viewer: Viewer, structure: Structure): Viewer {
  return { ...viewer, structure, levels: new Map(), levelsOfOthers: null };
}

/** O(depth) once per page and viewer. */
export function levelOn({ structure, principal, levels: cached }: Viewer, pageId: string): Level {
  const before = cached.get(pageId);
  if (before !== undefined) return before;
  const level = effective(structure, principal, pageId);
  cached.set(pageId, level);
  return level;
}

const orderCache = new StepwiseCache<Structure, TreeOrder>();

const BYTES_PER_PAGE = 8;
const BYTES_PER_MEMBER = 2_000;
/**
 * By the order of a structure and the id of a member. Its size is about the bytes that are cached for members over all
 * structures: their levels, and what lists derive from these.
 */
const levelCache = new NamedStepwiseCache<TreeOrder, PageLevels>(128 * 1024 ** 2);

/** The viewer's level on every page. O(pages), in steps, once per revision and member; then O(1). */
export function levelsOnAllPages({ structure, principal, yielder }: Viewer): PageLevels | Promise<PageLevels> {
  const order = orderCache.of(structure, () => treeOrder(structure), yielder);
  return mapNowOrLater(order, (known) => levelsInOrder(structure, known, principal, yielder));
}

function levelsInOrder(structure: Structure, order: TreeOrder, principal: Principal, yielder: Yielder) {
  const size = BYTES_PER_MEMBER + BYTES_PER_PAGE * order.pages.length;
  return levelCache.of(order, principal.memberId, size, () => levels(structure, order, principal), yielder);
}

export function sees(viewer: Viewer, pageId: string): boolean {
  return levelOn(viewer, pageId) >= VIEW;
}

/** Whether a board of this id exists that the viewer may see. */
export function seesBoard(viewer: Viewer, id: string): boolean {
  return viewer.structure.page(id)?.type === 'board' && sees(viewer, id);
}

/** The page that decides access to a task: its own if it has one, else its board's. */
export function governingPageId(structure: Structure, task: Pick<Task, 'id' | 'boardId'>): string | null {
  // A deleted page is removed before its content is purged: that content is unreachable.
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
