import type { Messages } from './messages.ts';

/** The request handlers of a process, by name. Input and output are sent as JSON. */
export type Answers = Readonly<Record<string, (input: never) => unknown>>;

/**
 * @param within timeout in milliseconds. Absent: waits as long as the other process lives
 * @returns the answer of the other process
 * @throws an error with the message of what the other threw, after a timeout, and if the other has ended
 */
export type Ask = <T>(name: string, input?: unknown, within?: number) => Promise<T>;

interface QuestionMessage {
  readonly asked: number;
  readonly name: string;
  readonly input?: unknown;
}

interface AnswerMessage {
  readonly answered: number;
  readonly output?: unknown;
  readonly error?: string;
}

/** Request and response between two processes, in both directions. */
export function channelTo(other: Messages, answers: Answers): Ask {
  const waiting = new Map<number, (answer: Omit<AnswerMessage, 'answered'>) => void>();
  let last = 0;

  function settle(asked: number, answer: Omit<AnswerMessage, 'answered'>): void {
    waiting.get(asked)?.(answer);
    waiting.delete(asked);
  }

  async function answerTo({ asked, name, input }: QuestionMessage): Promise<AnswerMessage> {
    try {
      return { answered: asked, output: await answers[name]!(input as never) };
    } catch (error) {
      return { answered: asked, error: (error as Error).message };
    }
  }

  other.onMessage((given) => {
    const message = given as QuestionMessage | AnswerMessage;
    if ('asked' in message) {
      // A failure to send is ignored: a process that has ended needs no answer.
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
