import type { ChildProcess } from 'node:child_process';

/** What one process does for the other when it is asked, by name. Input and output travel as JSON. */
export type Answers = Readonly<Record<string, (input: never) => unknown>>;

/** @returns what the other answers. @throws what it threw, as its message, and when it is gone */
export type Ask = <T>(name: string, input?: unknown) => Promise<T>;

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

/** Questions and answers between a process and one that it has forked, either way. */
export function channelTo(other: ChildProcess | NodeJS.Process, answers: Answers): Ask {
  const end = other as ChildProcess;
  const waiting = new Map<number, (answer: Omit<Answer, 'answered'>) => void>();
  let last = 0;

  function send(message: Question | Answer, failed: (error: Error) => void): void {
    end.send(message, undefined, undefined, (error) => {
      if (error !== null) failed(error);
    });
  }

  async function answerTo({ asked, name, input }: Question): Promise<Answer> {
    try {
      return { answered: asked, output: await answers[name]!(input as never) };
    } catch (error) {
      return { answered: asked, error: (error as Error).message };
    }
  }

  end.on('message', (message: Question | Answer) => {
    if ('asked' in message) {
      // Who is gone needs no answer.
      void answerTo(message).then((answer) => send(answer, () => {}));
    } else {
      waiting.get(message.answered)?.(message);
      waiting.delete(message.answered);
    }
  });
  const gone = () => {
    for (const tell of waiting.values()) tell({ error: 'The other process is gone.' });
    waiting.clear();
  };
  // There is no word of the first when the other was killed with a connection on its way to it.
  for (const event of ['disconnect', 'exit']) end.once(event, gone);

  return <T>(name: string, input?: unknown) =>
    new Promise<T>((resolve, reject) => {
      const asked = (last += 1);
      waiting.set(asked, ({ output, error }) => {
        if (error === undefined) resolve(output as T);
        else reject(new Error(error));
      });
      send({ asked, name, input }, (error) => {
        waiting.get(asked)?.({ error: error.message });
        waiting.delete(asked);
      });
    });
}
