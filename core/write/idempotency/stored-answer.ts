import type { TaskView } from '../../task/view.ts';

/**
 * The most characters that the comments of a task may have in a stored answer: it is encoded and written at once, while
 * others wait.
 */
const MAX_COMMENTS = 1_048_576;

/** Stored in place of an answer that is too long. */
interface TooLong {
  readonly isTooLong: true;
}

const TOO_LONG: TooLong = { isTooLong: true };

/**
 * What is stored of an answer. An answer with very long comments is of a task that existed before, so a repeated call
 * changes nothing: it is answered with the present task. O(comments).
 */
export function storedAnswerOf(answer: unknown): unknown {
  const { comments } = (answer ?? {}) as Partial<Pick<TaskView, 'comments'>>;
  if (!Array.isArray(comments)) return answer;
  const characters = (comments as TaskView['comments']).reduce((sum, { content }) => sum + content.length, 0);
  return characters > MAX_COMMENTS ? TOO_LONG : answer;
}

/** Whether an answer was too long to be stored. */
export function wasTooLong(stored: unknown): boolean {
  return typeof stored === 'object' && stored !== null && 'isTooLong' in stored;
}
