import { Failure } from './failure.ts';

/** Where text goes. `columns` is the width of a terminal. */
export interface Screen {
  write(text: string, written?: () => void): unknown;
  /** Of a stream: what is not written yet. */
  readonly writableLength?: number;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** All that the program touches of the world beside stores and services, so that it also runs in process. */
export interface Io {
  /** Data, and nothing else. */
  readonly stdout: Screen;
  /** Everything else. */
  readonly stderr: Screen;
  readonly stdin: AsyncIterable<string | Uint8Array> & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What relative paths are relative to. */
  readonly cwd: string;
  /** Aborted when a person or the system asks the program to stop. */
  readonly stop: AbortSignal;
}

/** Resolves when the program is asked to stop. */
export function stopAsked(stop: Io['stop']): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Rejects when the program is asked to stop. */
export function stopped({ stop }: Pick<Io, 'stop'>): Promise<never> {
  return new Promise((_, reject) => {
    const interrupt = () => reject(new Failure('interrupted', 'Interrupted.'));
    if (stop.aborted) interrupt();
    else stop.addEventListener('abort', interrupt, { once: true });
  });
}

/** Waits until everything is written: whoever ends the process at once would lose it. */
export async function flushed(screen: Screen): Promise<void> {
  if ((screen.writableLength ?? 0) > 0) await new Promise<void>((resolve) => screen.write('', resolve));
}

/** A person sits there, who can be asked. */
export function isInteractive(io: Io): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/** All of the standard input as text. */
export async function readAll(input: Io['stdin']): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const chunk of input) text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
