import { primaryOfWorker } from '../../../adapters/service/cluster/index.ts';
import type { CommandCall } from '../../call.ts';
import { failureOf, usage } from '../../io/failure.ts';
import type { Composed } from '../../service/compose-service.ts';
import { setupOf } from '../../service/service-options.ts';
import { loadSettings } from '../../config/settings.ts';
import type { Noun } from '../../verb.ts';

/** One worker process of `serve --workers`. */
export const worker: Noun = {
  name: 'worker',
  summary: 'one process of serve --workers',
  verbs: [{ name: '', summary: 'Run one worker of serve --workers.', stopsItself: true, run }],
};

async function run({ io }: CommandCall): Promise<void> {
  if (process.send === undefined) throw usage('Only serve --workers starts workers.');
  const primary = primaryOfWorker();
  let composed: Composed | undefined;
  try {
    // Settings come only from the primary.
    const setup = await setupOf(await loadSettings({}, await primary.settings()), io);
    const { composeFor } = await import('../../service/compose-service.ts');
    // The primary has stored `keepChanges`, and others may have changed it since.
    composed = await composeFor({ ...setup, keepChanges: undefined }, io.cwd, primary);
    await primary.serve({ ...composed, logger: setup.logger }, io.stop);
    await composed.espalier.close();
  } catch (error) {
    const { exit, message, hints } = failureOf(error, io.env);
    await primary.failed({ exit, message, hints });
  } finally {
    primary.disconnect();
  }
}
