import type { Ports } from '../ports/context.ts';
import { timestamp } from '../kernel/record.ts';

const MINUTE = 60_000;
const REMEMBERED = 10_000;

/**
 * Records when members and tokens were last active, each at most once a minute. An error of this write is ignored, so
 * that it never fails a call that has succeeded.
 */
export function activityLog(
  ports: Pick<Ports, 'store' | 'clock'>,
): (active: ReadonlySet<string>) => Promise<void> | undefined {
  const written = new Map<string, number>();
  return (active) => {
    const now = ports.clock.now();
    const due: string[] = [];
    for (const subject of active) if (now - (written.get(subject) ?? -Infinity) >= MINUTE) due.push(subject);
    if (due.length === 0) return undefined;
    if (written.size > REMEMBERED) written.clear();
    for (const subject of due) written.set(subject, now);
    return ports.store
      .write(async (tx) => {
        for (const subject of due) await tx.activity.touch(subject, timestamp(ports));
      })
      .catch(() => undefined);
  };
}
