import type { Stepwise } from '../kernel/stepwise.ts';
import type { Structure, StructureChange } from '../model/workspace/structure.ts';
import { changeStructure } from '../tree/build.ts';
import { totalsDeltaOf } from '../tree/totals.ts';
import { structureAudit } from './journal/audit-diff.ts';

/** Computes what writing a change needs, which is cached: the write that follows finds it there. */
export function* consequencesOf(structure: Structure, change: StructureChange): Stepwise<void> {
  if (structure.isPartial !== true) yield* changeStructure.inSteps(structure, change);
  yield* totalsDeltaOf.inSteps(structure, change);
  yield* structureAudit.inSteps(structure, change);
}
