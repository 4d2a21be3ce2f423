/** Where text goes. `columns` is the width of a terminal. */
export interface Screen {
  write(text: string): unknown;
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
