import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { OptionSpec } from '../option.ts';
import { Failure, usage } from './failure.ts';
import { stopped, type Io } from './io.ts';
import { oneLine, safe, type Text } from './safe-text.ts';

interface AskOptions {
  /** Does not echo what is typed. */
  readonly isSecret?: true;
}

/** Asks the user at the terminal, on stderr. Returns '' without an answer, such as at the end of the input. */
export async function ask(io: Io, question: Text, { isSecret }: AskOptions = {}): Promise<string> {
  io.stderr.write(safe`${oneLine(question)} `);
  const input = io.stdin as unknown as NodeJS.ReadableStream;
  // With an output, even one that discards everything, readline puts the terminal into raw mode, which turns off its
  // echo.
  const reader = createInterface(
    isSecret ? { input, output: discarding(), terminal: true, historySize: 0 } : { input },
  );
  try {
    const answer = new Promise<string>((resolve) => {
      reader.once('line', resolve);
      reader.once('close', () => resolve(''));
    });
    // In raw mode Ctrl-C does not send a signal to the process.
    const interrupted = new Promise<never>((_, reject) =>
      reader.once('SIGINT', () => reject(new Failure('interrupted', 'Interrupted.'))),
    );
    return (await Promise.race([answer, stopped(io), interrupted])).trim();
  } finally {
    reader.close();
    if (isSecret) io.stderr.write('\n');
  }
}

/** Asks for one of several options by number or name, until the answer is one. @throws a usage failure for no answer */
export async function choose(io: Io, question: Text, options: readonly string[]): Promise<string> {
  for (const [i, name] of options.entries()) io.stderr.write(safe`  ${String(i + 1)}  ${oneLine(name)}\n`);
  for (;;) {
    const answer = await ask(io, question);
    if (answer === '') throw usage('Nothing was chosen.');
    const chosen = options.find((name) => name === answer) ?? options[Number(answer) - 1];
    if (chosen !== undefined) return chosen;
    io.stderr.write('Enter one of the numbers or names above.\n');
  }
}

/** Asks for the value of a required option. @throws a usage failure for no answer */
export async function askFor(io: Io, { flags, summary, choices }: OptionSpec): Promise<string> {
  const [long] = /--[\w-]+/.exec(flags)!;
  const question = `${long.slice(2)} (${summary}):`;
  const answer = choices === undefined ? await ask(io, question) : await choose(io, question, choices);
  if (answer === '') throw usage(`${long} is required.`);
  return answer;
}

function discarding(): Writable {
  return new Writable({ write: (_, __, done) => done() });
}
