import type { Context } from '../ports/context.ts';

/** The most parts of an answer that is not large. */
const SMALL_ANSWER = 16;

/** Thrown to end a read whose answer is large. */
class LargeAnswer extends Error {
  readonly userId: string;
  readonly parts: number;

  constructor(userId: string, parts: number) {
    super('The answer is large.');
    this.userId = userId;
    this.parts = parts;
  }
}

/**
 * Called in a read when it is known how many parts its answer to a user has, before they are read. A part is about as large
 * as a comment: `changes/event-record.ts` says what counts as one.
 *
 * @throws to make a large answer later, in its turn
 */
export type BeforeAnswer = (userId: string, parts: number) => void;

/** Makes an answer. If it turns out to be large, it is made again from the start when its turn comes. */
export function madeInTurn<T>(
  { beforeLargeAnswer }: Context,
  make: (beforeAnswer: BeforeAnswer) => Promise<T>,
): Promise<T> {
  if (beforeLargeAnswer === undefined) return make(goOn);
  return make(requireSmall).catch(async (error: unknown) => {
    if (!(error instanceof LargeAnswer)) throw error;
    await beforeLargeAnswer(error.userId, error.parts);
    return make(goOn);
  });
}

function goOn(): void {}

function requireSmall(userId: string, parts: number): void {
  if (parts > SMALL_ANSWER) throw new LargeAnswer(userId, parts);
}
