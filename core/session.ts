import type { Call, Caller, Context } from './ports/context.ts';
import type { Engine } from './engine.ts';
import type { UseCases } from './use-cases.ts';
import { mapVerbs } from './kernel/map-verbs.ts';

/** Options of a call besides its input. */
export type CallOptions = Omit<Call, 'caller'>;

type Verb<F> = F extends (context: Context, ...rest: infer R) => infer O
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
  const onBehalf =
    (run: (call: Call, input: unknown) => unknown) =>
    (input?: unknown, options?: CallOptions): unknown =>
      run({ ...options, caller }, input);
  return mapVerbs(engine, onBehalf) as unknown as Session;
}
