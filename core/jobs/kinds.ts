import { restoreAccess } from '../user/restore-access.ts';
import { profileChangeStep } from '../user/profile-change.ts';
import { statusRemovalStep } from '../board/status-removal.ts';
import { tagRemovalStep } from '../board/tag-removal.ts';
import { copyStep } from '../copy/step.ts';
import { membershipEndStep } from '../member/membership-end.ts';
import type { Job, JobKind } from '../model/job.ts';
import type { Transaction } from '../ports/store.ts';
import { siblingRespreadStep } from '../page/respread-siblings.ts';
import { purgeStep } from '../purge/step.ts';
import { trashPurgeStep } from '../purge/trash.ts';
import { workspaceRemovalStep } from '../purge/workspace-removal.ts';
import { respreadStep } from '../task/place/respread.ts';
import { logTrimmingStep } from '../write/journal/expired-changes.ts';
import { metadataIndexingStep } from '../workspace/metadata-indexes.ts';
import type { JobStep, StepPorts } from './step.ts';

/**
 * The step function of each kind of job. A new kind needs a type in `core/model/job.ts`, added to `Job`, a step that
 * follows the rules of {@link JobStep}, and a row here; stores need no change. A use case calls `enqueueJob` in its
 * transaction, and `context.jobs.finish` after it if its caller is to wait.
 *
 * The writes of a job with `origin` are journaled as that user's. Without `origin` only updates of tasks leave change
 * records, of nobody: a task loses its links to one that is purged.
 * Stored jobs outlive the release that wrote them: kinds and their fields may be added, never changed.
 */
const STEPS: { readonly [K in JobKind]: JobStep<Extract<Job, { kind: K }>> } = {
  purge: purgeStep,
  'trash-purge': trashPurgeStep,
  'workspace-removal': workspaceRemovalStep,
  'user-disabling': restoreAccess,
  'profile-change': profileChangeStep,
  'status-removal': statusRemovalStep,
  'tag-removal': tagRemovalStep,
  'membership-end': membershipEndStep,
  respread: respreadStep,
  'sibling-respread': siblingRespreadStep,
  'log-trimming': logTrimmingStep,
  'metadata-indexing': metadataIndexingStep,
  copy: copyStep,
  'copy-failed': () => Promise.resolve(null),
};

/** @returns the job as it is to be stored, or null if it is complete */
export function stepOf(tx: Transaction, job: Job, ports: StepPorts): Promise<Job | null> {
  const step = STEPS[job.kind] as JobStep<Job> | undefined;
  // The job was written by a newer release: left to a process of that release.
  if (step === undefined) throw new TypeError(`No step is known for jobs of kind ${job.kind}.`);
  return step(tx, job, ports);
}
