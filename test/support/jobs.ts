import { JobRunner } from '../../core/jobs/runner.ts';
import type { Ports } from '../../core/ports/context.ts';

/** Does all stored jobs that are due. @returns in how many steps */
export async function finishJobs(ports: Pick<Ports, 'store' | 'clock' | 'ids'>): Promise<number> {
  const runner = new JobRunner(ports);
  let steps = 0;
  while ((await runner.step()) === 0) steps += 1;
  return steps;
}
