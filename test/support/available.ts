import { spawnSync } from 'node:child_process';

/**
 * Skips a test, visibly, on a machine that lacks what it needs. Where ESPALIER_REQUIRE_ALL is 1 it fails instead.
 *
 * @param what shown to people
 */
export function needs(test: Mocha.Context, what: string, available: boolean): void {
  if (available) return;
  if (process.env['ESPALIER_REQUIRE_ALL'] === '1') throw new Error(`This machine lacks ${what}.`);
  test.skip();
}

/** Whether a command runs and ends well. */
export function runs(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
