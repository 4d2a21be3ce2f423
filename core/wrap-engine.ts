import type { Engine } from './engine.ts';
import { mapVerbs } from './kernel/map-verbs.ts';
import type { Call } from './ports/context.ts';
import type { UseCaseName } from './use-cases.ts';

/** Any use case of an engine. */
export type RunUseCase = (call: Call, input: unknown) => Promise<unknown>;

/** An engine with each use case wrapped. `name` is like `tasks.get`. */
export function wrapEngine(engine: Engine, wrap: (run: RunUseCase, name: string) => RunUseCase): Engine {
  return mapVerbs(engine, wrap) as unknown as Engine;
}

export function useCaseNamed(engine: Engine, name: UseCaseName): RunUseCase {
  const [noun, verb] = name.split('.') as [string, string];
  return (engine as unknown as Record<string, Record<string, RunUseCase>>)[noun]![verb]!;
}
