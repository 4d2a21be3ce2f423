import type { Viewer } from '../../access/viewer.ts';
import { boardView } from '../../board/view.ts';
import { cachedVisibleCounts } from '../../board/visible-counts.ts';
import { checklistItemView } from '../../checklist/view.ts';
import { withContents } from '../../task/contents.ts';
import { commentView } from '../../comment/view.ts';
import { found } from '../../kernel/errors.ts';
import { seenTaskSlices } from '../../task/stored-tasks.ts';
import { memberViews, membersSeen } from '../../member/members.ts';
import type { Member } from '../../model/workspace/member.ts';
import { pageViews, type PageView } from '../../page/view.ts';
import type { ReadTransaction } from '../../ports/store.ts';
import { scopeOf } from '../../task/list/scope.ts';
import { taskSummaries } from '../../task/view.ts';
import { linkViewsOf } from '../../link/view.ts';
import { workspaceView } from '../../workspace/workspaces.ts';
import type { SnapshotRecord } from './item.ts';

/** A record, and the pages that decide who sees it with all that it names; none for the workspace and its members. */
export interface GovernedRecord {
  readonly item: SnapshotRecord;
  readonly pageIds: readonly string[];
}

/** Records that are read at once. */
const CHUNK = 100;

/**
 * Everything that the viewer sees, in the order of a snapshot. In memory: the views of pages and members, and a chunk.
 * These are read before the first record is given: a store that has to load the structure as a whole begins its work
 * anew.
 */
export async function recordsSeen(tx: ReadTransaction, viewer: Viewer): Promise<AsyncIterable<GovernedRecord>> {
  const pages = await pageViews(viewer);
  return records(tx, viewer, pages, await membersSeen(viewer));
}

async function* records(
  tx: ReadTransaction,
  viewer: Viewer,
  pages: readonly PageView[],
  members: readonly Member[],
): AsyncIterableIterator<GovernedRecord> {
  const { workspace } = viewer.structure;
  yield { item: { kind: 'workspace', record: workspaceView(workspace, viewer.member) }, pageIds: [] };
  for (const record of await memberViews(tx, members, viewer.yielder)) {
    yield { item: { kind: 'member', record }, pageIds: [] };
  }
  for (const record of pages) yield { item: { kind: 'page', record }, pageIds: [record.id] };
  for (const { id, type } of pages) {
    if (type !== 'board') continue;
    const board = found(await tx.boards.get(workspace.id, id));
    const record = boardView(board, await cachedVisibleCounts(tx, viewer, id));
    yield { item: { kind: 'board', record }, pageIds: [id] };
  }
  yield* tasksSeen(tx, viewer);
}

async function* tasksSeen(tx: ReadTransaction, viewer: Viewer): AsyncIterableIterator<GovernedRecord> {
  const { structure } = viewer;
  const query = { workspaceId: structure.workspace.id, scope: await scopeOf(viewer), filters: [] };
  for await (const tasks of seenTaskSlices(tx, query, CHUNK)) {
    const summaries = await taskSummaries(tx, viewer, tasks);
    const links = await linkViewsOf(tx, viewer, tasks);
    let i = 0;
    for await (const { task, items, comments } of withContents(tx, tasks)) {
      const own = structure.page(task.id) === undefined ? [] : [task.id];
      // A task that is seen without its board does not name it.
      const pageIds = task.boardId === null ? own : [...own, task.boardId];
      const checklist = items.map((item) => checklistItemView(structure, item));
      yield { item: { kind: 'task', record: { ...summaries[i]!, links: links[i]!, checklist } }, pageIds };
      i += 1;
      for await (const comment of comments) yield { item: { kind: 'comment', record: commentView(comment) }, pageIds };
    }
  }
}
