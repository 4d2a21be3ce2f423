import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { H3, serve } from 'h3';
import { MongoClient } from 'mongodb';
import { CreateTask } from '../../adapters/schemas/noun/task.ts';
import { serveCommands } from '../process/worker.ts';
import { lmdbLimit, lmdbPuts, mongodbLimit, type Put } from './transactions.ts';

/** The limit that the product is compared with: the least code that does the same work. */

export type Bare =
  /** The same bytes at every path. */
  | { readonly kind: 'bytes'; readonly body: string }
  /** The same array, made into JSON for every request. */
  | { readonly kind: 'stringify'; readonly body: string }
  /** Reads and validates the body of a new task, and gives it back. */
  | { readonly kind: 'post' }
  /** The same, and commits these puts before it answers. */
  | { readonly kind: 'commit'; readonly path: string; readonly puts: readonly Put[] }
  /** One document by its id. */
  | { readonly kind: 'findOne'; readonly url: string; readonly dbName: string; readonly id: string };

const commands = {
  async listen(bare: Bare): Promise<string> {
    const app = new H3({ silent: true });
    await routes(app, bare);
    const server = serve(app, { hostname: '127.0.0.1', port: 0, silent: true, gracefulShutdown: false });
    await server.ready();
    return server.url!.replace(/\/$/, '');
  },
  cpu(): number {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  lmdb: lmdbLimit,
  mongodb: mongodbLimit,
};

export type LimitCommands = typeof commands;

async function routes(app: H3, bare: Bare): Promise<void> {
  if (bare.kind === 'bytes') {
    app.get('/**', (event) => {
      event.res.headers.set('content-type', 'application/json');
      return bare.body;
    });
  } else if (bare.kind === 'stringify') {
    const list = JSON.parse(bare.body) as unknown;
    app.get('/**', (event) => {
      event.res.headers.set('content-type', 'application/json');
      return JSON.stringify(list);
    });
  } else if (bare.kind === 'post' || bare.kind === 'commit') {
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    ajvFormats.default(ajv);
    const { workspaceId: _, ...properties } = CreateTask.properties;
    const required = CreateTask.required.filter((name) => name !== 'workspaceId');
    const valid = ajv.compile({ ...CreateTask, properties, required });
    const commit = bare.kind === 'post' ? null : lmdbPuts(bare.path, bare.puts).commit;
    app.post('/**', async (event) => {
      const body: object = await event.req.json();
      if (!valid(body)) return new Response(null, { status: 400 });
      if (commit !== null) await commit();
      event.res.status = 201;
      return body;
    });
  } else {
    const client = await new MongoClient(bare.url).connect();
    const tasks = client.db(bare.dbName).collection<{ _id: string }>('tasks');
    app.get('/**', () => tasks.findOne({ _id: bare.id }));
  }
}

serveCommands(commands);
