import type { Context } from '../ports/context.ts';

/** Up to this many comments an answer is not large. */
const FEW_COMMENTS = 16;

/** Thrown to end a read whose answer is large. */
class LargeAnswer extends Error {
  readonly userId: string;
  readonly comments: number;

  constructor(userId: string, comments: number) {
    super('The answer is large.');
    this.userId = userId;
    this.comments = comments;
  }
}

/** Called in a read before that reads so many comments for an answer to a user. @throws to make it later, in its turn */
export type BeforeComments = (userId: string, comments: number) => void;

/** Makes an answer: where it is large, in its turn, and anew. */
export function madeInTurn<T>(
  { beforeLargeAnswer }: Context,
  make: (beforeComments: BeforeComments) => Promise<T>,
): Promise<T> {
  if (beforeLargeAnswer === undefined) return make(goOn);
  return make(requireFew).catch(async (error: unknown) => {
    if (!(error instanceof LargeAnswer)) throw error;
    await beforeLargeAnswer(error.userId, error.comments);
    return make(goOn);
  });
}

function goOn(): void {}

function requireFew(userId: string, comments: number): void {
  if (comments > FEW_COMMENTS) throw new LargeAnswer(userId, comments);
}
