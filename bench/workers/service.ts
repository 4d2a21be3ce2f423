import { createEspalier, openStore, type Espalier } from '../../adapters/service/index.ts';
import { compileChecks } from '../../adapters/schemas/index.ts';
import { startService, type Service } from '../../adapters/http/index.ts';
import { mongodbStore } from '../../adapters/store-mongodb/index.ts';
import { delays } from '../process/delays.ts';
import { heap, heapsAfterCollections } from '../process/heap.ts';
import { profiler, type Profile } from '../process/profiler.ts';
import { serveCommands } from '../process/worker.ts';
import { recordsOf, timeOf } from '../world/records.ts';
import { CALLER, namesOf, type Shape } from '../world/shape.ts';
import { pagesOf } from '../world/tree.ts';
import { logOldChanges } from './old-changes.ts';
import { timers } from './timers.ts';

/** The product in a process of its own: an engine on a store, with or without HTTP in front. */

let espalier: Espalier | null = null;
let service: Service | null = null;
const delay = delays();
const heaps = heapsAfterCollections();

function engine(): Espalier {
  if (espalier === null) throw new Error('Nothing is open.');
  return espalier;
}

/** The number of the member who owns a world. */
const OWNER = 0;

async function tokenOf(shape: Shape, member: number): Promise<string> {
  const userId = namesOf(shape).user(member);
  return (await engine().operator.tokens.createFor({ userId, name: 'bench' })).token;
}

export interface Open {
  /** `memory:`, `file:PATH` or the URL of a MongoDB cluster. */
  readonly store: string;
  /** Of MongoDB. */
  readonly dbName?: string | undefined;
  /** How many changes of each workspace are kept. Default: that of the engine. */
  readonly keepChanges?: number;
}

export interface TimeInput {
  readonly shape: Shape;
  readonly operation: string;
  readonly milliseconds: number;
  /** That call at the same time. Default 1. */
  readonly callers?: number;
}

export interface OldChanges {
  readonly shape: Shape;
  readonly changes: number;
}

const commands = {
  async open({ store, dbName = 'bench', keepChanges }: Open): Promise<void> {
    const isMongo = store.startsWith('mongodb');
    espalier = createEspalier({
      store: isMongo ? mongodbStore({ url: store, dbName }) : await openStore(store),
      ...(keepChanges !== undefined && { keepChanges: { count: keepChanges } }),
    });
    await espalier.store.ready();
  },

  /** Lets pages nest as deep as a world wants them. */
  async liftDepth(): Promise<void> {
    await engine().operator.quotas.update({ depth: null });
  },

  /** Imports a world. @returns a token of its caller */
  async seed(shape: Shape): Promise<string> {
    await engine().engine.imports.workspace({ caller: { kind: 'operator' } }, { records: recordsOf(shape) });
    return tokenOf(shape, CALLER);
  },

  /** Gives as many tasks as the shape says pages of their own, which hide them from the caller. */
  async hideTasks(shape: Shape): Promise<void> {
    const at = timeOf(0);
    const pages = pagesOf(shape, at).slice(pagesOf({ ...shape, hidden: 0 }, at).length);
    await engine().store.write(async (tx) => {
      await tx.structures.change((await tx.structures.get(namesOf(shape).workspaceId))!, { pages });
    });
  },

  callerToken: (shape: Shape): Promise<string> => tokenOf(shape, CALLER),

  /** @returns a token of the owner of a world */
  ownerToken: (shape: Shape): Promise<string> => tokenOf(shape, OWNER),

  async listen(): Promise<string> {
    const { engine: unchecked, identity, store } = engine();
    // The command has them from its build; else they are compiled while the first requests are answered.
    await compileChecks(new AbortController().signal);
    service = await startService({ engine: unchecked, identity, ready: () => store.ready(), port: 0 });
    return service.url;
  },

  /** Microseconds of CPU that the process has used. */
  cpu(): number {
    const { user, system } = process.cpuUsage();
    return user + system;
  },

  heap,
  startHeaps: () => heaps.start(),
  stopHeaps: () => heaps.stop(),
  startDelays: () => delay.start(),
  takeDelays: () => delay.take(),
  startProfile: () => profiler.start(),
  stopProfile: (): Promise<Profile> => profiler.stop(),

  /** Runs an operation again and again for some time. */
  time: ({ shape, operation, milliseconds, callers }: TimeInput) =>
    timers(engine().engine, shape).time(operation, milliseconds, callers),

  idle: () => engine().idle(),

  logOldChanges: ({ shape, changes }: OldChanges) => logOldChanges(engine().store, shape, changes),

  /** Has the runner of jobs look for work. */
  async runJobs(): Promise<void> {
    const session = engine().as(await engine().users.create({ name: 'Wake', email: 'wake@example.org' }));
    const { id: workspaceId } = await session.workspaces.create({ name: 'Wake' });
    const { id: pageId } = await session.pages.create({ workspaceId, name: 'Wake', type: 'folder' });
    await session.pages.delete({ workspaceId, pageId });
  },

  /** Changes of a world up to this place are gone. */
  floor: async (shape: Shape): Promise<number> =>
    engine().store.read(async (tx) => (await tx.changeLog.head(namesOf(shape).workspaceId)).floor),

  async close(): Promise<void> {
    await service?.close();
    await espalier?.close();
    service = null;
    espalier = null;
  },
};

export type ServiceCommands = typeof commands;

serveCommands(commands);
