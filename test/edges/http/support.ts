import type { Operation } from '../../../adapters/schemas/index.ts';
import { createHttpApp, startService, type Logger, type ServiceOptions } from '../../../adapters/http/index.ts';
import { createEspalier, type Espalier } from '../../../adapters/service/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { conform } from './openapi/conform.ts';

export interface Ask {
  readonly method: string;
  readonly path: string;
  /** Default: none. */
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what comes over the wire is looked at field by field
  readonly json: any;
  /** Pointers of the fields at fault. */
  readonly pointers: readonly string[];
}

/** A service on a memory store, asked in process or through a socket. Every answer is held to the OpenAPI document. */
export interface Api {
  readonly espalier: Espalier;
  /** Lines of the log. */
  readonly log: readonly object[];
  ask(ask: Ask): Promise<Answer>;
  /** Asks for something that goes on: the answer is held to nothing. */
  open(ask: Ask): Promise<Response>;
  /** A new user's id and token. */
  user(
    name: string,
    given?: { readonly administrator?: boolean },
  ): Promise<{ readonly id: string; readonly token: string }>;
  /** Where it listens; empty in process. */
  readonly url: string;
  close(): Promise<void>;
}

export type Transport = 'in process' | 'through a socket';

export interface ApiParts extends Partial<Omit<ServiceOptions, 'engine' | 'ready'>> {
  readonly espalier?: Espalier;
}

export async function newApi(transport: Transport, parts: ApiParts = {}): Promise<Api> {
  const { espalier = createEspalier({ store: memoryStore() }), ...given } = parts;
  const log: object[] = [];
  const logger: Logger = { info: (fields) => log.push(fields), error: (fields) => log.push(fields) };
  const { engine, identity } = espalier;
  const options: ServiceOptions = { engine, identity, ready: () => espalier.store.ready(), logger, ...given };
  const { url, send, close } = await carrier(transport, options);
  return {
    espalier,
    log,
    url,
    ask: async (ask) => {
      const answer = await answerOf(await send(ask.path, requestOf(ask)));
      conform(ask, answer);
      return answer;
    },
    open: (ask) => send(ask.path, requestOf(ask)),
    async user(name, given = {}) {
      const { id } = await espalier.users.create({ name, email: `${name.toLowerCase()}@example.org`, ...given });
      return { id, token: (await espalier.tokens.createFor({ userId: id, name: 'test' })).token };
    },
    async close() {
      await close();
      await espalier.close();
    },
  };
}

async function carrier(transport: Transport, options: ServiceOptions) {
  if (transport === 'in process') {
    const app = createHttpApp(options);
    const send = (path: string, init: RequestInit) => app.fetch(new Request(`http://localhost${path}`, init));
    return { url: '', send, close: () => Promise.resolve() };
  }
  const service = await startService({ ...options, port: 0 });
  const { url } = service;
  return { url, send: (path: string, init: RequestInit) => fetch(url + path, init), close: () => service.close() };
}

function requestOf({ method, token, body, raw, headers }: Ask): RequestInit {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
    redirect: 'manual',
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
  const json = isJson ? (JSON.parse(text) as { errors?: readonly { pointer: string }[] }) : undefined;
  const pointers = (json?.errors ?? []).map(({ pointer }) => pointer);
  return { status: response.status, headers: response.headers, text, json, pointers };
}

/** Runs the same tests in process and through a socket. */
export function overBoth(title: string, tests: (open: () => Promise<Api>, transport: Transport) => void): void {
  for (const transport of ['in process', 'through a socket'] as const) {
    describe(`${title}, ${transport}`, () => {
      const opened: Api[] = [];
      afterEach(async () => {
        for (const api of opened.splice(0)) await api.close();
      });
      tests(async () => {
        const api = await newApi(transport);
        opened.push(api);
        return api;
      }, transport);
    });
  }
}

/** The path of an operation with its ids filled in. */
export function pathOf({ path }: Pick<Operation, 'path'>, ids: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name === 'id' ? 'workspaceId' : name]!);
}
