import type { HasMetadata } from '../metadata.ts';
import type { Versioned } from '../../kernel/record.ts';
import type { HasLinks } from './task-links.ts';
import { addedFields, completedBy, type RecordField } from './record-field.ts';

/** A card on a board. If it has a page, the page has the same id. */
export interface Task extends Versioned, HasMetadata, HasLinks {
  /** The id of the task, and of its page if it has one. */
  readonly id: string;
  /** The workspace of the record. */
  readonly workspaceId: string;
  /** The number of the task in the workspace. Never reused. */
  readonly num: number;
  /** 1-500 characters. */
  readonly title: string;
  /** Up to 50,000 characters. */
  readonly description: string;
  /** The board of the task. */
  readonly boardId: string;
  /** The status of the task on its board: its column. */
  readonly statusId: string;
  /** Sort key in the status, unique there. Within +-2^52. */
  readonly statusOrderKey: number;
  /** 0-1000: 0 none, 100 low, 200 medium, 300 high, 400 urgent; a host may define values in between. */
  readonly priority: number;
  /** Whether the task is complete. */
  readonly complete: boolean;
  /** The member who created it. */
  readonly createdById: string;
  /** `YYYY-MM-DD`. */
  readonly dateStart: string | null;
  /** `YYYY-MM-DD`, not before `dateStart`. */
  readonly dateEnd: string | null;
  /** Its id in another system, unique among the tasks of the workspace; null: none. */
  readonly externalId: string | null;
  /** Ids of tags of its board. */
  readonly tags: readonly string[];
  /** Assignments: see `core/task/assignment.ts`. */
  readonly assignees: readonly string[];
  /** The number of comments. A change of it does not raise the version. */
  readonly commentCount: number;
  /** The number of items of its checklist. */
  readonly checklistTotal: number;
  /** The number of these that are done. */
  readonly checklistDone: number;
  /** Absent if there were none. */
  readonly boardEdits?: BoardEdits;
}

/** Priorities by name; a host may use any number from 0 to 1000. */
export const Priority = {
  /** No priority: 0, the default. */
  None: 0,
  /** 100. */
  Low: 100,
  /** 200. */
  Medium: 200,
  /** 300. */
  High: 300,
  /** 400. */
  Urgent: 400,
} as const;

/**
 * Counts the changes that concern only fields visible with the board (board, status, sort key, tags), so that a viewer
 * of the task alone cannot tell them from its version.
 */
export interface BoardEdits {
  /** How many there were. */
  readonly count: number;
  /** The version of the task after the last such change. */
  readonly version: number;
  /** When another field was last changed, at most `updatedAt` of the task; valid while the task has this `version`. */
  readonly updatedAt: string;
}

const COUNT = { kind: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;

/**
 * The fields in the order of the stored layout. A new field is added at the end with the number of its layout; none may
 * be moved or removed once records have it.
 */
export const TASK_FIELDS = {
  id: { kind: 'id', about: 'The id of the task, and of its page if it has one.' },
  workspaceId: { kind: 'id', about: 'The workspace of the task.' },
  num: { ...COUNT, minimum: 1, about: 'The number of the task in the workspace. Never reused.', sorts: true },
  title: {
    kind: 'name',
    maxLength: 500,
    about: 'The title.',
    example: 'Write the release notes',
    written: { as: 'title' },
    sorts: true,
  },
  description: { kind: 'text', maxLength: 50_000, about: 'Free text.', written: { as: 'description' } },
  boardId: { kind: 'id', about: 'The board of the task.', ofBoard: true },
  statusId: { kind: 'id', about: 'The status of the task on its board.', ofBoard: true },
  statusOrderKey: { kind: 'orderKey', about: 'The sort key in the status, unique there.', ofBoard: true },
  priority: {
    kind: 'integer',
    minimum: 0,
    maximum: 1_000,
    about: '0 none, 100 low, 200 medium, 300 high, 400 urgent. A host may define values in between.',
    written: { as: 'priority' },
    sorts: true,
  },
  complete: { kind: 'flag', about: 'Whether the task is complete.', written: { as: 'complete' } },
  createdById: { kind: 'id', about: 'The member who created it.' },
  dateStart: {
    kind: 'date',
    nullable: true,
    about: 'The planned start, written as plannedStartDate.',
    written: { as: 'plannedStartDate', about: 'The planned start. Null: not set.' },
    sorts: true,
  },
  dateEnd: {
    kind: 'date',
    nullable: true,
    about: 'The planned end, written as plannedEndDate.',
    written: { as: 'plannedEndDate', about: 'The planned end, not before plannedStartDate. Null: not set.' },
    sorts: true,
  },
  externalId: { kind: 'externalId', nullable: true, written: { as: 'externalId' } },
  tags: { kind: 'ids', about: 'The tags of the task, from its board.', ofBoard: true },
  assignees: { kind: 'ids', about: 'The members whom the task is assigned to.' },
  commentCount: { ...COUNT, about: 'The number of comments.' },
  createdAt: { kind: 'time', about: 'The time of creation.', sorts: true },
  updatedAt: { kind: 'time', about: 'The time of the last change.', like: 'createdAt', sorts: true },
  version: { ...COUNT, minimum: 1, about: '1 on creation; each change adds 1.' },
  checklistTotal: { ...COUNT, about: 'The number of checklist items.', added: { layout: 2, before: 0 } },
  checklistDone: { ...COUNT, about: 'The number of checklist items that are done.', added: { layout: 2, before: 0 } },
  boardEdits: { kind: 'part', fields: { count: 'integer', version: 'integer', updatedAt: 'time' } },
  metadata: { kind: 'metadata', about: 'Fields of the host.' },
  links: { kind: 'links' },
} as const satisfies {
  readonly [Field in keyof Required<Task>]: RecordField<Task[Field]> & {
    readonly written?: { readonly as: Field | keyof PlannedDates };
  };
};

type TaskFields = typeof TASK_FIELDS;
export type TaskField = keyof TaskFields;
/** The fields that callers write. */
export type WrittenField = {
  [F in TaskField]: TaskFields[F] extends { readonly written: object } ? F : never;
}[TaskField];
type SameName = { [F in WrittenField]: TaskFields[F]['written']['as'] extends F ? F : never }[WrittenField];

/** The fields by which lists can be sorted. */
export type SortedField = {
  [F in TaskField]: TaskFields[F] extends { readonly sorts: true } ? F : never;
}[TaskField];
export const SORTED_FIELDS = Object.entries(TASK_FIELDS as Readonly<Record<string, RecordField>>).flatMap(
  ([field, { sorts }]) => (sorts === true ? [field as SortedField] : []),
);
/** Fields with another name in inputs. */
interface PlannedDates {
  /** `YYYY-MM-DD`. Null: none. */
  readonly plannedStartDate: Task['dateStart'];
  /** `YYYY-MM-DD`, not before `plannedStartDate`. Null: none. */
  readonly plannedEndDate: Task['dateEnd'];
}

/** The writable fields, by their names in inputs. */
export interface WrittenTask extends Pick<Task, SameName>, PlannedDates {}

export const WRITTEN_FIELDS: readonly (readonly [WrittenField, keyof WrittenTask])[] = Object.entries(
  TASK_FIELDS as Readonly<Record<string, RecordField>>,
).flatMap(([field, { written }]) =>
  written === undefined ? [] : [[field as WrittenField, written.as as keyof WrittenTask] as const],
);

const STORED_AS: ReadonlyMap<string, WrittenField> = new Map(WRITTEN_FIELDS.map(([field, name]) => [name, field]));

/** The fields of a task that callers write, by their names in inputs. */
export function writtenOf(task: Task): WrittenTask {
  const written: Record<string, unknown> = {};
  for (const [field, name] of WRITTEN_FIELDS) written[name] = task[field];
  return written as unknown as WrittenTask;
}

/** The stored fields for those that are written. */
export function storedFieldsOf(written: Partial<WrittenTask>): Partial<Pick<Task, WrittenField>> {
  const fields: Record<string, unknown> = {};
  // Mostly few are written.
  for (const name in written) {
    const field = STORED_AS.get(name);
    const value = written[name as keyof WrittenTask];
    if (field !== undefined && value !== undefined) fields[field] = value;
  }
  return fields;
}

const ADDED = addedFields(TASK_FIELDS);

/** The value of a field in tasks stored before it was added; undefined for a field of the first layout. */
export function valueBefore(field: TaskField): unknown {
  return ADDED.find(([added]) => added === field)?.[1];
}

/** Adds missing fields to a task of an older store or export. */
export function taskFrom(stored: Task): Task {
  // Called for every task that is read: most lack nothing.
  for (const [field] of ADDED) if (!(field in stored)) return completedBy(TASK_FIELDS, stored);
  return stored;
}

/** The version and time of a task as shown to those who may not see its board. */
export function seenWithoutBoard({
  version,
  updatedAt,
  boardEdits,
}: Pick<Task, 'version' | 'updatedAt' | 'boardEdits'>) {
  if (boardEdits === undefined) return { version, updatedAt };
  const seen = version - boardEdits.count;
  return { version: seen, updatedAt: boardEdits.version === version ? boardEdits.updatedAt : updatedAt };
}
