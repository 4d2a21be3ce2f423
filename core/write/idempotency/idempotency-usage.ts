import { requireWithin, type Quotas } from '../../model/service/quotas.ts';
import type { Transaction } from '../../ports/store.ts';
import { utf8Length } from '../../kernel/utf8-length.ts';

const HOUR = 3_600_000;

/** The number of answers stored in one hour, counted since 1970, and their bytes. */
type Hour = readonly [hour: number, answers: number, bytes: number];

/**
 * Counts an answer stored for a user, and refuses it beyond a quota. Counters are per hour, so that none has to be
 * decremented when an answer expires; an answer counts for up to an hour longer than it is stored. Without a quota
 * nothing is written; answers stored before there was one are not counted.
 *
 * @param owner the user's id, or `operator`
 * @param now in milliseconds
 * @throws `quota-exceeded`
 */
export async function countStoredAnswer(
  tx: Transaction,
  quotas: Quotas,
  owner: string,
  answer: unknown,
  { now, keptFor }: { readonly now: number; readonly keptFor: number },
): Promise<void> {
  if (quotas.idempotencyKeys === undefined && quotas.idempotencyBytes === undefined) return;
  const key = `usage ${owner}`;
  const hour = Math.floor(now / HOUR);
  const oldest = hour - Math.ceil(keptFor / HOUR);
  const stored = ((await tx.idempotency.get(key))?.output ?? []) as readonly Hour[];
  const hours = stored.filter(([at]) => at >= oldest && at !== hour);
  const [, answers, bytes] = stored.find(([at]) => at === hour) ?? [hour, 0, 0];
  const size = utf8Length(JSON.stringify(answer));
  const before = [...hours, [hour, answers, bytes] as const];
  const after = [...hours, [hour, answers + 1, bytes + size] as const];
  requireWithin(quotas, 'idempotencyKeys', total(before, 1), total(after, 1));
  requireWithin(quotas, 'idempotencyBytes', total(before, 2), total(after, 2));
  const expiresAt = new Date((hour + 1) * HOUR + keptFor).toISOString();
  await tx.idempotency.put({ key, digest: '', output: after, expiresAt });
}

function total(hours: readonly Hour[], part: 1 | 2): number {
  return hours.reduce((sum, hour) => sum + hour[part], 0);
}
