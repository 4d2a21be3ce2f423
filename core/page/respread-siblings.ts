import { enqueueJob } from '../jobs/enqueue-job.ts';
import { jobsOf } from '../jobs/jobs-of.ts';
import type { StepPorts } from '../jobs/step.ts';
import { GAP, KEY_LIMIT } from '../kernel/order-key.ts';
import { roomyGap } from '../kernel/rebalance.ts';
import { inSteps, type Stepwise, whileStepwise } from '../kernel/stepwise.ts';
import type { SiblingRespread } from '../model/job.ts';
import type { Page } from '../model/workspace/page.ts';
import type { CallEffects, Ports } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import { NEVER_YIELD } from '../ports/yielder.ts';
import { siblingIndex } from '../tree/siblings.ts';
import type { SiblingPlace } from './place-among.ts';

/** Pages that one step writes. */
export const PAGES_PER_STEP = 16;

/** Stores a job that makes room at a place, unless the siblings have one already. */
export async function enqueueSiblingRespread(
  tx: Transaction,
  context: Pick<Ports, 'ids'> & { readonly effects?: Pick<CallEffects, 'jobs'> },
  place: SiblingPlace,
): Promise<void> {
  const { workspaceId, parentId } = place;
  const jobs = await jobsOf(tx, workspaceId);
  if (jobs.some((job) => job.kind === 'sibling-respread' && job.parentId === parentId)) return;
  await enqueueJob(tx, context, { kind: 'sibling-respread', id: context.ids.next(), notBefore: null, ...place });
}

/**
 * Moves siblings away from a place on the side where fewer are in the way, the outermost first: so their order is kept
 * at every commit. Nobody is shown their keys, so they keep their versions. O(siblings in the way).
 */
export async function siblingRespreadStep(
  tx: Transaction,
  job: SiblingRespread,
  { yielder = () => NEVER_YIELD }: StepPorts,
): Promise<SiblingRespread | null> {
  const structure = await tx.structures.get(job.workspaceId);
  if (structure === null) return null;
  const siblings = structure.children(job.parentId);
  const before = job.afterId === null ? undefined : structure.page(job.afterId);
  if (job.afterId !== null && before?.parentId !== job.parentId) return null;
  const position = before === undefined ? 0 : siblingIndex(siblings, before) + 1;
  const crowds: Crowd[] = [];
  for (const side of sidesOf(siblings, position)) {
    const crowd = await inSteps(crowdOn(side), yielder());
    if (crowd !== null) crowds.push(crowd);
  }
  const [crowd] = crowds.toSorted((a, b) => a.count - b.count);
  if (crowd === undefined || crowd.count === 0) return null;
  const { count, gap, pageAt, base, outwards } = crowd;
  const pages: Page[] = [];
  for (let n = count - 1; n >= Math.max(0, count - PAGES_PER_STEP); n -= 1) {
    pages.push({ ...pageAt(n)!, orderKey: base + outwards * gap * (n + 1) });
  }
  await tx.structures.change(structure, { pages });
  return job;
}

/** The siblings on one side of a place, by their distance from it. */
interface SiblingSide {
  /** The key from which distances count. */
  readonly base: number;
  readonly outwards: 1 | -1;
  readonly many: number;
  readonly pageAt: (n: number) => Page | undefined;
}

function sidesOf(siblings: readonly Page[], position: number): readonly SiblingSide[] {
  return [
    {
      base: siblings[position - 1]?.orderKey ?? -KEY_LIMIT - 1,
      outwards: 1,
      many: siblings.length - position,
      pageAt: (n) => siblings[position + n],
    },
    {
      base: siblings[position]?.orderKey ?? KEY_LIMIT + 1,
      outwards: -1,
      many: position,
      pageAt: (n) => siblings[position - 1 - n],
    },
  ];
}

/** The nearest siblings on a side that are moved, and the distance between their new keys. */
interface Crowd extends SiblingSide {
  readonly count: number;
  readonly gap: number;
}

/**
 * As many as have space for roomy gaps up to the next. Each of them is nearer than its new key. Null: the range of keys
 * ends too near.
 */
function* crowdOn(side: SiblingSide): Stepwise<Crowd | null> {
  const { base, outwards, many, pageAt } = side;
  let [count, gap] = [0, 0];
  yield* whileStepwise(() => {
    const next = pageAt(count);
    if (next === undefined) return false;
    gap = Math.floor(((next.orderKey - base) * outwards) / (count + 1));
    if (gap >= roomyGap(count)) return false;
    count += 1;
    return true;
  });
  if (count < many) return { ...side, count, gap };
  gap = Math.min(GAP, Math.floor((KEY_LIMIT - outwards * base) / (count + 1)));
  return gap >= roomyGap(count) ? { ...side, count, gap } : null;
}
