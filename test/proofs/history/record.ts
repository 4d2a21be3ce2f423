import { v4, v7 } from 'uuid';
import type { Ports } from '../../../core/ports/context.ts';
import { createEngine, type Engine } from '../../../core/engine.ts';
import type { Store } from '../../../core/ports/store.ts';
import type { Step } from '../property/sequence/sequence-state.ts';
import { type Answer, answered } from '../property/sequence/sequences.ts';
import { traced, type Trace } from './traced-transaction.ts';
import type { Operation } from './operation.ts';

/** Leaves it open whether a write has happened. */
const UNKNOWN = 'store-unavailable';
/** Nothing has happened, and nothing was said of what there is. */
const BUSY = 'store-busy';

/** Makes one call after another on a store, each written down. */
export interface Recorder {
  perform(step: Step): Promise<Answer>;
}

/** @param build makes the engine; default: the real one */
export function recorder(
  store: Store,
  client: string,
  history: Operation[],
  build: (ports: Ports) => Engine = createEngine,
): Recorder {
  let now = 0;
  let call = begun();
  const draw = (id: string): string => {
    call.ids.push(id);
    return id;
  };
  const watched: Store = {
    read(work) {
      call.writes ??= false;
      return store.read(work);
    },
    write(work) {
      // The note of when somebody was active may still be written, or written again, while the next call runs.
      const own = call;
      // What follows the first is that note; but one that has failed, as where what it would change was reserved for
      // another call, is done again.
      if (own.hasWritten) return store.write(work);
      // Behind a read it is one too if it leaves no trace; else the call has looked first, and writes now.
      own.writes ??= true;
      const before = (own.drawnBefore ??= own.ids);
      const written = store.write(async (tx) => {
        own.ids = [...before];
        own.traces = [];
        const result = await work(traced(tx, own.traces));
        if (own.traces.length > 0) own.writes = true;
        return result;
      });
      return written.then((result) => {
        own.hasWritten = own.writes === true;
        own.drawnBefore = null;
        return result;
      });
    },
    ready: () => store.ready(),
    close: () => store.close(),
  };
  const engine = build({
    store: watched,
    clock: { now: () => now },
    ids: { next: () => draw(v7()), secret: () => draw(v4()) },
    tokenFactory: { token: () => ({ secret: draw(v4()), hash: draw(v4()) }) },
  });
  return {
    async perform(step) {
      now = Date.now();
      call = begun();
      const start = microseconds();
      const answer = await answered(engine, step);
      const end = microseconds();
      const { userId, noun, verb, input, ifVersion } = step;
      const { ids, traces, writes } = call;
      const code = 'error' in answer ? answer.error.code : null;
      if (code === BUSY) return answer;
      history.push({
        client,
        userId,
        noun,
        verb,
        input,
        ...(ifVersion === undefined ? {} : { ifVersion }),
        start,
        end,
        now,
        ids,
        writes: writes === true,
        traces: 'value' in answer || code === UNKNOWN ? traces : [],
        answer: code === UNKNOWN ? null : answer,
      });
      return answer;
    },
  };
}

/** What is known of a call while it runs. */
interface Running {
  ids: string[];
  traces: Trace[];
  writes: boolean | null;
  hasWritten: boolean;
  /** Where a write has failed: what was drawn before it. */
  drawnBefore: string[] | null;
}

function begun(): Running {
  return { ids: [], traces: [], writes: null, hasWritten: false, drawnBefore: null };
}

function microseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
