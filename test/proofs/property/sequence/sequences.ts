import { expect } from 'chai';
import type { Call, Ports } from '../../../../core/ports/context.ts';
import { createEngine, type Engine } from '../../../../core/engine.ts';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import type { Store } from '../../../../core/ports/store.ts';
import type { Timers } from '../../../../core/ports/timers.ts';
import { Random } from '../../../contract/random.ts';
import { newPlace, SequenceState, type Step } from './sequence-state.ts';
import { nextStep } from './sequence-steps.ts';

/** What a call came to: its value, or the error of the engine. Anything else thrown is a defect and passes. */
export type Answer =
  | { readonly value: unknown }
  | { readonly error: { readonly code: string; readonly errors: unknown } };

/** Sees every step of a sequence while it runs. */
export type Watch = (step: Step, run: () => Promise<Answer>) => Promise<Answer>;

const SECOND = 1000;
const LONG = 24 * 3600 * SECOND;

/**
 * The ports of an engine whose ids and clock depend on nothing but the calls made: a second passes with
 * each, and now and then a day.
 */
export function sequencePorts(store: Store): Ports & { readonly tick: () => void } {
  let now = Date.UTC(2026, 2, 1, 12);
  let calls = 0;
  let ids = 0;
  const id = (version: number) => `00000000-0000-${version}000-8000-${(ids += 1).toString(16).padStart(12, '0')}`;
  return {
    store,
    clock: { now: () => now },
    ids: { next: () => id(7), secret: () => id(4) },
    // A day passes with every hundred calls.
    keepChanges: { milliseconds: Infinity },
    tokenFactory: { token: () => ({ secret: `secret ${(ids += 1)}`, hash: `hash ${ids}` }) },
    tick: () => {
      calls += 1;
      now += calls % 97 === 0 ? LONG : SECOND;
    },
  };
}

/** The engine for {@link runSequence}. @param timers absent: nothing waits */
export function sequenceEngine(store: Store, timers?: Timers): Engine {
  const { tick, ...ports } = sequencePorts(store);
  const engine = createEngine({ ...ports, timers });
  const nouns = Object.entries(engine).map(([noun, verbs]) => [
    noun,
    Object.fromEntries(
      Object.entries(verbs as Record<string, Verb>).map(([verb, run]) => [
        verb,
        (call: Call, input: unknown) => {
          tick();
          return run(call, input);
        },
      ]),
    ),
  ]);
  return Object.fromEntries(nouns) as Engine;
}

type Verb = (call: Call, input: unknown) => Promise<unknown>;

/**
 * Makes random calls by several users, wanted and unwanted ones, and writes down what they come to. The
 * same seed and length on an engine of {@link sequenceEngine} come to the same. Ids are written as the
 * number of their first appearance: a store that runs a write twice may draw others.
 */
export async function runSequence(
  engine: Engine,
  seed: number,
  length: number,
  watch: Watch = unwatched,
): Promise<string[]> {
  const transcript: string[] = [];
  const alias = aliases();
  const state = new SequenceState(new Random(seed));
  const perform = async (step: Step): Promise<unknown> => {
    const answer = await watch(step, () => answered(engine, step));
    const { noun, verb, input, userId } = step;
    transcript.push(alias(`${noun}.${verb} ${JSON.stringify(input)} by ${userId} -> ${JSON.stringify(answer)}`));
    if (!('value' in answer)) return null;
    step.learn?.(answer.value as never);
    return answer.value;
  };
  await begin(state, perform);
  for (let n = 0; n < length; n += 1) await perform(nextStep(state));
  return transcript;
}

const unwatched: Watch = (_step, run) => run();

export async function answered(engine: Engine, step: Step): Promise<Answer> {
  const verbs = engine[step.noun as keyof Engine] as unknown as Record<string, Verb>;
  const caller = step.userId === null ? { kind: 'operator' as const } : { kind: 'user' as const, userId: step.userId };
  const { ifVersion } = step;
  try {
    return {
      value:
        (await verbs[step.verb]!({ caller, ...(ifVersion === undefined ? {} : { ifVersion }) }, step.input)) ?? null,
    };
  } catch (error) {
    if (!(error instanceof EspalierError)) throw error;
    return { error: { code: error.code, errors: error.errors } };
  }
}

/** Two workspaces of four users, and something in them to begin with. */
export async function begin(state: SequenceState, perform: (step: Step) => Promise<unknown>): Promise<void> {
  const { random } = state;
  for (let n = 0; n < 4; n += 1) {
    const input = { name: `User ${n}`, email: `${random.id()}@example.org` };
    const user = (await perform({ userId: null, noun: 'users', verb: 'create', input })) as { id: string };
    state.users.push(user.id);
  }
  for (const first of [0, 1]) {
    const userId = state.users[first]!;
    const input = { name: 'Workspace', alias: `w-${random.id()}`, defaultAccess: random.pick([100, 300, 300, 400]) };
    const made = (await perform({ userId, noun: 'workspaces', verb: 'create', input })) as {
      id: string;
      memberId: string;
    };
    const place = newPlace(made.id);
    place.members.push(made.memberId);
    state.workspaces.push(place);
    const at = { workspaceId: made.id };
    const roles = [30, 20, 10];
    for (const other of state.users.filter((id) => id !== userId)) {
      const role = roles.shift()!;
      const invitation = (await perform({ userId, noun: 'invitations', verb: 'create', input: { ...at, role } })) as {
        id: string;
      };
      const join = { userId: other, noun: 'invitations', verb: 'join', input: { invitationId: invitation.id } };
      place.members.push(((await perform(join)) as { id: string }).id);
    }
    const board = (await perform({ userId, noun: 'boards', verb: 'create', input: { ...at, name: state.name() } })) as {
      id: string;
    };
    place.boards.push(board.id);
    place.pages.push(board.id);
    const status = { ...at, boardId: board.id, name: state.name() };
    const { id } = (await perform({ userId, noun: 'statuses', verb: 'create', input: status })) as { id: string };
    place.statuses.push({ boardId: board.id, id });
  }
}

/** It is written beside the calls, later or earlier by the store. */
const ACTIVITY = /"last(?:Activity|UsedAt)":(?:null|"[^"]*"),?/g;

function aliases(): (line: string) => string {
  const known = new Map<string, string>();
  return (line) =>
    line.replace(ACTIVITY, '').replace(/[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      const name = known.get(id) ?? `#${known.size}`;
      known.set(id, name);
      return name;
    });
}

export interface StoreComparison {
  /** A new, empty store. */
  readonly reference: () => Promise<Store>;
  /** A new, empty store. */
  readonly candidate: () => Promise<Store>;
  readonly sequences: number;
  readonly length: number;
  /** Of the first sequence. */
  readonly seed?: number;
  /** How many sequences share a store. Default 1. */
  readonly perStore?: number;
}

/** Runs the same sequences on two stores. @throws `AssertionError` that names the seed and the first difference */
export async function compareStores(comparison: StoreComparison): Promise<void> {
  const { sequences, length, seed: first = 1, perStore = 1 } = comparison;
  for (let done = 0; done < sequences; done += perStore) {
    const stores = [await comparison.reference(), await comparison.candidate()];
    const [one, two] = stores.map((store) => sequenceEngine(store));
    try {
      for (let seed = first + done; seed < first + Math.min(done + perStore, sequences); seed += 1) {
        const [expected, found] = [await runSequence(one!, seed, length), await runSequence(two!, seed, length)];
        for (const [i, line] of expected.entries()) expect(found[i], `seed ${seed}, step ${i}`).to.equal(line);
        for (const store of stores) await finishJobs(sequencePorts(store));
      }
    } finally {
      for (const store of stores) await store.close();
    }
  }
}
