import { constants } from 'node:os';
import { EspalierError } from '../../../core/kernel/errors.ts';

const { ENOSPC, EDQUOT, EFBIG } = constants.errno;

/** Full disk, disk quota, file size limit: lmdb gives the system's error number as its code. */
const NO_ROOM: ReadonlySet<unknown> = new Set([ENOSPC, EDQUOT, EFBIG]);

/** A group of writes could not be committed. */
export class CommitFailure extends EspalierError {
  /**
   * Whether the database must be reopened. Then it is unknown whether the group was committed; otherwise it was not.
   */
  readonly isFinal: boolean;

  /** @param isFull whether the disk is known to be full */
  constructor(reason: unknown, isFull: boolean, isFinal: boolean) {
    const what = whatHappened(reason, isFull);
    const outcome = isFinal
      ? 'It is not known whether the write was saved. The store is being reopened.'
      : 'The write had no effect. Reads continue, and writes continue when they are possible again.';
    super('store-unavailable', `${what}. ${outcome}`, [], { cause: reason });
    this.isFinal = isFinal;
  }
}

function whatHappened(reason: unknown, isFull: boolean): string {
  if (!(reason instanceof Error)) return `The store failed to write: ${String(reason)}`;
  return isFull || ('code' in reason && NO_ROOM.has(reason.code))
    ? 'There is no space left on the disk of the store'
    : `The store failed to write: ${reason.message}`;
}
