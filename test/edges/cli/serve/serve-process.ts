import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { ended, MAIN, type Ended } from '../child.ts';
import type { CliDirectory } from '../in-process.ts';

/** A line of the log, as far as the tests look at it. */
export interface Line {
  readonly pid: number;
  readonly msg: string;
  readonly worker?: number;
  readonly requestId?: string;
}

export interface Started {
  readonly url: string;
  readonly administrator: { readonly email: string; readonly token: string } | null;
  readonly loaded: { readonly workspaceId: string } | null;
}

/** An answer, and which process gave it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly pid: number;
}

export interface Request {
  readonly method?: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: object;
  /** Default: a connection of its own. */
  readonly agent?: Agent;
}

/** A service of several processes. */
export interface ServeProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when the process has ended and nobody is left who could write to its log. */
  readonly done: Promise<Ended>;
  readonly started: Promise<Started>;
  /** The first line that fits, of those that are there or to come. */
  line(fits: (line: Line) => boolean): Promise<Line>;
  /** Where it listens: the first that are none of these. */
  workers(count: number, except?: readonly number[]): Promise<readonly number[]>;
  /** @throws when there is no answer */
  ask(request: Request): Promise<Answer>;
  /**
   * Like `ask`, without waiting for the line of the log that tells which process answered.
   *
   * @throws when there is no answer
   */
  answerTo(request: Request): Promise<Omit<Answer, 'pid'>>;
  /** A connection to each of so many workers that is kept while it is used. */
  connections(count: number): Promise<readonly Agent[]>;
}

/** Starts `espalier serve` in a process group of its own. */
export function startServe(cliDirectory: CliDirectory, ...args: readonly string[]): ServeProcess {
  return startServeUnder([], cliDirectory, ...args);
}

/** @param under a command to run it under, which does not become another process */
export function startServeUnder(
  under: readonly string[],
  { path, env }: CliDirectory,
  ...args: readonly string[]
): ServeProcess {
  const [command, ...rest] = [...under, process.execPath, MAIN, 'serve', '--json', ...args];
  const child = spawn(command!, rest, {
    cwd: path,
    env: { PATH: process.env['PATH'], ...env },
    detached: true,
  });
  const done = ended(child);
  const lines: Line[] = [];
  const looking = new Set<() => void>();
  let isOver = false;
  const look = () => {
    for (const again of looking) again();
  };
  createInterface({ input: child.stderr }).on('line', (text) => {
    if (text.startsWith('{')) lines.push(JSON.parse(text) as Line);
    look();
  });
  void done.then(() => {
    isOver = true;
    look();
  });

  const line: ServeProcess['line'] = (fits) =>
    new Promise((resolve, reject) => {
      let seen = 0;
      const again = () => {
        const found = lines.slice(seen).find(fits);
        seen = lines.length;
        if (found === undefined && !isOver) return;
        looking.delete(again);
        if (found !== undefined) resolve(found);
        else reject(new Error('The service has ended without that line.'));
      };
      looking.add(again);
      again();
    });

  const started = new Promise<Started>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (data: Buffer) => {
      text += data.toString();
      if (text.endsWith('\n}\n')) resolve(JSON.parse(text) as Started);
    });
    void done.then(({ stderr }) => reject(new Error(stderr)));
  });
  // Not every test waits for it.
  started.catch(() => {});

  const send = async (given: Request, requestId: string) => {
    const { url, administrator } = await started;
    return answerTo(url, { token: administrator?.token ?? '', ...given }, requestId);
  };
  const ask: ServeProcess['ask'] = async (given) => {
    const requestId = randomUUID();
    const answer = await send(given, requestId);
    const { pid } = await line((one) => one.requestId === requestId);
    return { ...answer, pid };
  };

  return {
    child,
    done,
    started,
    line,
    ask,
    answerTo: (given) => send(given, randomUUID()),
    async workers(count, except = []) {
      const found = new Set<number>();
      await line(({ msg, worker = 0 }) => {
        if (msg === 'worker listens' && !except.includes(worker)) found.add(worker);
        return found.size === count;
      });
      return [...found];
    },
    async connections(count) {
      const found = new Map<number, Agent>();
      while (found.size < count) {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        const { pid } = await ask({ path: '/healthz', token: '', agent });
        if (found.has(pid)) agent.destroy();
        else found.set(pid, agent);
      }
      return [...found.values()];
    },
  };
}

function answerTo(
  url: string,
  { method = 'GET', path, token = '', body, agent }: Request,
  requestId: string,
): Promise<Omit<Answer, 'pid'>> {
  return new Promise((resolve, reject) => {
    const headers = {
      'x-request-id': requestId,
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const sent = request(url + path, { method, headers, agent: agent ?? false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    sent.once('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
