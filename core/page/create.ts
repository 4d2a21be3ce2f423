import type { WorkspaceAddress } from '../model/address.ts';
import { DENIED, EDIT, FULL } from '../model/access/level.ts';
import { pageEntry, type PageEntries } from '../model/access/page-entry.ts';
import { OWNER } from '../model/access/role.ts';
import { viewerOf, governingPageId, levelOn, levelOnTask, viewerAfter, type Viewer } from '../access/viewer.ts';
import { newBoard } from '../model/content/board.ts';
import type { Context } from '../ports/context.ts';
import { conflict, forbidden, invalid, unusable } from '../kernel/errors.ts';
import { created, timestamp } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';
import { insertTask } from '../task/insert.ts';
import { renameTask } from '../task/rename.ts';
import { withNamedRecords } from '../write/idempotency/visible-answer.ts';
import { write } from '../write/transaction.ts';
import { pathUp } from '../access/resolve.ts';
import { type MetadataChanges, newMetadata, type WritesMetadata } from '../model/metadata.ts';
import type { Page, PageType } from '../model/workspace/page.ts';
import type { StructureChange } from '../model/workspace/structure.ts';
import { placeLast, requireParent } from './place.ts';
import { pageView, type PageView } from './view.ts';

/** What `pages.create` takes: a new page. */
export interface CreatePage extends WorkspaceAddress, WritesMetadata {
  /** 1-500 characters, trimmed. */
  readonly name: string;
  /** `folder`, `board` or `task`. */
  readonly type: PageType;
  /** Null or absent: at the top. */
  readonly parentId?: string | null;
  /** With type `task`: an existing task to create the page for. The task takes the name of the page. */
  readonly taskId?: string;
}

/**
 * A board page is created with its board. A task page is created with a task on the nearest board above; if there is
 * none, or the caller may not edit it, without content.
 *
 * @throws `board-without-status` if that board has no status for the task
 * @throws `task-has-page` if `taskId` has a page already
 */
export function createPage(context: Context, input: CreatePage): Promise<PageView> {
  const answer = withNamedRecords(context, ({ workspaceId, id, parentId }: PageView) => ({
    workspaceId,
    records: [id, parentId],
  }));
  return write(answer, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const parentId = input.parentId ?? null;
    const at = timestamp(context);
    requireParent(viewer, parentId);
    if (input.taskId !== undefined) return createTaskPage(tx, context, viewer, input, at);
    const { type, metadata } = input;
    const page = newPage(context, viewer, { name: input.name.trim(), type, parentId, at, metadata });
    if (page.type === 'folder') return insertPage(tx, viewer, page);
    if (page.type === 'board') {
      await tx.boards.insert(newBoard(page, at));
      return insertPage(tx, viewer, { ...page, contentId: page.id });
    }
    const boardId = boardAbove(viewer, parentId);
    if (boardId === null) return insertPage(tx, viewer, page);
    await insertTask(tx, context, viewer, { id: page.id, title: page.name, boardId });
    return insertPage(tx, viewer, { ...page, contentId: page.id, boardId });
  });
}

async function createTaskPage(
  tx: Transaction,
  context: Context,
  viewer: Viewer,
  input: CreatePage,
  at: string,
): Promise<PageView> {
  if (input.type !== 'task') throw invalid('/taskId', 'is allowed only with type task');
  const task = await tx.tasks.get(input.workspaceId, input.taskId!);
  const level = task === null ? DENIED : levelOnTask(viewer, task);
  if (task === null || level === DENIED) throw unusable('taskId');
  const hasPage = governingPageId(viewer.structure, task) === task.id;
  // Once it has a page, that governs the task: a repeated call may find less access than the first one needed.
  if (level < (hasPage ? EDIT : FULL)) throw forbidden('Creating a page for a task needs Full Access on the task.');
  if (hasPage) throw conflict('task-has-page', 'The task already has a page.');
  const name = input.name.trim();
  const { parentId = null, metadata } = input;
  const page = newPage(context, viewer, { id: task.id, name, type: 'task', parentId, at, metadata });
  await renameTask(tx, input.workspaceId, task.id, name, at);
  return insertPage(tx, viewer, { ...page, contentId: task.id, boardId: task.boardId });
}

/**
 * The creator of a page at the top gets an entry with full access, so that a later change of the workspace's default
 * does not lock them out.
 */
export function newPage(
  context: Pick<Context, 'ids'>,
  viewer: Viewer,
  given: Pick<Page, 'name' | 'type' | 'parentId'> & {
    readonly id?: string;
    readonly at: string;
    readonly metadata?: MetadataChanges | null | undefined;
  },
): Page {
  const { id, role, membership } = viewer.member;
  const own: PageEntries = given.parentId === null && role !== OWNER ? { [id]: pageEntry(FULL, membership) } : {};
  return {
    id: given.id ?? context.ids.next(),
    workspaceId: viewer.structure.workspace.id,
    name: given.name,
    type: given.type,
    parentId: given.parentId,
    orderKey: 0,
    contentId: null,
    boardId: null,
    createdById: viewer.member.id,
    settings: { inherit: true, defaultAccess: null, ...created(given.at) },
    entries: own,
    ...newMetadata(given.metadata),
    ...created(given.at),
  };
}

/**
 * Inserts a new page after its siblings.
 *
 * @param more whether readers of changes are shown it, with content made before
 */
export async function insertPage(
  tx: Transaction,
  viewer: Viewer,
  page: Page,
  more: Pick<StructureChange, 'shows'> = {},
): Promise<PageView> {
  const { orderKey, moved } = placeLast(viewer, page.parentId);
  const placed = { ...page, orderKey };
  const structure = await tx.structures.change(viewer.structure, {
    pages: [...moved, placed],
    ...more,
  });
  return pageView(viewerAfter(viewer, structure), placed);
}

function boardAbove(viewer: Viewer, parentId: string | null): string | null {
  for (const page of pathUp(viewer.structure, parentId)) {
    if (page.type === 'board') return levelOn(viewer, page.id) >= EDIT ? page.id : null;
  }
  return null;
}
