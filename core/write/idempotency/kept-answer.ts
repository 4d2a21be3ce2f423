import type { TaskView } from '../../task/view.ts';

/**
 * The most characters that the comments of a task have in an answer that is kept: it is encoded and stored as a whole,
 * while others wait.
 */
const MOST_COMMENTS = 1_048_576;

/** Stored in place of an answer that is too long. */
interface TooLong {
  readonly isTooLong: true;
}

const TOO_LONG: TooLong = { isTooLong: true };

/**
 * What is stored of an answer. One with very long comments is of a task that was there before, so that a repeated call
 * changes nothing: it is answered by what the task is then. O(comments).
 */
export function keptOf(answer: unknown): unknown {
  const { comments } = (answer ?? {}) as Partial<Pick<TaskView, 'comments'>>;
  if (!Array.isArray(comments)) return answer;
  const characters = (comments as TaskView['comments']).reduce((sum, { content }) => sum + content.length, 0);
  return characters > MOST_COMMENTS ? TOO_LONG : answer;
}

/** Whether an answer was too long to be stored. */
export function wasTooLong(kept: unknown): boolean {
  return typeof kept === 'object' && kept !== null && 'isTooLong' in kept;
}
