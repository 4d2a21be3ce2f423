import { dateOf } from '../../config/dates.ts';
import { priorityOf } from '../../config/values.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { OTHER_NAMES, type LineRecord } from './format.ts';

/** A line with each field under one name, and what it says of ids and names. */
export function oneNameEach(record: LineRecord): LineRecord {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [OTHER_NAMES[name] ?? name, value]));
}

/** Dates and priority as the engine takes them. What is no text is left to the engine, which says what is wrong with it. */
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

/** The ids of people by name, e-mail address or id. */
export function people(space: WorkspaceLookup, assignees: unknown): Promise<readonly string[]> {
  return eachOf(assignees, (name) => space.member(name));
}

/** What is no text is left to the engine too. */
export async function eachOf(list: unknown, find: (name: string) => Promise<string>): Promise<readonly string[]> {
  if (!Array.isArray(list)) return list as readonly string[];
  const ids: string[] = [];
  for (const name of list as readonly unknown[])
    ids.push(typeof name === 'string' ? await find(name) : (name as string));
  return ids;
}

/** The name that a line itself has for an id, as `task list --json` tells it. */
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
