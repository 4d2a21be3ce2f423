import type { Level } from './level.ts';
import type { Versioned } from '../kernel/record.ts';

export type PageType = 'folder' | 'board' | 'task';

/** A node of a workspace's tree. It shares its id with the board or task it shows. */
export interface Page extends Versioned {
  readonly id: string;
  readonly workspaceId: string;
  /** 1-500 characters. */
  readonly name: string;
  readonly type: PageType;
  readonly parentId: string | null;
  /** Sorts siblings. Sparse, so that a move rewrites one page. Within +-2^52. */
  readonly orderKey: number;
  /** The board or task of the same id, null when there is none. */
  readonly contentId: string | null;
  /** Of a task page with content: the board that its task is on. */
  readonly boardId: string | null;
  readonly createdById: string;
  readonly settings: AccessSettings;
  /** Access set on this page, by member id. */
  readonly entries: Readonly<Record<string, Level>>;
}

/** Whether a page inherits access from its parent. `defaultAccess` is null exactly when it does. */
export interface AccessSettings extends Versioned {
  readonly inherit: boolean;
  readonly defaultAccess: Level | null;
}
