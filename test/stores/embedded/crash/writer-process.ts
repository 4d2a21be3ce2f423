import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { bundled } from '../../../fixtures/process/bundled.ts';

const script = bundled(new URL('./writer.js', import.meta.url));

export interface WriterOptions {
  readonly path: string;
  readonly clients?: number;
  /** Of each client. */
  readonly steps: number;
  readonly seed: number;
  readonly durable?: boolean;
  /** Whether each client waits after an error until the store is ready again. Default false. */
  readonly patient?: boolean;
  /** Whether a read is open until the first error. Default false. */
  readonly reading?: boolean;
  /** A command to run it under. */
  readonly under?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Kill it on hearing of so many acknowledged changes. */
  readonly killAfter?: number;
}

export interface WriterReport {
  /** Ids of change records. */
  readonly acknowledged: string[];
  /** Codes, in order. */
  readonly errors: string[];
  readonly closed: boolean;
}

/** Runs a writer until it ends or is killed. */
export async function runWriter(options: WriterOptions): Promise<WriterReport> {
  const {
    path,
    clients = 4,
    steps,
    seed,
    durable = true,
    patient = false,
    reading = false,
    under = [],
    env = {},
    killAfter = Infinity,
  } = options;
  const [command = '', ...args] = [
    ...under,
    process.execPath,
    script(),
    ...[path, clients, steps, seed, durable, patient, reading].map(String),
  ];
  const child: ChildProcessByStdio<null, Readable, null> = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  const acknowledged: string[] = [];
  const errors: string[] = [];
  let closed = false;
  const exited = new Promise((resolve) => child.once('close', resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, rest = ''] = line.split(' ', 2);
    if (word === 'ack') acknowledged.push(rest);
    if (word === 'error') errors.push(rest);
    if (word === 'closed') closed = true;
    if (acknowledged.length >= killAfter) child.kill('SIGKILL');
  }
  await exited;
  return { acknowledged, errors, closed };
}

/** Makes one change in another process, blocking this one. Returns the id of the change record. */
export function writeOnce(path: string): string {
  const said = execFileSync(process.execPath, [script(), path, '1', '1', '1', 'true'], { encoding: 'utf8' });
  return /^ack (\S+)$/m.exec(said)?.[1] ?? '';
}
