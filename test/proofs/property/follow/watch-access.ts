import { assert } from 'chai';
import type { Store, ReadTransaction } from '../../../../core/ports/store.ts';
import type { Structure } from '../../../../core/model/workspace/structure.ts';
import { governingPageId } from '../../../../core/access/viewer.ts';
import { effective, principalOf, type Principal } from '../../../../core/access/resolve.ts';
import { levelInTrash, trashedPaths } from '../../../../core/trash/paths.ts';
import type { Task } from '../../../../core/model/content/task.ts';
import type { Watch } from '../sequence/sequences.ts';

/** What one user may see at one time: level by page and task, and every word that names something. */
interface Sight {
  readonly levels: ReadonlyMap<string, number>;
  /** The board of each task that has no page of its own. */
  readonly boards: ReadonlyMap<string, string>;
  /** Ids and names of what is at 0. */
  readonly hidden: ReadonlySet<string>;
  readonly seen: ReadonlySet<string>;
}

/** Every word that a page or task has had, by what it is and its id: its history tells the earlier ones too. */
type Words = Map<string, Set<string>>;

/**
 * After every step: the answer holds no id or name of anything that its caller could not see, before or
 * after, and no access of the caller's below 400 has risen through what they did.
 */
export function watchAccess(store: Store): Watch {
  const words: Words = new Map();
  return async (step, run) => {
    const { userId } = step;
    if (userId === null) return run();
    const before = await sightOf(store, userId, words);
    const answer = await run();
    const after = await sightOf(store, userId, words);
    const text = JSON.stringify(answer);
    for (const word of wordsOf(text)) {
      assert(!after.hidden.has(word) || before.seen.has(word), `${step.noun}.${step.verb} tells of ${word}: ${text}`);
    }
    if (step.verb === 'join') return answer;
    for (const [id, level] of before.levels) {
      const now = after.levels.get(id) ?? 0;
      const board = before.boards.get(id);
      const changedBoard = board !== undefined && after.boards.get(id) !== board;
      if (level >= 400 || changedBoard) continue;
      assert(now <= level, `${step.noun}.${step.verb} raised ${id} from ${level} to ${now}`);
    }
    return answer;
  };
}

function wordsOf(text: string): Iterable<string> {
  return new Set(text.match(/[0-9a-f]{8}-[0-9a-f-]{27}|Name\d{5}x/g));
}

function sightOf(store: Store, userId: string, words: Words): Promise<Sight> {
  return store.read(async (tx) => {
    const sight = {
      levels: new Map<string, number>(),
      boards: new Map<string, string>(),
      hidden: new Set<string>(),
      seen: new Set<string>(),
    };
    for (const workspace of await tx.workspaces.list('all', {}, { limit: 100 })) {
      const structure = (await tx.structures.get(workspace.id))!;
      await lookAt(tx, structure, userId, sight, words);
    }
    for (const word of sight.seen) sight.hidden.delete(word);
    return sight;
  });
}

type Look = { readonly [K in keyof Sight]: Sight[K] extends ReadonlyMap<infer A, infer B> ? Map<A, B> : Set<string> };

async function lookAt(
  tx: ReadTransaction,
  structure: Structure,
  userId: string,
  sight: Look,
  words: Words,
): Promise<void> {
  const workspaceId = structure.workspace.id;
  const user = (await tx.users.get(userId))!;
  const who = principalOf(structure.memberOfUser(userId), user);
  const pages = new Map(Array.from(structure.pages(), ({ id }) => [id, effective(structure, who, id)]));
  const note = (level: number, what: string, present: readonly (string | null)[]) => {
    const known = words.get(what) ?? new Set();
    words.set(what, known);
    for (const word of present) if (word !== null) known.add(word);
    for (const word of known) (level > 0 ? sight.seen : sight.hidden).add(word);
  };
  for (const [id, level] of pages) {
    const page = structure.page(id)!;
    sight.levels.set(id, level);
    note(level, `page ${id}`, [id, page.name]);
    if (page.type !== 'board') continue;
    const board = (await tx.boards.get(workspaceId, id))!;
    note(
      level,
      `page ${id}`,
      [...board.statuses, ...board.tags].flatMap((part) => [part.id, part.name]),
    );
  }
  const sort = [{ field: 'id', descending: false }] as const;
  const query = { workspaceId, scope: null, filters: [], sort, after: null, limit: 10_000 };
  for (const task of (await tx.tasks.find(query)) as readonly Task[]) {
    const pageId = governingPageId(structure, task);
    const level = pageId === null ? 0 : (pages.get(pageId) ?? 0);
    // What is in the trash has the level that it would come back with.
    sight.levels.set(task.id, pageId === null ? await levelOfUnreachable(tx, structure, who, task) : level);
    if (pageId !== task.id) sight.boards.set(task.id, task.boardId);
    const comments = await tx.comments.list('ofTask', { workspaceId, taskId: task.id }, { limit: Infinity });
    note(level, `task ${task.id}`, [
      task.title,
      task.description,
      ...comments.flatMap(({ id, content }) => [id, content]),
    ]);
    // What waits to be purged was deleted: an owner reads its id in the audit trail.
    if (pageId !== null) (level > 0 ? sight.seen : sight.hidden).add(task.id);
  }
  // Those who could restore an item read its name, which copies below it may have taken.
  for (const item of await tx.trash.list('ofWorkspace', { workspaceId }, { limit: Infinity })) {
    const pageId = item.page === null ? item.boardId : item.id;
    const level = pages.get(pageId) ?? (await levelOfUnreachable(tx, structure, who, item));
    if (level > 0) sight.seen.add(item.name);
  }
}

async function levelOfUnreachable(
  tx: ReadTransaction,
  structure: Structure,
  principal: Principal | null,
  { id, boardId }: Pick<Task, 'id' | 'boardId'>,
): Promise<number> {
  const paths = await trashedPaths(tx, structure, [id, boardId]);
  const pageId = paths.has(id) ? id : boardId;
  return principal === null ? 0 : levelInTrash({ structure, principal }, paths, pageId);
}
