import { spawn } from 'node:child_process';
import type { Io } from './io.ts';
import { SafeScreen } from './safe-screen.ts';

/** Output that is buffered until it is known whether it fits the terminal. */
interface Buffered {
  readonly to: 'stdout' | 'stderr';
  readonly text: string;
}

/** The screens of a command whose output goes through a pager if it is longer than the terminal. */
export interface PagedScreens {
  readonly stdout: SafeScreen;
  readonly stderr: SafeScreen;
  /** Shows all that was written; resolves when the pager has exited. */
  show(): Promise<void>;
}

/** The command in `$ESPALIER_PAGER` or `$PAGER`, which may have arguments; null for none. */
function pagerOf(env: Io['env']): string | null {
  const pager = env['ESPALIER_PAGER'] ?? env['PAGER'] ?? (process.platform === 'win32' ? 'more' : 'less');
  return pager === '' || pager === 'cat' ? null : pager;
}

/** Undefined if the output is not a terminal, or no pager is wanted. */
export function pagedScreens(io: Io): PagedScreens | undefined {
  const { rows, columns } = io.stdout;
  const pager = pagerOf(io.env);
  if (pager === null || rows === undefined || columns === undefined || io.env['TERM'] === 'dumb') return undefined;
  const buffered: Buffered[] = [];
  const screen = (to: Buffered['to']) =>
    new SafeScreen({
      write: (text) => buffered.push({ to, text }),
      isTTY: io[to].isTTY,
      ...(io[to].columns !== undefined && { columns: io[to].columns }),
    });
  return {
    stdout: screen('stdout'),
    stderr: screen('stderr'),
    async show() {
      const data = textOf(buffered, 'stdout');
      const isShown = data.split('\n').length > rows && (await paged(data, pager, io.env));
      // Messages on stderr follow the data on the terminal.
      for (const { to, text } of buffered) if (!isShown || to === 'stderr') io[to].pass(text);
      buffered.length = 0;
    },
  };
}

function textOf(buffered: readonly Buffered[], to: Buffered['to']): string {
  return buffered.flatMap((one) => (one.to === to ? [one.text] : [])).join('');
}

/** False if the pager could not be started. */
function paged(text: string, pager: string, env: Io['env']): Promise<boolean> {
  const [command, args] = process.platform === 'win32' ? ['cmd', ['/c', pager]] : ['sh', ['-c', pager]];
  // Like git: less exits if the text fits, shows colours, and leaves the text on the screen.
  const more = { LESS: 'FRX', LV: '-c', ...process.env, ...env };
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'], env: more });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code !== 127));
    // The user may quit the pager before it has read everything.
    child.stdin.once('error', () => {});
    child.stdin.end(text);
  });
}
