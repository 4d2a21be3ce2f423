import { expect } from 'chai';
import type { CliDirectory, Ran } from '../in-process.ts';

export interface Started {
  readonly url: string;
  readonly reference: string;
  readonly board: string | null;
  readonly store: string;
  readonly administrator: { readonly email: string; readonly token: string } | null;
  readonly loaded: { readonly workspaceId: string; readonly notes: readonly { readonly what: string }[] } | null;
}

function deferred<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Serves until `work` is done, then asks the service to stop. */
export async function serving(
  here: CliDirectory,
  args: readonly string[],
  work: (started: Started) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const stop = new AbortController();
  const started = deferred<Started>();
  let text = '';
  const onStdout = (part: string) => {
    text += part;
    started.resolve(JSON.parse(text) as Started);
  };
  const running = here.run(['serve', '--json', '--port', '0', ...args], { stop: stop.signal, onStdout, env });
  const first = await Promise.race([started.promise, running]);
  if ('code' in first) throw new Error(first.stderr);
  await work(first).finally(() => stop.abort());
  return running;
}

/** What the service answers, by the token of its administrator unless another is given. */
export async function get<T>(started: Started, path: string, token = started.administrator!.token): Promise<T> {
  const response = await fetch(started.url + path, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status, path).to.equal(200);
  return (await response.json()) as T;
}
