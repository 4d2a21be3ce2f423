/** The requests that a worker answers, by name. Input and output are sent as JSON. */
// oxlint-disable-next-line typescript/no-explicit-any -- parameters are bivariant only as any
export type Commands = Readonly<Record<string, (input: any) => unknown>>;

export interface Question {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

export interface Answer {
  readonly id: number;
  readonly output?: unknown;
  readonly error?: string;
}

/** Answers the parent process until that ends or disconnects. */
export function serveCommands(commands: Commands): void {
  const answer = async ({ id, name, input }: Question): Promise<Answer> => {
    try {
      const command = commands[name];
      if (command === undefined) throw new Error(`There is no command ${name}.`);
      return { id, output: await command(input) };
    } catch (error) {
      return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  process.on('message', (question: Question) => void answer(question).then((given) => process.send?.(given)));
  process.on('disconnect', () => process.exit());
}
