import type { Profiled } from '../profile.ts';
import { type Group, GROUPS } from './groups.ts';
import { shown } from './numbers.ts';

/** A line for each group, a column for each request: microseconds of CPU. */
export function profileTable(profiled: readonly Omit<Profiled, 'hottest'>[]): string[][] {
  const head = ['CPU in, us', ...profiled.map(({ request }) => request)];
  const cell = (group: Group, { cpu, shares }: Pick<Profiled, 'cpu' | 'shares'>) => {
    const share = shares.find((each) => each.group === group)?.share ?? 0;
    return `${shown(cpu * share)} (${Math.round(share * 100)} %)`;
  };
  const lines = GROUPS.map((group) => [group, ...profiled.map((each) => cell(group, each))]);
  return [head, ...lines, ['all', ...profiled.map(({ cpu }) => shown(cpu))]];
}
