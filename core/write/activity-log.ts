import type { Ports } from '../ports/context.ts';
import { timestamp } from '../kernel/record.ts';

const MINUTE = 60_000;
const REMEMBERED = 10_000;

/**
 * Records when members and tokens were last active, each at most once a minute. No call waits for this write, as a read
 * would wait for the commits of others, or fails with it. The store waits for it when it is closed.
 */
export function activityLog(ports: Pick<Ports, 'store' | 'clock'>): (active: ReadonlySet<string>) => void {
  const written = new Map<string, number>();
  return (active) => {
    const now = ports.clock.now();
    const due: string[] = [];
    for (const subject of active) if (now - (written.get(subject) ?? -Infinity) >= MINUTE) due.push(subject);
    if (due.length === 0) return;
    if (written.size > REMEMBERED) written.clear();
    for (const subject of due) written.set(subject, now);
    const at = timestamp(ports);
    void ports.store
      .write(async (tx) => {
        for (const subject of due) await tx.activity.touch(subject, at);
      })
      .catch(() => undefined);
  };
}
