import { expect } from 'chai';
import type { Ended } from '../child.ts';
import { cliDirectory, type CliDirectory } from '../in-process.ts';
import { startServe, type Request, type ServeProcess, type Answer } from './serve-process.ts';

export const STORE = ['--store', 'file:service.db', '--port', '0'] as const;

/** Asks until each of so many processes has answered. @returns all answers, in order */
export async function askAll(service: ServeProcess, given: Request, processes = 2): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  while (new Set(answers.map(({ pid }) => pid)).size < processes) answers.push(await service.ask(given));
  return answers;
}

export function pidsOf(answers: readonly Answer[]): ReadonlySet<number> {
  return new Set(answers.map(({ pid }) => pid));
}

export function statusesOf(answers: readonly Answer[]): readonly string[] {
  return answers.map(({ status }) => String(status)).toSorted();
}

/** A folder, and services of two processes that are started in it. */
export interface ServingWorkers {
  readonly here: CliDirectory;
  readonly serving: (...args: readonly string[]) => ServeProcess;
  /** In order, whatever has happened to workers. */
  readonly end: (service: ServeProcess) => Promise<Ended>;
  /** In order, and no worker has ended before. @returns what it printed */
  readonly stop: (service: ServeProcess) => Promise<string>;
}

/** A folder for each test of a suite. What was started in it and still runs is killed after the test. */
export function servingWorkers(): ServingWorkers {
  let here: CliDirectory;
  const started: ServeProcess[] = [];

  beforeEach(async () => {
    here = await cliDirectory();
  });
  afterEach(async () => {
    for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL');
    await Promise.all(started.splice(0).map(({ done }) => done));
    await here.close();
  });

  async function end(service: ServeProcess): Promise<Ended> {
    service.child.kill('SIGTERM');
    const outcome = await service.done;
    expect(outcome.code, outcome.stderr).to.equal(0);
    return outcome;
  }

  return {
    get here() {
      return here;
    },
    serving(...args) {
      const service = startServe(here, '--workers', '2', ...args);
      started.push(service);
      return service;
    },
    end,
    async stop(service) {
      const { stdout, stderr } = await end(service);
      expect(stderr).not.to.include('worker ended');
      return stdout;
    },
  };
}
