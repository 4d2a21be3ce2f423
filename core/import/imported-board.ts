import type { WorkspaceAddress } from '../model/address.ts';
import type { WritesMetadata } from '../model/metadata.ts';
import type { WrittenTask } from '../model/content/task.ts';

/** A comment from another system, with its author and time. */
export interface ImportedComment {
  /** Its id in the other system. */
  readonly externalId: string;
  /** 1-20,000 characters. */
  readonly content: string;
  /** Default: the member who imports. */
  readonly authorId?: string;
  /** The time of creation. ISO 8601. */
  readonly createdAt: string;
  /** The time of the last change. Absent: never changed. */
  readonly editedAt?: string;
}

/** A checklist item from another system. */
export interface ImportedItem {
  /** 1-500 characters. */
  readonly text: string;
  /** Default false. */
  readonly done?: boolean;
  /** A member with access to the board. Absent: nobody. */
  readonly assigneeId?: string;
}

/** A task from another system, with its checklist and its comments. */
export interface ImportedTask extends Partial<WrittenTask>, WritesMetadata {
  /** Its id in the other system: a second import finds the task by it. */
  readonly externalId: string;
  /** 1-500 characters, trimmed. */
  readonly title: string;
  /** The name of a status in `statuses`. */
  readonly status: string;
  /** The names of tags in `tags`. */
  readonly tags?: readonly string[];
  /** Ids of members. Default none. */
  readonly assignees?: readonly string[];
  /** Default: `done` of the status. */
  readonly complete?: boolean;
  /** Default: the member who imports. */
  readonly createdById?: string;
  /** Default: now. ISO 8601. */
  readonly createdAt?: string;
  /** Its checklist, in order: up to 100 items. */
  readonly checklist?: readonly ImportedItem[];
  /** By creation. */
  readonly comments?: readonly ImportedComment[];
  /** Whether to import the task into the trash. A store without a trash omits it. Default false. */
  readonly archived?: boolean;
}

/** A column from another system. */
export interface ImportedStatus {
  /** 1-100 characters, unique. */
  readonly name: string;
  /** Whether its tasks are complete. Default false. */
  readonly done?: boolean;
}

/** A tag from another system. */
export interface ImportedTag {
  /** 1-100 characters, unique ignoring case. */
  readonly name: string;
  /** A CSS colour name or `#rrggbb`. */
  readonly color: string;
}

/** A board from another system. Existing records are matched by external id, statuses and tags by name. */
export interface ImportBoard extends WorkspaceAddress {
  /** The active member who owns the board. */
  readonly memberId: string;
  /** Its id in the other system: a second import finds the board by it. */
  readonly externalId: string;
  /** 1-500 characters, trimmed. */
  readonly name: string;
  /** Up to 10,000 characters. */
  readonly description?: string;
  /** The statuses, in order. Names are unique. */
  readonly statuses: readonly ImportedStatus[];
  /** The tags. Names are unique, ignoring case. */
  readonly tags: readonly ImportedTag[];
  /** The tasks, in their order in the statuses. */
  readonly tasks: readonly ImportedTask[];
}

/** Numbers of imported records, by kind. */
export interface ImportCount {
  /** Boards: 0 or 1. */
  readonly boards: number;
  /** Statuses. */
  readonly statuses: number;
  /** Tags. */
  readonly tags: number;
  /** Tasks, including those in the trash. */
  readonly tasks: number;
  /** Tasks in the trash. */
  readonly trashed: number;
  /** Checklist items. */
  readonly checklistItems: number;
  /** Comments. */
  readonly comments: number;
}

/** The result of an import of a board. */
export interface ImportReport {
  /** The board, new or found. */
  readonly boardId: string;
  /** Created records. */
  readonly created: ImportCount;
  /** Records that existed and were left unchanged. */
  readonly existing: ImportCount;
}

/** The records that a task is made of. */
export function recordsIn({ checklist = [], comments = [] }: ImportedTask): number {
  return 1 + checklist.length + comments.length;
}
