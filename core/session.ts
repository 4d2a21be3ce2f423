import type { SnapshotItem } from './changes/snapshot/item.ts';
import type { ReadSnapshot } from './changes/snapshot/read.ts';
import type { Call, Caller, Context } from './ports/context.ts';
import type { Engine } from './engine.ts';
import type { UseCases } from './use-cases.ts';
import { mapVerbs } from './kernel/map-verbs.ts';
import { pulled } from './kernel/pulled.ts';

/** Options of a call besides its input. */
export type CallOptions = Omit<Call, 'caller'>;

type Verb<F> = F extends (context: Context, input: infer I) => unknown
  ? I extends ReadSnapshot
    ? (input: Omit<I, 'sink'>, options?: CallOptions) => AsyncIterableIterator<SnapshotItem>
    : PlainVerb<F>
  : PlainVerb<F>;

type PlainVerb<F> = F extends (context: Context, ...rest: infer R) => infer O
  ? (...args: R extends readonly [] ? [input?: undefined, options?: CallOptions] : [...R, options?: CallOptions]) => O
  : never;

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
    return (input?: unknown, options?: CallOptions): unknown => run({ ...options, caller }, input);
  };
  return mapVerbs(engine, onBehalf) as unknown as Session;
}

/** A snapshot is iterated over: it is read as its items are taken. */
function snapshotOf({ changes }: Engine, caller: Caller): Session['changes']['snapshot'] {
  return (input, options) => pulled((sink) => changes.snapshot({ ...options, caller }, { ...input, sink }));
}
