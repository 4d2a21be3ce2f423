import { DeadEnds } from './dead-ends.ts';
import { fingerprint } from './fingerprint.ts';
import { applied, NOTHING, type State } from './model.ts';
import { type Operation, told } from './operation.ts';

/** There is no order. A search that is given up throws another error. */
export class Unexplained extends Error {}

export interface Explained {
  /** The writes in an order that explains everything. */
  readonly order: readonly Operation[];
  /** How often the model was asked. */
  readonly runs: number;
}

interface Call extends Operation {
  /** Its place among all of the history. */
  readonly n: number;
  /** Null: the outcome is unknown. */
  readonly told: string | null;
}

/** Where the search stands: so many writes done, and what was seen of them. */
interface Frame {
  readonly done: Call | null;
  readonly state: State;
  /** What the state holds. */
  readonly print: string;
  /** Writes that may come next, or were under way when those could. */
  readonly writes: readonly Call[];
  /** Calls without effect that have begun by then, and that no state so far explains. */
  readonly unseen: readonly Call[];
  /** How many writes, and calls without effect, have begun by then. */
  readonly begun: readonly [number, number];
  /** What has not been tried. */
  readonly next: Call[];
}

interface Outcome {
  readonly right: boolean;
  readonly state: State;
  /** What the state holds, if it may be gone on from. */
  readonly print: string;
}

/**
 * Looks for an order of the writes in which the model gives every answer that was given and makes the same versions,
 * to reads and refusals at some moment between two writes, such that whatever ended before something else began comes before it.
 * A call of unknown outcome may have happened at any time since, or not at all.
 *
 * @param patience runs of the model per operation, at most
 * @throws Unexplained with what could not be
 * @throws Error when it runs out of patience
 */
export async function explain(history: readonly Operation[], patience = 20): Promise<Explained> {
  const calls = history
    .map((one, n): Call =>
      one.answer === null
        ? { ...one, n, told: null, end: Infinity }
        : { ...one, n, told: told({ ...one.answer, traces: one.traces }) },
    )
    .toSorted((a, b) => a.start - b.start);
  const hasEffect = ({ writes, answer }: Call): boolean => writes && (answer === null || 'value' in answer);
  const writes = calls.filter(hasEffect);
  const others = calls.filter((one) => !hasEffect(one) && one.told !== null);
  let runs = 0;
  let stuck = { at: -1, what: 'nothing was tried' };

  const tried = new Map<string, Outcome>();
  const deadEnds = new DeadEnds();

  /** Tried once from states that hold the same. */
  async function answerTo(from: Pick<Frame, 'state' | 'print'>, call: Call, at: number): Promise<Outcome> {
    const key = `${from.print} ${call.n}`;
    const outcome = tried.get(key) ?? (await tryOut(from.state, call, at));
    tried.set(key, outcome);
    return outcome;
  }

  async function tryOut(state: State, call: Call, at: number): Promise<Outcome> {
    runs += 1;
    const { answer, traces, state: after } = await applied(state, call);
    const now = told({ ...answer, traces });
    const right = call.told === null ? 'value' in answer && told(traces) === told(call.traces) : now === call.told;
    const what = `${call.client}: ${call.noun}.${call.verb} ${JSON.stringify(call.input)} was answered ${call.told}`;
    if (!right && at > stuck.at) stuck = { at, what: `${what}, not ${now}` };
    return { right, state: after, print: right && hasEffect(call) ? fingerprint(after) : '' };
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
      if (call.start <= mustBeBefore && (await answerTo(before, call, at)).right) continue;
      unseen.push(call);
      mustBeBefore = Math.min(mustBeBefore, call.end);
    }
    const next = open.filter(({ start }) => start <= mustBeBefore).toSorted((a, b) => a.end - b.end);
    return { ...before, writes: open, unseen, begun: [begunWrites, begunOthers], next };
  }

  const start = { done: null, state: NOTHING, print: fingerprint(NOTHING) };
  const path = [await frame({ ...start, writes: [], unseen: [], begun: [0, 0] }, 0)];
  for (;;) {
    const top = path.at(-1);
    if (top === undefined) throw new Unexplained(`No order explains the answers. ${stuck.what}`);
    const [begunWrites, begunOthers] = top.begun;
    const isThrough = begunWrites === writes.length && begunOthers === others.length;
    if (isThrough && top.unseen.length === 0 && top.writes.every((call) => call.told === null)) {
      return { order: path.flatMap(({ done }) => done ?? []), runs };
    }
    if (runs > patience * (history.length + 10)) throw new Error(`No order was found in time. ${stuck.what}`);
    const call = top.next.shift();
    if (call === undefined) {
      deadEnds.add(standOf(top), numbersOf(top.unseen));
      path.pop();
      continue;
    }
    const { right, state, print } = await answerTo(top, call, path.length);
    if (!right) continue;
    const rest = top.writes.filter((one) => one !== call);
    const next = await frame({ ...top, done: call, state, print, writes: rest }, path.length);
    if (!deadEnds.has(standOf(next), numbersOf(next.unseen))) path.push(next);
  }
}

/** What is done and what it has come to, in whatever order. */
function standOf({ print, writes, begun }: Frame): string {
  return [print, begun, numbersOf(writes)].join(' ');
}

function numbersOf(calls: readonly Call[]): number[] {
  return calls.map(({ n }) => n).toSorted((a, b) => a - b);
}
