import type { Context } from '../ports/context.ts';
import type { IndexFault } from '../ports/store.ts';
import { read } from '../write/transaction.ts';
import type { Finding } from './finding.ts';

/** Compares the records of a store that keeps indexes itself with these. */
export async function indexFindings(context: Context): Promise<Finding[]> {
  const faults: readonly IndexFault[] = await read(context, async (tx) => tx.indexes?.check() ?? []);
  return faults.map((fault) => ({ rule: 'index', ...fault }));
}
