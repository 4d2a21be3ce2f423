import type { Registry } from 'prom-client';
import { EspalierError } from '../../core/kernel/errors.ts';
import type { Store } from '../../core/ports/store.ts';
import { counter, histogram } from './series.ts';

type TransactionKind = 'read' | 'write';

/** Counts and times the transactions of a store. */
export function storeMetrics(registry: Registry): (store: Store) => Store {
  const durations = histogram(registry, {
    name: 'espalier_store_transaction_duration_seconds',
    help: 'Duration of transactions, including all attempts.',
    labels: ['kind'],
  });
  const transactions = counter(registry, {
    name: 'espalier_store_transactions_total',
    help: 'Transactions by result. refused: by a rule of the engine.',
    labels: ['kind', 'outcome'],
  });
  const reruns = counter(registry, {
    name: 'espalier_store_reruns_total',
    help: 'Retries of transactions, after a conflict or a transient error.',
    labels: ['kind'],
  });

  async function instrumented<Tx, T>(
    kind: TransactionKind,
    run: (work: (tx: Tx) => Promise<T>) => Promise<T>,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const started = performance.now();
    let runs = 0;
    let outcome = 'ok';
    try {
      return await run((tx) => {
        runs += 1;
        if (runs > 1) reruns(kind);
        return work(tx);
      });
    } catch (error) {
      outcome = outcomeOf(error, runs);
      throw error;
    } finally {
      transactions(kind, outcome);
      durations.at(kind).record((performance.now() - started) / 1000);
    }
  }

  return (store) => ({
    read: (work) => instrumented('read', (run) => store.read(run), work),
    write: (work) => instrumented('write', (run) => store.write(run), work),
    ...(store.keepChanges === undefined ? {} : { keepChanges: store.keepChanges }),
    ready: () => store.ready(),
    close: () => store.close(),
  });
}

/** Only errors of the store count as its failures: the work in a transaction may throw anything. */
function outcomeOf(error: unknown, runs: number): string {
  if (error instanceof EspalierError && error.code.startsWith('store-')) return error.code;
  return runs > 0 ? 'refused' : 'error';
}
