import { changed, timestamp } from '../kernel/record.ts';
import { sameJson } from '../kernel/partial-update.ts';
import { type KeepChanges, requireKeepChanges } from '../model/log/kept-changes.ts';
import { DEFAULT_SETTINGS } from '../model/service/service-settings.ts';
import type { Ports } from '../ports/context.ts';

/**
 * Stores how much of change logs is kept, for every process on the store. Logs that have more are trimmed by a job. What
 * is absent stays as it is.
 *
 * @throws `invalid-input` for values out of bounds
 */
export async function setKeepChanges(
  { store, clock, ids }: Pick<Ports, 'store' | 'clock' | 'ids'>,
  given: KeepChanges,
): Promise<void> {
  requireKeepChanges(given);
  await store.write(async (tx) => {
    const settings = (await tx.settings.get({ latest: true })) ?? DEFAULT_SETTINGS;
    const keepChanges = { ...settings.keepChanges, ...given };
    if (sameJson(keepChanges, settings.keepChanges ?? {})) return;
    await tx.settings.put(changed(settings, { keepChanges }, timestamp({ clock })));
    await tx.jobs.insert({
      kind: 'log-trimming',
      id: ids.next(),
      workspaceId: ids.next(),
      notBefore: null,
      after: null,
    });
  });
}
