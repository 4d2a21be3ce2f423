import type { FilterImplOptions } from 'liquidjs';
import { Failure, usage } from '../../io/failure.ts';
import { multiLine, type SafeText } from '../../io/safe-text.ts';
import { expectFields } from './expect-fields.ts';
import type { Formatter } from './formatter.ts';

/**
 * Formats records for `--template`: one line per record from a Liquid template with its fields as variables. Templates
 * cannot read files.
 *
 * @param known the fields of records; empty: not known
 * @throws a usage failure for an invalid template, or one with an unknown field or filter, before the command runs
 */
export async function templateFormatter(text: string, known: readonly string[]): Promise<Formatter> {
  const { Liquid } = await import('liquidjs');
  const bounds = { memoryLimit: 1e8, renderLimit: 10_000 };
  const liquid = new Liquid({ ownPropertyOnly: true, strictFilters: true, templates: {}, ...bounds });
  for (const [name, filter] of Object.entries(liquid.filters)) {
    if (name === 'date' || name.startsWith('date_')) liquid.registerFilter(name, onLocalDay(name, filter));
  }
  const template = (() => {
    try {
      return liquid.parse(text);
    } catch (error) {
      throw usage(`--template must be a Liquid template, such as '{{ num }} {{ title }}'.`, firstLine(error));
    }
  })();
  if (known.length > 0) expectFields(liquid.globalVariablesSync(template, { partials: false }), known);
  return function* (values) {
    for (const value of values) yield rendered(value as object);
  };
  function rendered(value: object): SafeText {
    try {
      return multiLine(`${String(liquid.renderSync(template, value))}\n`);
    } catch (error) {
      throw new Failure('failed', `The template cannot be rendered: ${firstLine(error)}`);
    }
  }
}

/** A filter that prints a date as that day: a date alone would be midnight in UTC, which is the day before west of it. */
function onLocalDay(name: string, filter: FilterImplOptions): FilterImplOptions {
  const run = typeof filter === 'function' ? filter : filter.handler;
  return function (value: unknown, ...args: unknown[]) {
    const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
    if (!isDay) return run.call(this, value, ...args);
    // The second argument of `date` is a time zone, and the day is the same in all of them.
    return run.call(this, `${value}T00:00:00`, ...(name === 'date' ? args.slice(0, 1) : args));
  };
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0]!;
}
