import { checklistOf } from '../checklist/of-task.ts';
import { commentsOf, eachCommentOf } from '../comment/of-task.ts';
import type { ChecklistItem } from '../model/content/checklist-item.ts';
import type { Comment } from '../model/content/comment.ts';
import type { Task } from '../model/content/task.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { readTogether } from './read-together.ts';

type CountedTask = Pick<Task, 'workspaceId' | 'id' | 'checklistTotal' | 'commentCount'>;

/** A task with what belongs to it, in order. */
interface WithContents<T> {
  readonly task: T;
  readonly items: readonly ChecklistItem[];
  readonly comments: Iterable<Comment> | AsyncIterable<Comment>;
}

/** Tasks in their order, with their contents. Those of several tasks are read at once, many comments in slices. */
export async function* withContents<T extends CountedTask>(
  tx: ReadTransaction,
  tasks: readonly T[],
): AsyncIterableIterator<WithContents<T>> {
  for (const some of readTogether(tasks, ({ commentCount }) => commentCount)) {
    const areFew = some.length > 1;
    const contentsOf = async (task: T): Promise<WithContents<T>> => {
      const [items, comments] = await Promise.all([
        checklistOf(tx, task),
        task.commentCount === 0 ? [] : areFew ? commentsOf(tx, task) : eachCommentOf(tx, task),
      ]);
      return { task, items, comments };
    };
    yield* await Promise.all(some.map(contentsOf));
  }
}
