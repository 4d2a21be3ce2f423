import { dateOf } from '../../config/dates.ts';
import { priorityOf } from '../../config/values.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { fieldNamed, type LineRecord } from './format.ts';

/** A line with alternative names of fields replaced. */
export function withFieldNames(record: LineRecord): LineRecord {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [fieldNamed(name), value]));
}

/**
 * Dates and priority in the form of the engine. Values that are not strings are passed to the engine, which reports the
 * error.
 */
export function plainValues({ start, end, priority }: LineRecord) {
  return {
    ...(start === undefined ? {} : { plannedStartDate: day(start, 'start') }),
    ...(end === undefined ? {} : { plannedEndDate: day(end, 'end') }),
    ...(priority === undefined
      ? {}
      : { priority: typeof priority === 'string' ? priorityOf(priority) : (priority as number) }),
  };
}

function day(value: unknown, field: string): string | null {
  return typeof value === 'string' ? dateOf(value, field) : (value as null);
}

/** Resolves members by name, e-mail address or id. */
export function people(workspace: WorkspaceLookup, assignees: unknown): Promise<readonly string[]> {
  return eachOf(assignees, (name) => workspace.member(name));
}

/** Values that are not strings are passed to the engine too. */
export async function eachOf(list: unknown, find: (name: string) => Promise<string>): Promise<readonly string[]> {
  if (!Array.isArray(list)) return list as readonly string[];
  const ids: string[] = [];
  for (const name of list as readonly unknown[])
    ids.push(typeof name === 'string' ? await find(name) : (name as string));
  return ids;
}

/** The names of ids in the line itself, from `expanded` of `task list --json`. */
export function expandedNames(record: LineRecord, what: 'status' | 'tags'): readonly string[] | undefined {
  const expanded = record['expanded'] as Readonly<Record<string, unknown>> | null | undefined;
  const named = expanded?.[what];
  if (named === undefined || named === null) return undefined;
  const things: readonly unknown[] = Array.isArray(named) ? named : [named];
  return things.flatMap((thing) => {
    const { name } = thing as { name?: unknown };
    return typeof name === 'string' ? [name] : [];
  });
}
