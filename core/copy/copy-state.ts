import type { Viewer } from '../access/viewer.ts';
import type { StepPorts } from '../jobs/step.ts';
import type { Copy } from '../model/job.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Transaction } from '../ports/store.ts';
import { copiedId } from './copied-id.ts';

/** What one step of a copy works with. */
export interface CopyState {
  readonly tx: Transaction;
  readonly ports: StepPorts;
  readonly job: Copy;
  /** The member who copies, as they are now. */
  readonly viewer: Viewer;
  /** What they see now, parents first. */
  readonly pages: readonly Page[];
}

/** The id of the copy of a page, board, task or of a part of one. */
export function idOfCopy({ rootId, sourceId }: Pick<Copy, 'rootId' | 'sourceId'>, id: string): string {
  return id === sourceId ? rootId : copiedId(rootId, id);
}
