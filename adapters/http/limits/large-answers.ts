import { HttpError } from '../response/problem.ts';

/** The most parts, such as comments, of all responses that are built at once: with 20,000 characters each, 80 MB or more. */
const MAX_PARTS = 4_000;

interface WaitingAnswer {
  readonly parts: number;
  readonly signal: AbortSignal;
  readonly admit: (leave: () => void) => void;
  readonly refuse: (error: Error) => void;
}

/** The turns of a request that may build several answers, one after another. */
export interface LargeAnswerTurns {
  /**
   * Resolves when an answer of this many parts may be made. The turn of an earlier attempt, which may have failed, is
   * given back.
   *
   * @throws `too-many-requests` if the client has gone
   */
  readonly before: (user: string, parts: number) => Promise<void>;
  /** To be called when an answer has been built, large or not. */
  readonly made: () => void;
}

/**
 * Builds answers of many parts a few at a time, so that their memory is bounded. Users take turns: nobody waits for
 * more than one answer of each other user.
 */
export class LargeAnswers {
  readonly #most: number;
  /** By user, in the order of their turns. */
  readonly #waiting = new Map<string, WaitingAnswer[]>();
  #taken = 0;

  /** @param most the most parts of all answers that are built at once; a single answer may have more */
  constructor(most = MAX_PARTS) {
    this.#most = most;
  }

  /**
   * @param client its signal is aborted when the client has gone. Only read if needed, as creating the signal is slow
   */
  turns(client: Readonly<{ signal: AbortSignal }>): LargeAnswerTurns {
    let leave: (() => void) | undefined;
    const made = () => {
      leave?.();
      leave = undefined;
    };
    const before = async (user: string, parts: number) => {
      made();
      leave = await this.enter(user, parts, client.signal);
    };
    return { before, made };
  }

  /**
   * Resolves when an answer of this many parts may be made.
   *
   * @param signal aborted when the client has gone
   * @returns a function to be called once when the answer has been built
   * @throws `too-many-requests` if the client has gone
   */
  enter(user: string, parts: number, signal: AbortSignal): Promise<() => void> {
    return new Promise((admit, refuse) => {
      const waiting = this.#waiting.get(user) ?? [];
      waiting.push({ parts, signal, admit, refuse });
      this.#waiting.set(user, waiting);
      this.#admitNext();
    });
  }

  #admitNext(): void {
    for (const [user, waiting] of this.#waiting) {
      const [{ parts, signal, admit, refuse }] = waiting as [WaitingAnswer];
      if (!signal.aborted && this.#taken > 0 && this.#taken + parts > this.#most) return;
      waiting.shift();
      this.#waiting.delete(user);
      if (waiting.length > 0) this.#waiting.set(user, waiting);
      if (signal.aborted) refuse(new HttpError('too-many-requests', 'The client has gone.'));
      else {
        this.#taken += parts;
        admit(() => {
          this.#taken -= parts;
          this.#admitNext();
        });
      }
    }
  }
}
