import { eventsOf } from './changes/follow.ts';
import type { SnapshotItem } from './changes/snapshot/item.ts';
import type { ReadSnapshot } from './changes/snapshot/read.ts';
import type { ChangeStream } from './changes/watch.ts';
import type { ChangeEvent } from './model/log/change-event.ts';
import type { Cancellation } from './ports/cancellation.ts';
import { requireCallOptions } from './ports/call-options.ts';
import type { Call, Caller, Context } from './ports/context.ts';
import type { Engine } from './engine.ts';
import type { UseCases } from './use-cases.ts';
import { mapVerbs } from './kernel/map-verbs.ts';
import { toAsyncIterable } from './kernel/to-async-iterable.ts';

/** Options of a call besides its input. */
export type CallOptions = Omit<Call, 'caller'>;

type SessionVerb<F> = F extends (context: Context, input: infer I) => Promise<ChangeStream>
  ? (input: WatchInput<I>, options?: CallOptions) => AsyncIterableIterator<ChangeEvent>
  : F extends (context: Context, input: infer I) => unknown
    ? I extends ReadSnapshot
      ? (input: Omit<I, 'sink'>, options?: CallOptions) => AsyncIterableIterator<SnapshotItem>
      : PlainVerb<F>
    : PlainVerb<F>;

type PlainVerb<F> = F extends (context: Context, ...rest: infer R) => infer O
  ? (...args: R extends readonly [] ? [input?: undefined, options?: CallOptions] : [...R, options?: CallOptions]) => O
  : never;

/** The input of `changes.watch`. The signal that ends it may be given here or in the options. */
export type WatchInput<Input> = Input & {
  /** Ends the iterator, without an error. Every `AbortSignal` is one. */
  readonly signal?: Cancellation | undefined;
};

/**
 * The engine on behalf of one caller. Code written against it runs unchanged in process and, through a client, on a
 * remote service; there `doctor.check` is refused with `forbidden`.
 */
export type Session = {
  readonly [Noun in keyof UseCases]: SessionVerbs<UseCases[Noun]>;
};

/** A mapped type keeps the doc comments of the verbs. */
type SessionVerbs<Verbs> = { readonly [V in keyof Verbs]: SessionVerb<Verbs[V]> };

/** The use cases of an engine on behalf of one caller. Inputs are validated only if the engine validates them. */
export function sessionOf(engine: Engine, caller: Caller): Session {
  const session: Record<string, Record<string, unknown>> = {};
  for (const [noun, verbs] of bindingsOf(engine)) {
    const bound: Record<string, unknown> = {};
    for (const [verb, bind] of verbs) bound[verb] = bind(caller);
    session[noun] = bound;
  }
  return session as unknown as Session;
}

/** Makes a verb of a session of a caller. */
type Bind = (caller: Caller) => unknown;

type Bindings = readonly (readonly [noun: string, verbs: readonly (readonly [verb: string, bind: Bind])[]])[];

/** Collected once for each engine, as sessions are made for each request. */
const bindings = new WeakMap<Engine, Bindings>();

function bindingsOf(engine: Engine): Bindings {
  const known = bindings.get(engine);
  if (known !== undefined) return known;
  const bind = (run: (call: Call, input: unknown) => unknown, name: string): Bind => {
    if (name === 'changes.snapshot') return (caller) => snapshotOf(engine, caller);
    if (name === 'changes.watch') return (caller) => watching(run as Open, caller);
    return (caller) => (input?: unknown, options?: CallOptions) => {
      try {
        requireCallOptions(options);
      } catch (error) {
        return Promise.reject(error);
      }
      return run({ ...options, caller }, input);
    };
  };
  const nouns = Object.entries(mapVerbs(engine, bind));
  const made = nouns.map(([noun, verbs]) => [noun, Object.entries(verbs)] as const);
  bindings.set(engine, made);
  return made;
}

/** A snapshot is iterated over: it is read as its items are taken. */
function snapshotOf({ changes }: Engine, caller: Caller): Session['changes']['snapshot'] {
  return (input, options) =>
    toAsyncIterable(async (sink) => {
      requireCallOptions(options);
      return changes.snapshot({ ...options, caller }, { ...input, sink });
    });
}

type Open = (call: Call, input: unknown) => Promise<ChangeStream>;

/** A stream as the events in it. */
function watching(open: Open, caller: Caller) {
  return (watched: WatchInput<object>, options?: CallOptions): AsyncIterableIterator<ChangeEvent> => {
    const { requestId, onCursor, signal: other } = { ...options };
    const { signal = other, ...input } = { ...watched };
    const opened = async () => {
      requireCallOptions(options);
      requireCallOptions({ signal });
      return open({ caller, requestId }, input);
    };
    return eventsOf(opened, { onCursor, signal });
  };
}
