import type { Versioned } from '../kernel/record.ts';
import { addedFields, completedBy, type RecordField } from './record-field.ts';

/** A card on a board. When it has a page, the page has the same id. */
export interface Task extends Versioned {
  /** Also that of its page, when it has one. */
  readonly id: string;
  /** The workspace that it is in. */
  readonly workspaceId: string;
  /** Running number in the workspace. Never reused. */
  readonly num: number;
  /** 1-500 characters. */
  readonly title: string;
  /** Up to 50,000 characters. */
  readonly description: string;
  readonly boardId: string;
  readonly statusId: string;
  /** Sort key in the status, unique there. Within +-2^52. */
  readonly statusOrderKey: number;
  /** 0-1000: 0 none, 100 low, 200 medium, 300 high, 400 urgent; in between is the host's own. */
  readonly priority: number;
  /** Completion flag. */
  readonly complete: boolean;
  /** The member who made it. */
  readonly createdById: string;
  /** `YYYY-MM-DD`. */
  readonly dateStart: string | null;
  /** `YYYY-MM-DD`, not before `dateStart`. */
  readonly dateEnd: string | null;
  /** Its id in another system, unique among the tasks of the workspace; null: none. */
  readonly externalId: string | null;
  /** Ids of tags of its board. */
  readonly tags: readonly string[];
  /** Assignments, which name members: see `core/task/assignment.ts`. */
  readonly assignees: readonly string[];
  /** How many comments the task has. Changing it does not raise the version. */
  readonly commentCount: number;
  /** Absent: there were none. */
  readonly boardEdits?: BoardEdits;
}

/** Priorities by name; a host may use any number from 0 to 1000. */
export const Priority = { None: 0, Low: 100, Medium: 200, High: 300, Urgent: 400 } as const;

/** Changes of nothing but what is seen together with the board: board, status, place in it and tags. */
export interface BoardEdits {
  readonly count: number;
  /** That of the task behind the last of them. */
  readonly version: number;
  /** When something else was changed last, as long as the task has this version. */
  readonly updatedAt: string;
}

const COUNT = { kind: 'integer', least: 0, most: Number.MAX_SAFE_INTEGER } as const;

/**
 * The fields in the order in which stored records have them. One that is added says with which layout it came; none
 * may be moved or taken away once records have it.
 */
export const TASK_FIELDS = {
  id: { kind: 'id', about: 'Also that of its page, when it has one.' },
  workspaceId: { kind: 'id' },
  num: { ...COUNT, least: 1, about: 'Running number in the workspace. Never reused.' },
  title: { kind: 'name', longest: 500, example: 'Write the release notes', written: { as: 'title' } },
  description: { kind: 'text', longest: 50_000, written: { as: 'description' } },
  boardId: { kind: 'id', ofBoard: true },
  statusId: { kind: 'id', ofBoard: true },
  statusOrderKey: { kind: 'orderKey', about: 'Sort key in the status, unique there.', ofBoard: true },
  priority: {
    kind: 'integer',
    least: 0,
    most: 1_000,
    about: '0 none, 100 low, 200 medium, 300 high, 400 urgent; in between is the own of the host.',
    written: { as: 'priority' },
  },
  complete: { kind: 'flag', about: 'Completion flag.', written: { as: 'complete' } },
  createdById: { kind: 'id', about: 'The member who made it.' },
  dateStart: { kind: 'date', nullable: true, about: 'The plannedStartDate.', written: { as: 'plannedStartDate' } },
  dateEnd: {
    kind: 'date',
    nullable: true,
    about: 'The plannedEndDate.',
    written: { as: 'plannedEndDate', about: 'Not before plannedStartDate.' },
  },
  externalId: { kind: 'externalId', nullable: true, written: { as: 'externalId' } },
  tags: { kind: 'ids', ofBoard: true },
  assignees: { kind: 'ids', about: 'Members.' },
  commentCount: COUNT,
  createdAt: { kind: 'time', about: 'When it was created.' },
  updatedAt: { kind: 'time', about: 'When it was last changed.', like: 'createdAt' },
  version: { ...COUNT, least: 1, about: '1 on creation, +1 per change.' },
  boardEdits: { kind: 'part', fields: { count: 'integer', version: 'integer', updatedAt: 'time' } },
} as const satisfies {
  readonly [Field in keyof Required<Task>]: RecordField<Task[Field]> & {
    readonly written?: { readonly as: Field | keyof PlannedDates };
  };
};

type Fields = typeof TASK_FIELDS;
export type TaskField = keyof Fields;
/** The fields that a caller writes as they are. */
export type WrittenField = {
  [F in TaskField]: Fields[F] extends { readonly written: object } ? F : never;
}[TaskField];
type SameName = { [F in WrittenField]: Fields[F]['written']['as'] extends F ? F : never }[WrittenField];

/** Fields that are written under another name. */
interface PlannedDates {
  /** `YYYY-MM-DD`. Null: none. */
  readonly plannedStartDate: Task['dateStart'];
  /** `YYYY-MM-DD`, not before `plannedStartDate`. Null: none. */
  readonly plannedEndDate: Task['dateEnd'];
}

/** What a caller writes as it is, by the names under which they do. */
export interface WrittenTask extends Pick<Task, SameName>, PlannedDates {}

export const WRITTEN_FIELDS: readonly (readonly [WrittenField, keyof WrittenTask])[] = Object.entries(
  TASK_FIELDS as Readonly<Record<string, RecordField>>,
).flatMap(([field, { written }]) =>
  written === undefined ? [] : [[field as WrittenField, written.as as keyof WrittenTask] as const],
);

/** What a caller could have written for the task to be as it is. */
export function writtenOf(task: Task): WrittenTask {
  const written: Record<string, unknown> = {};
  for (const [field, name] of WRITTEN_FIELDS) written[name] = task[field];
  return written as unknown as WrittenTask;
}

/** The fields of a task that has this written. */
export function fieldsOf(written: WrittenTask): Pick<Task, WrittenField> {
  const fields: Record<string, unknown> = {};
  for (const [field, name] of WRITTEN_FIELDS) fields[field] = written[name];
  return fields as unknown as Pick<Task, WrittenField>;
}

const ADDED = addedFields(TASK_FIELDS);

/** The value that tasks have from before the field came; undefined: it has always been there. */
export function valueBefore(field: TaskField): unknown {
  return ADDED.find(([added]) => added === field)?.[1];
}

/** A task as a store or an export has it, maybe from before some of its fields came. */
export function taskFrom(stored: Task): Task {
  return ADDED.length === 0 ? stored : completedBy(TASK_FIELDS, stored);
}

/** Version and time of a task as seen without its board. */
export function seenAlone({ version, updatedAt, boardEdits }: Pick<Task, 'version' | 'updatedAt' | 'boardEdits'>) {
  if (boardEdits === undefined) return { version, updatedAt };
  const seen = version - boardEdits.count;
  return { version: seen, updatedAt: boardEdits.version === version ? boardEdits.updatedAt : updatedAt };
}
