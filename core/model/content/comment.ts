import type { HasMetadata } from '../metadata.ts';
import type { Versioned } from '../../kernel/record.ts';

/** A comment on a task. */
export interface Comment extends Versioned, HasMetadata {
  /** UUID. */
  readonly id: string;
  /** The workspace of the record. */
  readonly workspaceId: string;
  /** The task of the record. */
  readonly taskId: string;
  /** The author. */
  readonly authorId: string;
  /** 1-20,000 characters. */
  readonly content: string;
  /** Whether the content was changed after creation. */
  readonly edited: boolean;
  /** Its id in another system, unique among the comments of the workspace; null: none. */
  readonly externalId: string | null;
}
