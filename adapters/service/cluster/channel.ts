import type { Messages } from './messages.ts';

/** What one process does for the other when it is asked, by name. Input and output travel as JSON. */
export type Answers = Readonly<Record<string, (input: never) => unknown>>;

/**
 * @param within after so many ms without an answer it rejects. Absent: waits as long as the other lives
 * @returns what the other answers
 * @throws what the other threw, as its message, and when the other is gone
 */
export type Ask = <T>(name: string, input?: unknown, within?: number) => Promise<T>;

interface Question {
  readonly asked: number;
  readonly name: string;
  readonly input?: unknown;
}

interface Answer {
  readonly answered: number;
  readonly output?: unknown;
  readonly error?: string;
}

/** Questions and answers between two processes, either way. */
export function channelTo(other: Messages, answers: Answers): Ask {
  const waiting = new Map<number, (answer: Omit<Answer, 'answered'>) => void>();
  let last = 0;

  function settle(asked: number, answer: Omit<Answer, 'answered'>): void {
    waiting.get(asked)?.(answer);
    waiting.delete(asked);
  }

  async function answerTo({ asked, name, input }: Question): Promise<Answer> {
    try {
      return { answered: asked, output: await answers[name]!(input as never) };
    } catch (error) {
      return { answered: asked, error: (error as Error).message };
    }
  }

  other.onMessage((given) => {
    const message = given as Question | Answer;
    if ('asked' in message) {
      // A process that is gone needs no answer.
      void answerTo(message).then((answer) => other.send(answer, () => {}));
    } else {
      settle(message.answered, message);
    }
  });
  other.onGone(() => {
    for (const asked of waiting.keys()) settle(asked, { error: 'The other process is gone.' });
  });

  return <T>(name: string, input?: unknown, within?: number) =>
    new Promise<T>((resolve, reject) => {
      const asked = (last += 1);
      const timer =
        within === undefined
          ? undefined
          : setTimeout(() => settle(asked, { error: `No answer within ${within} ms.` }), within);
      waiting.set(asked, ({ output, error }) => {
        clearTimeout(timer);
        if (error === undefined) resolve(output as T);
        else reject(new Error(error));
      });
      other.send({ asked, name, input }, (error) => settle(asked, { error: error.message }));
    });
}
