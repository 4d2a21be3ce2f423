import { fork, spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { connectionsToEnd, MOST_GATHERED } from '../../../adapters/service/cluster/balance.ts';
import { watchWorkers, type SupervisedWorker } from '../../../adapters/service/cluster/heartbeat.ts';
import {
  HEALTHY_AFTER,
  isCrash,
  Restarts,
  EARLY,
  MAX_EARLY_CRASHES,
  CRASH_WINDOW,
} from '../../../adapters/service/cluster/restarts.ts';
import type { ConnectionCounts } from '../../../adapters/http/index.ts';
import { type Ask, channelTo } from '../../../adapters/service/cluster/channel.ts';
import { processMessages } from '../../../adapters/service/cluster/messages.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import type { ProcessExit } from '../../../adapters/service/cluster/fork.ts';

const SILENT = { info() {}, error() {} };

/** A worker that does with a question what it is told to. */
function workerThat(answer: (name: string, input: unknown) => unknown, listensSince?: number) {
  let killed!: () => void;
  const isKilled = new Promise<'killed'>((resolve) => (killed = () => resolve('killed')));
  const ask = (async (name: string, input: unknown) => answer(name, input)) as Ask;
  const worker: SupervisedWorker = { pid: 1, ask, kill: killed, ...(listensSince !== undefined && { listensSince }) };
  return { worker, isKilled };
}

const never = () => new Promise(() => {});
const IDLE = { busyConnections: { reading: 0, writing: 0 } };
const noWriter = () => null;

const counts = (reading: number, writing: number): ConnectionCounts => ({ reading, writing });
const sum = (numbers: readonly number[]) => numbers.reduce((total, own) => total + own, 0);

describe('a worker that writes for others', () => {
  const folder = temporaryFolder();

  it('opens its socket by itself: no descriptor of it is passed on by the process that starts workers', async () => {
    cluster.setupPrimary({ exec: fileURLToPath(new URL('./stopped-worker.main.js', import.meta.url)) });
    const worker = cluster.fork();
    try {
      let passedOn = 0;
      worker.on('listening', () => (passedOn += 1));
      const exited = once(worker, 'exit');
      let listens!: () => void;
      const isListening = new Promise<void>((resolve) => (listens = resolve));
      const ask = channelTo(processMessages(worker.process), { port: () => 0, listening: () => listens() });
      await isListening;
      await ask('writeForOthers', join(folder, 'own.sock'));
      expect(passedOn).to.equal(0);
      const served = new Promise<void>((resolve) => {
        worker.on('message', (message: object) => void ('served' in message && resolve()));
      });
      await ask('stop');
      await served;
      worker.send({ end: true });
      expect(await exited).to.deep.equal([0, null]);
    } finally {
      worker.process.kill('SIGKILL');
    }
  });
});

describe('a worker that was asked to end', () => {
  const folder = temporaryFolder();

  it('does not begin to write for others, which would keep it', async () => {
    const child = fork(fileURLToPath(new URL('./stopped-worker.main.js', import.meta.url)));
    try {
      const exited = once(child, 'exit');
      const listening = () => void ask('stop').catch(() => {});
      const ask = channelTo(processMessages(child), { port: () => 0, listening });
      const served = new Promise<void>((resolve) => {
        child.on('message', (message: object) => void ('served' in message && resolve()));
      });
      await served;
      const path = join(folder, 'writer.sock');
      expect(
        await ask('writeForOthers', path).then(
          () => 'writes',
          () => 'refused',
        ),
      ).to.equal('refused');
      child.send({ end: true });
      expect(await exited).to.deep.equal([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('the supervision of workers', () => {
  it('kills a worker that answers no beat, and no other', async () => {
    const silent = workerThat(never, 1);
    const busy = workerThat(() => IDLE, 1);
    const lines: object[] = [];
    const logger = { info() {}, error: (fields: object) => void lines.push(fields) };
    const end = watchWorkers(() => [silent.worker, busy.worker], noWriter, logger, { interval: 1, silentBeats: 3 });
    expect(await Promise.race([silent.isKilled, busy.isKilled.then(() => 'the wrong one')])).to.equal('killed');
    end();
    expect(lines[0]).to.include({ reason: 'it does not answer' });
  });

  it('kills a worker that never listens', async () => {
    const { worker, isKilled } = workerThat(() => IDLE);
    const end = watchWorkers(() => [worker], noWriter, SILENT, { interval: 1, startBeats: 3 });
    await isKilled;
    end();
  });

  /** What workers with so many connections are asked to end. */
  function askedToEnd(busy: readonly ConnectionCounts[], writer: number | null): Promise<unknown[]> {
    const workers: SupervisedWorker[] = [];
    const asked = busy.map(
      (busyConnections) =>
        new Promise((resolve) => {
          const answer = (name: string, input: unknown) => {
            if (name === 'endConnections') resolve(input);
            return { busyConnections };
          };
          workers.push(workerThat(answer, 1).worker);
        }),
    );
    const writes = () => (writer === null ? null : workers[writer]!);
    after(watchWorkers(() => workers, writes, SILENT, { interval: 1 }));
    return Promise.all(asked);
  }

  it('asks a worker with too many busy connections to end some', async () => {
    expect(await askedToEnd([counts(15, 0), counts(1, 0)], null)).to.deep.equal([counts(7, 0), counts(0, 0)]);
  });

  it('asks all but the writer to end writing connections', async () => {
    const busy = [counts(0, 3), counts(0, 3)];
    expect(await askedToEnd(busy, 0)).to.deep.equal([counts(0, 0), counts(0, MOST_GATHERED)]);
    expect(await askedToEnd(busy, 1)).to.deep.equal([counts(0, MOST_GATHERED), counts(0, 0)]);
  });

  const few = fc.record({ reading: fc.nat({ max: 1_000 }), writing: fc.nat({ max: 5 }) });
  const many = fc.record({ reading: fc.nat({ max: 1_000 }), writing: fc.nat({ max: 1_000 }) });
  const workersWith = (one: fc.Arbitrary<ConnectionCounts>) => fc.array(one, { minLength: 1, maxLength: 12 });

  /** What a worker with so many is to end so that all have the mean, unless it is within one of it. */
  function above(all: readonly number[], own: number): number {
    const mean = sum(all) / all.length;
    return own > mean + 1 ? Math.floor(own - mean) : 0;
  }

  it('takes from each what it has above the mean, reading ones first, where each writes, or many write', () => {
    fc.assert(
      fc.property(workersWith(many), fc.boolean(), fc.nat(), (busy, isEachWriting, at) => {
        fc.pre(isEachWriting || sum(busy.map(({ writing }) => writing)) > MOST_GATHERED);
        const all = busy.map(({ reading, writing }) => reading + writing);
        for (const [i, ended] of connectionsToEnd(busy, isEachWriting ? null : at % busy.length).entries()) {
          expect(ended.reading + ended.writing).to.equal(above(all, all[i]!));
          expect(ended.reading).to.be.at.most(busy[i]!.reading);
          if (ended.writing > 0) expect(ended.reading).to.equal(busy[i]!.reading);
        }
      }),
    );
  });

  it('gathers few writing connections at the writer, and spreads the reading ones so that all workers have as many', () => {
    fc.assert(
      fc.property(workersWith(few), fc.nat(), (busy, index) => {
        const writing = sum(busy.map((own) => own.writing));
        const at = index % busy.length;
        const gathered = busy.map(({ reading }, i) => reading + (i === at ? writing : 0));
        for (const [i, ended] of connectionsToEnd(busy, at).entries()) {
          expect(ended.reading).to.equal(Math.min(busy[i]!.reading, above(gathered, gathered[i]!)));
          expect(ended.writing).to.equal(i === at ? 0 : MOST_GATHERED);
        }
      }),
    );
  });

  /** The pauses before replacements of one worker after another, each of which listens for `age`. */
  function pausesOf(count: number, age: number | null, end: ProcessExit): number[] {
    const restarts = new Restarts();
    let [failures, now] = [0, 0];
    return Array.from({ length: count }, () => {
      const restart = restarts.after({ end, hasFailed: false, age, failures }, now)!;
      failures = restart.failures;
      now += (age ?? 0) + restart.pause;
      return restart.pause;
    });
  }

  const KILLED: ProcessExit = { code: null, signal: 'SIGKILL' };
  const CRASHED: ProcessExit = { code: 1, signal: null };
  const ENDED_AT_ONCE: ProcessExit = { code: 130, signal: null };

  for (const [what, age, end] of [
    ['never listen', null, KILLED],
    ['crash a while after they listen', EARLY, CRASHED],
    ['crash shortly before they are healthy', HEALTHY_AFTER - 1, CRASHED],
    ['are killed by the watch over workers', 20_000, KILLED],
  ] as const) {
    it(`replaces few that ${what} at once, and pauses longer before each further one, within a bound`, () => {
      const pauses = pausesOf(40, age, end);
      expect(pauses.slice(0, 3)).to.deep.equal([0, 0, 0]);
      for (const [n, pause] of pauses.slice(3).entries())
        expect(pause)
          .to.be.above(0)
          .and.at.least(pauses[n + 2]!);
      expect(pauses.at(-1)).to.be.within(1_000, 10_000);
    });
  }

  it('replaces at once what was asked to end, by one signal or two, and what was healthy for a while', () => {
    for (const end of [{ code: 0, signal: null }, ENDED_AT_ONCE, { code: null, signal: 'SIGTERM' }])
      expect(pausesOf(10, 10, end)).to.deep.equal(Array(10).fill(0));
    expect(pausesOf(10, HEALTHY_AFTER, CRASHED)).to.deep.equal(Array(10).fill(0));
    const failures = 30;
    const restarts = new Restarts();
    expect(restarts.after({ end: ENDED_AT_ONCE, hasFailed: false, age: 5, failures }, 0)!.failures).to.equal(0);
    expect(restarts.after({ end: KILLED, hasFailed: false, age: HEALTHY_AFTER, failures }, 0)!.failures).to.equal(1);
  });

  it('takes an error and a signal of a fault for a crash, and being killed or asked to end for none', () => {
    const ofItself = [
      { code: 1, signal: null },
      ...['SIGSEGV', 'SIGABRT', 'EAGAIN'].map((signal) => ({ code: null, signal })),
    ];
    for (const end of ofItself) expect(isCrash(end), JSON.stringify(end)).to.equal(true);
    const fromOutside = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'].map((signal) => ({ code: null, signal }));
    for (const end of [{ code: 0, signal: null }, ENDED_AT_ONCE, ...fromOutside]) expect(isCrash(end)).to.equal(false);
  });

  it('tells of a crash loop from as many crashes at the start as make one, within its time', () => {
    const ages = fc.option(fc.integer({ min: 0, max: 2 * EARLY }), { nil: null });
    const ends = fc.array(
      fc.record({ later: fc.integer({ min: 0, max: CRASH_WINDOW / 3 }), age: ages, isKilled: fc.boolean() }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(ends, (all) => {
        const restarts = new Restarts();
        const counted: number[] = [];
        let now = 0;
        for (const { later, age, isKilled } of all) {
          now += later;
          if (!isKilled && (age === null || age < EARLY)) counted.push(now);
          const end = isKilled ? KILLED : CRASHED;
          const restart = restarts.after({ end, hasFailed: false, age, failures: 0 }, now);
          expect(restart === null).to.equal(
            counted.filter((at) => now - at < CRASH_WINDOW).length >= MAX_EARLY_CRASHES,
          );
        }
      }),
    );
  });

  for (const how of ['idle', 'held up'] as const) {
    it(`ends a process whose parent is killed, ${how} as it is`, async () => {
      const script = fileURLToPath(new URL('./orphan.main.js', import.meta.url));
      const parent = spawn(process.execPath, [script, 'parent', how], { stdio: ['ignore', 'pipe', 'ignore'] });
      const ended = once(parent, 'close');
      for await (const line of createInterface({ input: parent.stdout })) {
        if (line === 'ready') parent.kill('SIGKILL');
      }
      // Their output is closed, so both are gone.
      await ended;
    });
  }
});
