import { Failure } from './failure.ts';
import { SafeScreen, type Screen } from './safe-screen.ts';

/** The environment of the program besides stores and services, injected so that it can also run in process. */
export interface ProcessIo {
  /** Data only. */
  readonly stdout: Screen;
  /** Everything else. */
  readonly stderr: Screen;
  readonly stdin: AsyncIterable<string | Uint8Array> & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The base of relative paths. */
  readonly cwd: string;
  /** Aborted when the user or the system asks the program to stop. */
  readonly stop: AbortSignal;
}

/** Like {@link ProcessIo} for commands, whose output is stripped of control characters. */
export interface Io extends Omit<ProcessIo, 'stdout' | 'stderr'> {
  readonly stdout: SafeScreen;
  readonly stderr: SafeScreen;
}

export function safeIo(io: ProcessIo): Io {
  return { ...io, stdout: new SafeScreen(io.stdout), stderr: new SafeScreen(io.stderr) };
}

/** Rejects when the program is asked to stop. */
export function stopped({ stop }: Pick<Io, 'stop'>): Promise<never> {
  return new Promise((_, reject) => {
    const interrupt = () => reject(new Failure('interrupted', 'Interrupted.'));
    if (stop.aborted) interrupt();
    else stop.addEventListener('abort', interrupt, { once: true });
  });
}

/** Whether a user at a terminal can be asked. */
export function isInteractive(io: Io): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY;
}

/** The whole input as text. @throws for input that is not UTF-8 */
export async function readAll(input: AsyncIterable<string | Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const chunk of input) text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
