import type { Call, Caller } from './ports/context.ts';
import type { Engine, UseCases } from './engine.ts';

/** What may go with a call beside its input. */
export type CallOptions = Omit<Call, 'caller'>;

type Verb<F> = F extends (call: Call, ...rest: infer R) => infer O
  ? (...args: R extends readonly [] ? [input?: undefined, options?: CallOptions] : [...R, options?: CallOptions]) => O
  : never;

/**
 * The engine on behalf of one caller. Code written against it runs unchanged in process and, through
 * a client, on a remote service.
 */
export type Session = {
  readonly [Noun in keyof UseCases]: {
    readonly [V in keyof UseCases[Noun]]: Verb<Engine[Noun][V & keyof Engine[Noun]]>;
  };
};

export function sessionOf(engine: Engine, caller: Caller): Session {
  const nouns = Object.entries(engine).map(([noun, verbs]) => [
    noun,
    Object.fromEntries(
      Object.entries(verbs as Record<string, (call: Call, input: unknown) => unknown>).map(([verb, run]) => [
        verb,
        (input?: unknown, options?: CallOptions) => run({ ...options, caller }, input),
      ]),
    ),
  ]);
  return Object.fromEntries(nouns) as Session;
}
