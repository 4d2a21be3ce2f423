import { quotaExceeded, type QuotaName, type Quotas } from '../../model/service/quotas.ts';

/** The quotas in force for a transaction, read once. */
export type QuotasInForce = () => Promise<Quotas>;

/** @param count called only if there is a limit; counts up to it */
export async function requireRoom(
  quotas: Quotas,
  name: QuotaName,
  count: (limit: number) => Promise<number>,
): Promise<void> {
  const limit = quotas[name];
  if (limit !== undefined && (await count(limit)) >= limit) throw quotaExceeded(name, limit);
}
