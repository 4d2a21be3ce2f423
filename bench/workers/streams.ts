import { createEspalier, type Espalier } from '../../adapters/service/index.ts';
import { startService, type Service } from '../../adapters/http/index.ts';
import { memoryStore } from '../../adapters/store-memory/index.ts';
import { delays } from '../process/delays.ts';
import { heap } from '../process/heap.ts';
import { serveCommands } from '../process/worker.ts';
import { epoch } from './epoch.ts';

/** A service with many workspaces, each with one board and one task, whose streams are limited by the machine alone. */

export interface StreamWorld {
  readonly url: string;
  readonly token: string;
  readonly workspaceIds: readonly string[];
}

const MOST = 1_000_000;

let espalier: Espalier | null = null;
let service: Service | null = null;
let userId = '';
let tasks: readonly { readonly workspaceId: string; readonly taskId: string }[] = [];
const delay = delays();

const commands = {
  async open(workspaces: number): Promise<StreamWorld> {
    espalier = createEspalier({ store: memoryStore() });
    ({ id: userId } = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
    const ada = espalier.as(userId);
    const made = [];
    for (let n = 0; n < workspaces; n += 1) {
      const { id: workspaceId } = await ada.workspaces.create({ name: `Workspace ${n}` });
      const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Board' });
      await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
      const { id: taskId } = await ada.tasks.create({ workspaceId, boardId, title: 'Task' });
      made.push({ workspaceId, taskId });
    }
    tasks = made;
    const { engine, identity, store } = espalier;
    const streams = { perUser: MOST, perProcess: MOST };
    const ready = () => store.ready();
    service = await startService({ engine, identity, ready, port: 0, streams, maxConnections: MOST });
    const { token } = await espalier.tokens.createFor({ userId, name: 'bench' });
    return { url: service.url, token, workspaceIds: made.map(({ workspaceId }) => workspaceId) };
  },

  /** Changes the task of the first workspace. @returns when that began, and how long it took, in milliseconds */
  async write(title: string): Promise<{ readonly at: number; readonly took: number }> {
    const at = epoch();
    await espalier!.as(userId).tasks.update({ ...tasks[0]!, title });
    return { at, took: epoch() - at };
  },

  /** Microseconds of CPU that the process has used. */
  cpu(): number {
    const { user, system } = process.cpuUsage();
    return user + system;
  },

  heap,
  startDelays: () => delay.start(),
  takeDelays: () => delay.take(),
  stopDelays: () => delay.stop(),

  async close(): Promise<void> {
    await service?.close();
    await espalier?.close();
  },
};

export type StreamCommands = typeof commands;

serveCommands(commands);
