import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../figures.ts';
import type { Part } from '../part.ts';
import { forkWorker } from '../process/fork.ts';
import { judged, type Row } from '../row.ts';
import type { Scale } from '../scale.ts';
import type { StreamClientCommands } from '../workers/stream-clients.ts';
import type { StreamCommands } from '../workers/streams.ts';

const WORKSPACES = 100;
/** File descriptors that a process needs for other things. */
const OTHERS = 500;
const MEGABYTE = 1_048_576;

/** Streams of events that nothing is written for, and one write that all of them get. */
export const streamsPart: Part = {
  name: 'streams',
  async run(scale) {
    const { idle, seconds, watchers } = scale.streams;
    if (mostFiles() < idle + OTHERS) {
      console.error(`streams: skipped, ${idle} streams need ${idle + OTHERS} file descriptors (ulimit -n).`);
      return [];
    }
    return [...(await idleRows(idle, seconds)), await fanOutRow(watchers, scale)];
  },
};

async function idleRows(streams: number, seconds: number): Promise<Row[]> {
  return withStreams(WORKSPACES, async (service, clients, world) => {
    const before = await service.call('heap', { collected: true });
    await clients.call('follow', { ...world, streams });
    const after = await service.call('heap', { collected: true });
    // Opening them makes garbage, which V8 collects once more within a minute, for half a second, and then rests. Measuring
    // delays takes as much of a core as all heartbeats, so it is done then.
    const settling = 3 * seconds;
    await service.call('startDelays');
    const opened = await shareOfCore(service, settling);
    const { longest } = await service.call('stopDelays');
    const cpu = await shareOfCore(service, seconds);
    const work = `${streams} idle streams over ${WORKSPACES} workspaces, memory`;
    return [
      judged({
        name: 'streams-idle-memory',
        work: `memory of ${work}`,
        unit: 'MB',
        figure: (after.resident - before.resident) / MEGABYTE,
        target: { atMost: 200 },
        beside: { 'on the heap, MB': (after.used - before.used) / MEGABYTE },
      }),
      judged({
        name: 'streams-idle-cpu',
        work: `share of a core of ${work}`,
        unit: '%',
        figure: cpu * 100,
        target: { atMost: 2 },
        beside: {
          [`in the ${settling} s after they were opened, %`]: opened * 100,
          'longest delay of the event loop in those, ms': longest,
          seconds,
        },
      }),
    ];
  });
}

/** From now on. */
async function shareOfCore(service: Service, seconds: number): Promise<number> {
  const began = await service.call('cpu');
  await pause(seconds * 1_000);
  return ((await service.call('cpu')) - began) / (seconds * 1e6);
}

async function fanOutRow(watchers: number, { rounds }: Scale): Promise<Row> {
  return withStreams(1, async (service, clients, world) => {
    await clients.call('follow', { ...world, streams: watchers });
    const latencies: number[] = [];
    const writes: number[] = [];
    const work: number[] = [];
    await service.call('startDelays');
    for (let round = 0; round <= rounds + 2; round += 1) {
      await clients.call('forget');
      const began = await service.call('cpu');
      const { at, took } = await service.call('write', `Title ${round}`);
      const reached = await clients.call('reached');
      const used = (await service.call('cpu')) - began;
      // The first two warm up.
      if (round < 2) continue;
      latencies.push(reached - at);
      writes.push(took);
      work.push(used / 1_000);
    }
    const { longest } = await service.call('takeDelays');
    return judged({
      name: 'streams-fan-out',
      work: `from a write until ${watchers} watchers of its board have the event, memory`,
      unit: 'ms',
      figure: median(latencies),
      target: { atMost: 100 },
      beside: {
        'slowest, ms': Math.max(...latencies),
        'the write itself, ms': median(writes),
        'CPU of the service, ms': median(work),
        'longest delay of the event loop, ms': longest,
      },
    });
  });
}

type Service = ReturnType<typeof forkWorker<StreamCommands>>;
type Clients = ReturnType<typeof forkWorker<StreamClientCommands>>;
type World = Awaited<ReturnType<StreamCommands['open']>>;

async function withStreams<T>(
  workspaces: number,
  run: (service: Service, clients: Clients, world: World) => Promise<T>,
): Promise<T> {
  const service = forkWorker<StreamCommands>('../workers/streams.js', import.meta.url);
  const clients = forkWorker<StreamClientCommands>('../workers/stream-clients.js', import.meta.url);
  try {
    return await run(service, clients, await service.call('open', workspaces));
  } finally {
    await clients.end();
    await service.end();
  }
}

/** How many files a process may have open; Infinity where that cannot be read, such as outside of Linux. */
function mostFiles(): number {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
