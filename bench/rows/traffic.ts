import type { Shot } from '../load/lua.ts';
import { pause, send } from '../load/send.ts';
import { CALLER, namesOf, type Shape } from '../world/shape.ts';
import { createTask } from './requests.ts';

const CLIENTS = 4;
const PAUSE = 2;

/** What others do in a workspace meanwhile, on board 0. */
export function othersIn(shape: Shape, token: string): Shot[] {
  const { workspaceId, board, task, member } = namesOf(shape);
  const own = `/api/workspace/${workspaceId}`;
  const get = (path: string) => ({ method: 'GET', path: own + path, token });
  return [
    get(`/task/${task(0)}`),
    get(`/task?boardId=${board(0)}&limit=10`),
    get(`/page/${board(0)}`),
    get(`/task?assigneeId=${member(CALLER)}&limit=10`),
    ...createTask(shape, token),
  ];
}

export interface Traffic {
  /** Waits since it was last asked, in milliseconds. */
  take(): number[];
  end(): Promise<number[]>;
}

/** A few clients that send these in turn, with a short rest. */
export function trafficOn(url: string, shots: readonly Shot[]): Traffic {
  let waits: number[] = [];
  const ending = new AbortController();
  const client = async (first: number) => {
    for (let i = first; !ending.signal.aborted; i += 1) {
      const began = performance.now();
      const { status } = await send(url, shots[i % shots.length]!);
      waits.push(performance.now() - began);
      if (status >= 400) throw new Error(`${shots[i % shots.length]!.path} was answered ${status} meanwhile.`);
      await pause(PAUSE);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
  // Told by `end`.
  clients.catch(() => undefined);
  const take = () => {
    const taken = waits;
    waits = [];
    return taken;
  };
  return {
    take,
    async end() {
      ending.abort();
      await clients;
      return take();
    },
  };
}
