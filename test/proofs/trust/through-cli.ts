import type { UseCaseName } from '../../../adapters/schemas/index.ts';
import { cli } from '../../edges/cli/in-process.ts';
import { commandLines } from './command-lines.ts';
import { outcomeOf, type Ending, type Input } from './authorisation-case.ts';
import type { Outcome } from './expectation.ts';

/** How a command ends that was refused before the engine was asked. */
const OF_EXIT: Readonly<Record<number, Outcome>> = { 0: 'ok', 2: 'unusable', 3: 'not-found' };

const EXITS: Readonly<Record<Outcome, number>> = {
  ok: 0,
  invalid: 2,
  unusable: 2,
  'not-found': 3,
  unauthenticated: 4,
  forbidden: 4,
  conflict: 5,
};

/** Where commands think the service is. */
export const SERVICE = 'http://espalier.test';

/** What a command comes to; null where there is none for it. It asks the service through the global `fetch`. */
export async function throughCli(useCase: UseCaseName, input: Input, token: string): Promise<Ending | null> {
  const typed = commandLines[useCase]?.(input);
  if (typed == null) return null;
  const at = input['workspaceId'] === undefined ? [] : ['--workspace', input['workspaceId'] as string];
  // Nothing typed before it is taken for the value of an option.
  const { code, stdout, stderr } = await cli(['--json', '--url', SERVICE, ...at, ...typed.args], {
    env: { ESPALIER_TOKEN: token },
    ...(typed.stdin !== undefined && { stdin: typed.stdin }),
  });
  const told = JSON.stringify([code, stdout, stderr]);
  const named = /\(([a-z]+(?:-[a-z]+)*)\)$/m.exec(stderr)?.[1];
  const outcome = code !== 0 && named !== undefined ? outcomeOf(named) : OF_EXIT[code];
  if (outcome === undefined || EXITS[outcome as Outcome] !== code) return { outcome: `other: ${code} ${stderr}`, told };
  return { outcome, told };
}
