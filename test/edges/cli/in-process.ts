import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Screen } from '../../../cli/io/safe-screen.ts';
import { run } from '../../../cli/program.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The standard output as JSON. */
  // eslint-disable-next-line typescript/no-unnecessary-type-parameters
  json<T>(): T;
}

export interface Around {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
  /** Columns of a terminal; absent: none is there. */
  readonly terminal?: number;
  /** Its lines; absent: it does not tell. */
  readonly rows?: number;
  /** Is given what makes the terminal wider or narrower. */
  readonly resizes?: (resize: (columns: number) => void) => void;
  /** What a person at the terminal types, each when the question is there. */
  readonly typed?: readonly (readonly [question: string, answer: string])[];
  readonly stop?: AbortSignal;
  /** Answer of everything that goes to stdout. */
  readonly onStdout?: (text: string) => void;
}

/** Runs one command line in this process. */
export async function cli(args: readonly string[], around: Around = {}): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  const { terminal, onStdout } = around;
  let columns = terminal ?? 0;
  const size = new EventEmitter();
  around.resizes?.((next) => {
    columns = next;
    size.emit('resize');
  });
  const screen = (write: (text: string) => void): Screen => {
    if (terminal === undefined) return { write };
    const rows = around.rows === undefined ? {} : { rows: around.rows };
    return {
      write,
      isTTY: true,
      ...rows,
      get columns() {
        return columns;
      },
      on: (event, again) => size.on(event, again),
    };
  };
  const keyboard = around.typed === undefined ? undefined : Object.assign(new PassThrough(), { isTTY: true });
  const answers = [...(around.typed ?? [])];
  const code = await run(args, {
    stdout: screen((text) => {
      stdout += text;
      onStdout?.(text);
    }),
    stderr: screen((text) => {
      stderr += text;
      if (answers[0] !== undefined && text.includes(answers[0][0])) keyboard!.write(`${answers.shift()![1]}\n`);
    }),
    stdin: keyboard ?? {
      isTTY: false,
      async *[Symbol.asyncIterator]() {
        yield around.stdin ?? '';
      },
    },
    env: { NO_COLOR: '1', ...around.env },
    cwd: around.cwd ?? process.cwd(),
    stop: around.stop ?? new AbortController().signal,
  });
  // eslint-disable-next-line typescript/no-unnecessary-type-parameters
  return { code, stdout, stderr, json: <T>() => JSON.parse(stdout) as T };
}

/** A directory of its own for a store and profiles, and commands that run there. */
export interface CliDirectory {
  readonly path: string;
  readonly env: Record<string, string>;
  readonly run: (args: readonly string[], around?: Around) => Promise<Ran>;
  /** @throws when it does not end with 0 */
  readonly ok: (args: readonly string[], around?: Around) => Promise<Ran>;
  close(): Promise<void>;
}

export async function cliDirectory(): Promise<CliDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'espalier-cli-'));
  const env: Record<string, string> = { XDG_CONFIG_HOME: path };
  const here = (around: Around = {}): Around => ({ cwd: path, ...around, env: { ...env, ...around.env } });
  return {
    path,
    env,
    run: (args, around) => cli(args, here(around)),
    async ok(args, around) {
      const ran = await cli(args, here(around));
      if (ran.code !== 0) throw new Error(`espalier ${args.join(' ')} ended with ${ran.code}: ${ran.stderr}`);
      return ran;
    },
    close: () => rm(path, { recursive: true, force: true }),
  };
}

/** The same with a store, and on it Ada, on whose behalf commands run, and her workspace Acme. */
export async function acmeDirectory(): Promise<CliDirectory> {
  const here = await cliDirectory();
  Object.assign(here.env, { ESPALIER_STORE: 'file:here.db', ESPALIER_AS: 'ada@example.org' });
  await here.ok(['user', 'create', '--name', 'Ada', '--email', 'ada@example.org', '--as', 'operator']);
  await here.ok(['workspace', 'create', '--name', 'Acme']);
  return here;
}

/** The same with the board Dev, and the task One on it. */
export async function devDirectory(): Promise<CliDirectory> {
  const here = await acmeDirectory();
  await here.ok(['board', 'create', '--name', 'Dev']);
  await here.ok(['task', 'create', '-b', 'Dev', '-t', 'One']);
  return here;
}
