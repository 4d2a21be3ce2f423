import type { Call } from '../call.ts';
import { failureOf, usage } from '../io/failure.ts';
import { stopAsked } from '../io/io.ts';
import { channelTo } from '../service/channel.ts';
import type { Opened } from '../service/compose-service.ts';
import { setupOf } from '../service/service-options.ts';
import { loadSettings } from '../config/settings.ts';
import type { Noun } from '../verb.ts';

/** One process of a service that has several. */
export const worker: Noun = {
  name: 'worker',
  summary: 'one process of serve --workers',
  verbs: [{ name: '', summary: 'Serve with others, for the process that started this one.', stopsItself: true, run }],
};

async function run({ io }: Call): Promise<void> {
  if (process.send === undefined) throw usage('A worker is started by serve --workers.');
  const told = new AbortController();
  let opened: Opened | undefined;
  const primary = channelTo(process, {
    stop: () => told.abort(),
    figures: () => opened!.figures(),
  });
  try {
    // Here nothing counts but what the primary has read.
    const setup = await setupOf(await loadSettings({}, await primary('settings')), io);
    const { openedFor } = await import('../service/compose-service.ts');
    opened = await openedFor(setup, io.cwd, {
      limiter: (limit) => ({
        use: (key) => primary('use', { limit, key }),
        look: (key) => primary('look', { limit, key }),
      }),
      figures: () => primary('figures'),
    });
    const service = await opened.listen(await primary('port'));
    await primary('listening', service.url);
    await Promise.race([stopAsked(io.stop), stopAsked(told.signal)]);
    await service.close();
    await opened.espalier.close();
  } catch (error) {
    const { exit, message, hints } = failureOf(error, io.env);
    await primary('failed', { exit, message, hints });
  } finally {
    // Nothing else keeps a process that has nothing to do.
    process.disconnect();
  }
}
