/** How a request may end, as section 3 of the design tells it apart. */
export type Outcome = 'ok' | 'unauthenticated' | 'forbidden' | 'not-found' | 'unusable' | 'invalid' | 'conflict';

/** What the caller is, as far as any rule asks. */
export interface Principal {
  /** 0: not a member. */
  readonly role: 0 | 10 | 20 | 30 | 40;
  readonly administrator: boolean;
  /** What the role alone gives. */
  readonly base: number;
  /** On a page of the sample. */
  level(place: Place): number;
  /** Whether there is an entry of the caller on the pages under trial. */
  readonly hasEntry: boolean;
}

/** `here`: the pages under trial. `above`: what they stand in. `elsewhere`: at the top. `mine`: with an own entry of 400. */
export type Place = 'here' | 'above' | 'elsewhere' | 'mine';

/** Several: the text leaves it open which. */
export type Expect = (who: Principal) => Outcome | readonly Outcome[];

export const anyone: Expect = () => 'ok';

export const administrator: Expect = (who) => (who.administrator ? 'ok' : 'forbidden');

/** At least this role in the workspace. */
export const role =
  (least: number): Expect =>
  (who) =>
    who.role === 0 ? 'not-found' : who.role >= least ? 'ok' : 'forbidden';

/** At least this level on what the path names. */
export const level =
  (least: number, place: Place = 'here'): Expect =>
  (who) =>
    pathOutcome(who, least, place);

/** At least this level on what the body names: hidden is unusable. */
export const named =
  (least: number, place: Place = 'here'): Expect =>
  (who) => {
    if (who.role === 0) return 'not-found';
    const outcome = pathOutcome(who, least, place);
    return outcome === 'not-found' ? 'unusable' : outcome;
  };

/** To make or move something at the top. */
export const atTheTop: Expect = (who) =>
  who.role === 0 ? 'not-found' : who.role >= 20 && who.base >= 300 ? 'ok' : 'forbidden';

/** The second counts where the first is met. */
export const inTurn =
  (first: Expect, second: Expect): Expect =>
  (who) => {
    const outcome = first(who);
    return outcome === 'ok' ? second(who) : outcome;
  };

/** To delete a page with others nested under it: 400 on it, 300 on those, and what is hidden forbids it. */
export const allOf = (place: Place, ...nested: readonly Place[]): Expect =>
  inTurn(level(400, place), (who) => {
    const levels = nested.map((each) => who.level(each));
    if (levels.some((has) => has > 0 && has < 300)) return 'forbidden';
    return levels.includes(0) ? 'conflict' : 'ok';
  });

/** Two things that a body names: when both are refused, the text does not say which is told. */
export const both =
  (first: Expect, second: Expect): Expect =>
  (who) => {
    const outcomes = [first(who), second(who)].flat().filter((outcome) => outcome !== 'ok');
    return outcomes.length === 0 ? 'ok' : outcomes;
  };

/** A rule of one action, said as it stands. */
export const rule = (decide: (who: Principal) => Outcome | readonly Outcome[]): Expect =>
  inTurn((who) => (who.role === 0 ? 'not-found' : 'ok'), decide);

function pathOutcome(who: Principal, least: number, place: Place): Outcome {
  if (who.role === 0) return 'not-found';
  const has = who.level(place);
  return has === 0 ? 'not-found' : has < least ? 'forbidden' : 'ok';
}
