import { checklistOf } from '../checklist/of-task.ts';
import { commentsOf } from '../comment/of-task.ts';
import { RECORDS_PER_STEP } from '../jobs/step.ts';
import type { ChecklistItem } from '../model/content/checklist-item.ts';
import type { Comment } from '../model/content/comment.ts';
import type { Task } from '../model/content/task.ts';
import type { Copy } from '../model/job.ts';
import type { Transaction } from '../ports/store.ts';

/** What is copied with a task. */
export interface TaskContents {
  readonly items: readonly ChecklistItem[];
  readonly comments: readonly Comment[];
}

/** The contents of the first tasks, by task, as far as one step copies them. They are read together. */
export async function contentsOfFirst(
  tx: Transaction,
  job: Copy,
  tasks: readonly Task[],
): Promise<ReadonlyMap<string, TaskContents>> {
  const commentsIn = (task: Task): number => (job.comments ? task.commentCount : 0);
  let room = RECORDS_PER_STEP;
  const end = tasks.findIndex((task) => (room -= 1 + task.checklistTotal + commentsIn(task)) < 0);
  const read = async (task: Task): Promise<[string, TaskContents]> => {
    const [items, comments] = await Promise.all([
      checklistOf(tx, task),
      commentsIn(task) === 0 ? [] : commentsOf(tx, task),
    ]);
    return [task.id, { items, comments }];
  };
  return new Map(await Promise.all((end < 0 ? tasks : tasks.slice(0, end)).map(read)));
}
