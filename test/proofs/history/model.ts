import { StructureCache } from '../../../adapters/store-kv/structure/structure-cache.ts';
import { readOnly } from '../../../adapters/store-kv/engine/kv.ts';
import { kvTransaction } from '../../../adapters/store-kv/transaction.ts';
import { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';
import { createEngine } from '../../../core/engine.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Answer, answered } from '../property/sequence/sequences.ts';
import { traced, type Trace } from './traced-transaction.ts';
import type { Operation } from './operation.ts';

/** A state of everything there is, as a value. */
export type State = TreeSnapshot;

export const NOTHING: State = new TreeSnapshot();

export interface Applied {
  readonly answer: Answer;
  readonly traces: readonly Trace[];
  readonly state: State;
}

/** What an operation comes to in a state, and the state after it: the engine on the memory store, as a pure function. */
export async function applied(state: State, operation: Operation): Promise<Applied> {
  let after = state;
  const traces: Trace[] = [];
  const cache = new StructureCache();
  const store: Store = {
    read: (work) => work(kvTransaction(readOnly(after), cache)),
    async write(work) {
      const draft = after.draft();
      const result = await work(traced(kvTransaction(draft, cache), traces));
      after = draft.freeze();
      return result;
    },
    ready: async () => undefined,
    close: async () => undefined,
  };
  const ids = [...operation.ids];
  // One that takes another path than it took draws others, and so comes to something else.
  const next = (): string => ids.shift() ?? 'none left';
  const engine = createEngine({
    store,
    clock: { now: () => operation.now },
    ids: { next, secret: next },
    tokenFactory: { token: () => ({ secret: next(), hash: next() }) },
  });
  const answer = await answered(engine, operation);
  return 'error' in answer ? { answer, traces: [], state } : { answer, traces, state: after };
}
