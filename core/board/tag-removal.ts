import { RECORDS_PER_STEP, type StepPorts } from '../jobs/step.ts';
import { changed, timestamp } from '../kernel/record.ts';
import type { TagRemoval } from '../model/job.ts';
import type { Transaction } from '../ports/store.ts';
import { detach } from '../task/detach.ts';
import { storedBoard } from './stored-board.ts';

/** Takes the tag off a batch of its tasks; after the last batch, removes the tag. */
export async function tagRemovalStep(tx: Transaction, job: TagRemoval, ports: StepPorts): Promise<TagRemoval | null> {
  const board = await storedBoard(tx, job);
  const tag = board?.tags.find(({ id }) => id === job.tagId);
  if (board == null || tag?.removal?.jobId !== job.id) return null;
  const now = timestamp(ports);
  if (await detach(tx, job.workspaceId, 'tags', tag.id, RECORDS_PER_STEP, now)) return job;
  await tx.boards.replace(changed(board, { tags: board.tags.filter((other) => other !== tag) }, now));
  return null;
}
