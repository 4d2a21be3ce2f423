import type { Profiled } from '../profile.ts';
import { GROUPS } from './groups.ts';
import { shown } from './numbers.ts';

/** A line for each group, a column for each request: microseconds of CPU. */
export function profileTable(profiled: readonly Omit<Profiled, 'hottest'>[]): string[][] {
  const head = ['CPU in, us', ...profiled.map(({ request }) => request)];
  const lines = GROUPS.map((group) => [
    group,
    ...profiled.map(({ cpu, shares }) => shown(cpu * (shares.find((share) => share.group === group)?.share ?? 0))),
  ]);
  return [head, ...lines, ['all', ...profiled.map(({ cpu }) => shown(cpu))]];
}
