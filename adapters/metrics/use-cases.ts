import type { Registry } from 'prom-client';
import type { Call } from '../../core/ports/context.ts';
import type { Engine } from '../../core/engine.ts';
import { EspalierError } from '../../core/kernel/errors.ts';
import { wrapEngine, type RunUseCase } from '../../core/wrap-engine.ts';
import { isStream } from '../schemas/streams.ts';
import { counter } from './series.ts';

/** Counts the calls of an engine by use case and outcome. */
export function useCaseMetrics(registry: Registry): (engine: Engine) => Engine {
  const count = counter(registry, {
    name: 'espalier_use_cases_total',
    help: 'Calls of use cases by result: ok, the code of the error, or error for an unexpected one.',
    labels: ['use_case', 'outcome'],
  });
  const instrumented =
    (run: RunUseCase, name: string): RunUseCase =>
    async (call, input) => {
      try {
        const output = await run(call, input);
        count(name, 'ok');
        return output;
      } catch (error) {
        count(name, outcomeOf(name, call, error));
        throw error;
      }
    };
  return (engine) => wrapEngine(engine, instrumented);
}

function outcomeOf(name: string, { signal }: Call, error: unknown): string {
  if (error instanceof EspalierError) return error.code;
  // A stream or a wait usually ends early because of the client.
  return isStream(name) || signal?.aborted === true ? 'broken-off' : 'error';
}
