import { invalid } from '../kernel/errors.ts';
import type { Context } from '../ports/context.ts';
import { DEFAULT_SETTINGS } from '../model/service/service-settings.ts';
import type { ReadTransaction, Store } from '../ports/store.ts';

/** The default: 30 days, in seconds. */
const TRASH_SECONDS = 30 * 24 * 60 * 60;

/** The longest time that can be set: ten years, in seconds. */
export const MAX_TRASH_SECONDS = 10 * 365 * 24 * 60 * 60;

/** @throws `invalid-input` for anything but a whole number of milliseconds from 0 to ten years */
export function requireKeepTrash(milliseconds: number): void {
  const most = MAX_TRASH_SECONDS * 1_000;
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0 || milliseconds > most) {
    throw invalid('/keepTrash', `must be a whole number of milliseconds from 0 to ${most}`);
  }
}

/** How long what is deleted now stays in the trash, in milliseconds; 0: it is removed at once. */
export async function trashMilliseconds(
  tx: Pick<ReadTransaction, 'settings'>,
  { keepTrash }: Pick<Context, 'keepTrash'>,
): Promise<number> {
  return keepTrash ?? ((await tx.settings.get())?.trashSeconds ?? TRASH_SECONDS) * 1_000;
}

/** Stores how long the trash is kept, for every process on the store. What is in it already keeps its time. */
export async function storeTrashSeconds(store: Store, trashSeconds: number): Promise<void> {
  await store.write(async (tx) => {
    const settings = (await tx.settings.get({ latest: true })) ?? DEFAULT_SETTINGS;
    if (settings.trashSeconds !== trashSeconds) await tx.settings.put({ ...settings, trashSeconds });
  });
}
