import type { Ports } from './context.ts';
import { timestamp } from './record.ts';

const MINUTE = 60_000;
const REMEMBERED = 10_000;

/**
 * Writes down when members and tokens were last active, each at most once a minute. It never fails a
 * call that has succeeded: what cannot be written down is left out.
 */
export function activityLog(ports: Pick<Ports, 'store' | 'clock'>): (active: ReadonlySet<string>) => Promise<void> {
  const written = new Map<string, number>();
  return async (active) => {
    const now = ports.clock.now();
    const due = [...active].filter((subject) => now - (written.get(subject) ?? -Infinity) >= MINUTE);
    if (due.length === 0) return;
    if (written.size > REMEMBERED) written.clear();
    for (const subject of due) written.set(subject, now);
    await ports.store
      .write(async (tx) => {
        for (const subject of due) await tx.activity.touch(subject, timestamp(ports));
      })
      .catch(() => undefined);
  };
}
