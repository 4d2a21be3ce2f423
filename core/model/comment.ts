import type { Versioned } from '../kernel/record.ts';

export interface Comment extends Versioned {
  readonly id: string;
  readonly workspaceId: string;
  readonly taskId: string;
  readonly authorId: string;
  /** 1-20,000 characters. */
  readonly content: string;
  readonly edited: boolean;
  readonly externalId: string | null;
}
