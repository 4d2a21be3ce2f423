import { medians } from './figures.ts';

/** One side of a comparison. */
export interface Side<M> {
  readonly name: string;
  measure(): Promise<M>;
}

/**
 * Measures all sides in each round, one after another, in reverse order in every other round, so that other work of the
 * machine affects all of them. Several rounds are preceded by one for warm-up, which does not count.
 *
 * @returns the medians of the rounds, by side
 */
export async function inRounds<M extends Readonly<Record<string, number>>>(
  rounds: number,
  sides: readonly Side<M>[],
): Promise<Record<keyof M & string, number>[]> {
  const measured: M[][] = sides.map(() => []);
  const first = rounds > 1 ? 0 : 1;
  for (let round = first; round <= rounds; round += 1) {
    const order = sides.map((_, i) => i);
    for (const i of round % 2 === 0 ? order : order.toReversed()) {
      const measure = await sides[i]!.measure();
      if (round > 0) measured[i]!.push(measure);
    }
  }
  return measured.map((each) => medians(each as Readonly<Record<keyof M & string, number>>[]));
}
