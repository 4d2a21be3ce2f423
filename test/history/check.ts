import { applied, NOTHING, type State } from './model.ts';
import { type Operation, told } from './operation.ts';

export interface Explained {
  /** The writes in an order that explains everything. */
  readonly order: readonly Operation[];
  /** How often the model was asked. */
  readonly runs: number;
}

interface Call extends Operation {
  /** Null: nobody knows. */
  readonly told: string | null;
}

/** Where the search stands: so many writes done, and what was seen of them. */
interface Frame {
  readonly done: Call | null;
  readonly state: State;
  /** Writes that may come next, or were under way when those could. */
  readonly writes: readonly Call[];
  /** Calls without effect that have begun by then, and that no state so far explains. */
  readonly unseen: readonly Call[];
  /** How many writes, and calls without effect, have begun by then. */
  readonly begun: readonly [number, number];
  /** What has not been tried. */
  readonly next: Call[];
}

/**
 * Looks for an order of the writes in which the model gives every answer that was given and makes the same versions,
 * to reads and refusals at some moment between two writes, such that whatever ended before something else began comes before it.
 * What nobody knows the outcome of may have happened at any time since, or not at all.
 *
 * @param patience runs of the model per operation, at most
 * @throws with what could not be explained
 */
export async function explain(history: readonly Operation[], patience = 20): Promise<Explained> {
  const calls = history
    .map((one): Call =>
      one.answer === null
        ? { ...one, told: null, end: Infinity }
        : { ...one, told: told({ ...one.answer, changes: one.changes }) },
    )
    .toSorted((a, b) => a.start - b.start);
  const hasEffect = ({ writes, answer }: Call): boolean => writes && (answer === null || 'value' in answer);
  const writes = calls.filter(hasEffect);
  const others = calls.filter((one) => !hasEffect(one) && one.told !== null);
  let runs = 0;
  let stuck = { at: -1, what: 'nothing was tried' };

  async function answerTo(state: State, call: Call, at: number): Promise<{ right: boolean; state: State }> {
    runs += 1;
    const { answer, changes, state: after } = await applied(state, call);
    const now = told({ ...answer, changes });
    const right = call.told === null ? 'value' in answer && told(changes) === told(call.changes) : now === call.told;
    const what = `${call.client}: ${call.noun}.${call.verb} ${JSON.stringify(call.input)} was answered ${call.told}`;
    if (!right && at > stuck.at) stuck = { at, what: `${what}, not ${now}` };
    return { right, state: after };
  }

  /** Takes in what has begun by the end of the first write to come, and sees what this state explains of it. */
  async function frame(before: Omit<Frame, 'next'>, at: number): Promise<Frame> {
    let [begunWrites, begunOthers] = before.begun;
    const open = [...before.writes];
    let firstEnd = Math.min(...open.map(({ end }) => end));
    for (; begunWrites < writes.length && writes[begunWrites]!.start <= firstEnd; begunWrites += 1) {
      open.push(writes[begunWrites]!);
      firstEnd = Math.min(firstEnd, writes[begunWrites]!.end);
    }
    const waiting = [...before.unseen];
    for (; begunOthers < others.length && others[begunOthers]!.start <= firstEnd; begunOthers += 1) {
      waiting.push(others[begunOthers]!);
    }
    const unseen: Call[] = [];
    let mustBeBefore = firstEnd;
    for (const call of waiting) {
      if (call.start <= mustBeBefore && (await answerTo(before.state, call, at)).right) continue;
      unseen.push(call);
      mustBeBefore = Math.min(mustBeBefore, call.end);
    }
    const next = open.filter(({ start }) => start <= mustBeBefore).toSorted((a, b) => a.end - b.end);
    return { ...before, writes: open, unseen, begun: [begunWrites, begunOthers], next };
  }

  const path = [await frame({ done: null, state: NOTHING, writes: [], unseen: [], begun: [0, 0] }, 0)];
  for (;;) {
    const top = path.at(-1);
    if (top === undefined) throw new Error(`No order explains the answers. ${stuck.what}`);
    const [begunWrites, begunOthers] = top.begun;
    const isThrough = begunWrites === writes.length && begunOthers === others.length;
    if (isThrough && top.unseen.length === 0 && top.writes.every((call) => call.told === null)) {
      return { order: path.flatMap(({ done }) => done ?? []), runs };
    }
    if (runs > patience * (history.length + 10)) throw new Error(`No order was found in time. ${stuck.what}`);
    const call = top.next.shift();
    if (call === undefined) {
      path.pop();
      continue;
    }
    const { right, state } = await answerTo(top.state, call, path.length);
    if (!right) continue;
    const rest = top.writes.filter((one) => one !== call);
    path.push(await frame({ ...top, done: call, state, writes: rest }, path.length));
  }
}
