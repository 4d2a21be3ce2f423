import { eventsOf } from './changes/follow.ts';
import type { SnapshotItem } from './changes/snapshot/item.ts';
import type { ReadSnapshot } from './changes/snapshot/read.ts';
import type { ChangeStream } from './changes/watch.ts';
import type { ChangeEvent } from './model/log/change-event.ts';
import type { Cancellation } from './ports/cancellation.ts';
import type { Call, Caller, Context } from './ports/context.ts';
import type { Engine } from './engine.ts';
import type { UseCases } from './use-cases.ts';
import { mapVerbs } from './kernel/map-verbs.ts';
import { toAsyncIterable } from './kernel/to-async-iterable.ts';

/** Options of a call besides its input. */
export type CallOptions = Omit<Call, 'caller'>;

type Verb<F> = F extends (context: Context, input: infer I) => Promise<ChangeStream>
  ? (input: WatchInput<I>, options?: CallOptions) => AsyncIterableIterator<ChangeEvent>
  : F extends (context: Context, input: infer I) => unknown
    ? I extends ReadSnapshot
      ? (input: Omit<I, 'sink'>, options?: CallOptions) => AsyncIterableIterator<SnapshotItem>
      : PlainVerb<F>
    : PlainVerb<F>;

type PlainVerb<F> = F extends (context: Context, ...rest: infer R) => infer O
  ? (...args: R extends readonly [] ? [input?: undefined, options?: CallOptions] : [...R, options?: CallOptions]) => O
  : never;

/** What is watched, and what ends that: the signal may be given here, or with the other options. */
export type WatchInput<Input> = Input & { readonly signal?: Cancellation | undefined };

/**
 * The engine on behalf of one caller. Code written against it runs unchanged in process and, through
 * a client, on a remote service.
 */
export type Session = {
  readonly [Noun in keyof UseCases]: SessionVerbs<UseCases[Noun]>;
};

/** A mapped type keeps the doc comments of the verbs. */
type SessionVerbs<Verbs> = { readonly [V in keyof Verbs]: Verb<Verbs[V]> };

export function sessionOf(engine: Engine, caller: Caller): Session {
  const onBehalf = (run: (call: Call, input: unknown) => unknown, name: string) => {
    if (name === 'changes.snapshot') return snapshotOf(engine, caller);
    if (name === 'changes.watch') return watching(run as Open, caller);
    return (input?: unknown, options?: CallOptions): unknown => run({ ...options, caller }, input);
  };
  return mapVerbs(engine, onBehalf) as unknown as Session;
}

/** A snapshot is iterated over: it is read as its items are taken. */
function snapshotOf({ changes }: Engine, caller: Caller): Session['changes']['snapshot'] {
  return (input, options) => toAsyncIterable((sink) => changes.snapshot({ ...options, caller }, { ...input, sink }));
}

type Open = (call: Call, input: unknown) => Promise<ChangeStream>;

/** A stream as the events in it. */
function watching(open: Open, caller: Caller) {
  return ({ signal, ...input }: WatchInput<object>, options: CallOptions = {}): AsyncIterableIterator<ChangeEvent> => {
    const { onCursor } = options;
    return eventsOf(() => open({ caller, requestId: options.requestId }, input), {
      onCursor,
      signal: signal ?? options.signal,
    });
  };
}
