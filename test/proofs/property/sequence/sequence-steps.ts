import { MISSING, type SequenceState, type Step } from './sequence-state.ts';
import { READS } from './steps/reads.ts';
import { PAGE_STEPS } from './steps/pages.ts';
import { TASK_STEPS } from './steps/tasks.ts';
import { MEMBER_STEPS } from './steps/members.ts';
import type { Steps } from './sequence-inputs.ts';

/** What a step may be, and how likely. */
const STEPS: Steps = [...READS, ...PAGE_STEPS, ...TASK_STEPS, ...MEMBER_STEPS];

const TOTAL = STEPS.reduce((sum, [weight]) => sum + weight, 0);

/** Addressed by their own id alone. */
const WITHOUT_WORKSPACE = new Set(['workspaces.list', 'invitations.read', 'invitations.join']);

export function nextStep(state: SequenceState): Step {
  const { random } = state;
  const place = state.place();
  let ticket = random.below(TOTAL);
  const [, make] = STEPS.find(([weight]) => (ticket -= weight) < 0)!;
  const draft = make(state, place);
  const stray = WITHOUT_WORKSPACE.has(`${draft.noun}.${draft.verb}`);
  return {
    ...draft,
    userId: random.pick(state.users),
    input: stray ? draft.input : { workspaceId: random.once(40) ? MISSING : place.workspaceId, ...draft.input },
    ...(random.once(12) ? { ifVersion: [1 + random.below(3)] } : {}),
  };
}
