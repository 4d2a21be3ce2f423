import type { HasLinks, LinkEnd } from '../../../../core/model/content/task-links.ts';
import type { Task } from '../../../../core/model/content/task.ts';
import type { Structure } from '../../../../core/model/workspace/structure.ts';
import type { ReadTransaction, Store } from '../../../../core/ports/store.ts';
import { oracle, type PlainWorkspace } from '../oracle.ts';

/** All that one user may be told of a workspace at one time. */
export interface CanarySight {
  /** Every id, and every canary: the names, titles and texts that {@link wordsOf} finds. */
  readonly words: ReadonlySet<string>;
  /** How many tasks they see in each status. */
  readonly tasksIn: ReadonlyMap<string, number>;
  /** What is counted over the tasks that each task they see is linked to. */
  readonly linked: ReadonlyMap<string, LinkedCounts>;
}

export interface LinkedCounts {
  readonly parentTaskId: string | null;
  readonly childCount: number;
  readonly childDone: number;
  readonly blocked: boolean;
}

/** The ids and canaries in a text. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:Name|Mark)\d{5}x/g));
}

/**
 * What a user may see, from the stored records and the text of the design: no part of the core decides here. Null: they
 * are no member.
 */
export function canarySight(store: Store, workspaceId: string, userId: string): Promise<CanarySight | null> {
  return store.read(async (tx) => {
    const [structure, user] = [await tx.structures.get(workspaceId), await tx.users.get(userId)];
    const own = [...(structure?.members() ?? [])].find((member) => member.userId === userId && member.active);
    if (structure == null || own === undefined || user === null || user.disabled) return null;
    const level = await levelsOf(tx, structure, own.id);
    const sees = (pageId: string | null) => pageId !== null && (level.get(pageId) ?? 0) > 0;
    const words = new Set<string>();
    const tell = (...records: unknown[]) => {
      for (const word of wordsOf(JSON.stringify(records))) words.add(word);
    };
    tell(structure.workspace);
    for (const member of structure.members()) {
      if (own.role >= 20 || member.id === own.id) tell(member, await tx.users.get(member.userId));
    }
    for (const page of structure.pages()) {
      if (!sees(page.id)) continue;
      const { settings: _, entries: __, parentId, boardId, ...shown } = page;
      tell(shown, sees(parentId) && parentId, sees(boardId) && boardId);
      if (page.type === 'board') tell(await tx.boards.get(workspaceId, page.id));
    }
    const tasks = await allTasks(tx, workspaceId);
    const governs = ({ id, boardId }: Task) => {
      if (structure.page(id) !== undefined) return id;
      // It went to the trash with its page, which stood below a page that was deleted.
      if (structure.isRemovedTask(id)) return null;
      return structure.page(boardId) === undefined ? null : boardId;
    };
    const seen = new Map(tasks.filter((task) => sees(governs(task))).map((task) => [task.id, task]));
    for (const task of seen.values()) {
      const { boardId, statusId, tags, links = {}, ...shown } = task;
      tell(shown, sees(boardId) && [boardId, statusId, tags]);
      tell(...Object.values(links).map((ids) => ids.filter((id) => seen.has(id))));
      const at = { workspaceId, taskId: task.id };
      tell(await tx.comments.list('ofTask', at, { limit: Infinity }));
      tell(await tx.checklistItems.list('ofTask', at, { limit: Infinity }));
    }
    return { words, tasksIn: countsBy(seen.values()), linked: linkedCounts(seen) };
  });
}

/** The level of one member on each page. */
async function levelsOf(
  tx: ReadTransaction,
  structure: Structure,
  memberId: string,
): Promise<ReadonlyMap<string, number>> {
  const [members, pages] = [[...structure.members()], [...structure.pages()]];
  const memberAt = new Map(members.map(({ id }, n) => [id, n]));
  const pageAt = new Map(pages.map(({ id }, n) => [id, n]));
  const users = await tx.users.many(members.map(({ userId }) => userId));
  const plain: PlainWorkspace = {
    defaultAccess: structure.workspace.defaultAccess,
    members: members.map(({ role, active, membership, userId }) => {
      return { role, active, membership, disabled: users.get(userId)?.disabled === true };
    }),
    pages: pages.map(({ parentId, settings, entries }) => ({
      parent: parentId === null ? null : pageAt.get(parentId)!,
      inherit: settings.inherit,
      defaultAccess: settings.defaultAccess ?? 0,
      entries: new Map(Object.entries(entries).map(([id, entry]) => [memberAt.get(id)!, entry])),
    })),
  };
  return new Map(pages.map(({ id }, n) => [id, oracle(plain, memberAt.get(memberId)!, n)]));
}

async function allTasks(tx: ReadTransaction, workspaceId: string): Promise<readonly Task[]> {
  const sort = [{ field: 'id', descending: false }] as const;
  return (await tx.tasks.find({
    workspaceId,
    scope: null,
    filters: [],
    sort,
    after: null,
    limit: 10_000,
  })) as readonly Task[];
}

function countsBy(tasks: Iterable<Task>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { statusId } of tasks) counts.set(statusId, (counts.get(statusId) ?? 0) + 1);
  return counts;
}

function linkedCounts(seen: ReadonlyMap<string, Task>): ReadonlyMap<string, LinkedCounts> {
  const those = ({ links }: HasLinks, end: LinkEnd) => (links?.[end] ?? []).flatMap((id) => seen.get(id) ?? []);
  return new Map(
    Array.from(seen, ([id, task]) => [
      id,
      {
        parentTaskId: those(task, 'parent')[0]?.id ?? null,
        childCount: those(task, 'child').length,
        childDone: those(task, 'child').filter(({ complete }) => complete).length,
        blocked: those(task, 'blockedBy').some(({ complete }) => !complete),
      },
    ]),
  );
}
