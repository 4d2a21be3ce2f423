/** A line of a file of tasks: an object of JSON Lines, or a row of CSV with the same fields. */
export type LineRecord = Readonly<Record<string, unknown>>;

/** A non-empty line: its record, or the error. Lines count from 1. */
export type TaskLine =
  | {
      readonly line: number;
      readonly record: LineRecord;
      /** Maps a text to what is read after the format has written it. Absent: the text stays the same. */
      readonly asRead?: (field: string, text: string) => unknown;
    }
  | { readonly line: number; readonly error: unknown };

/** The headings of CSV columns, and their fields. */
export const CSV_FIELDS = [
  'num',
  'title',
  'description',
  'board',
  'status',
  'priority',
  'complete',
  'start',
  'end',
  'tags',
  'assignees',
  'externalId',
] as const;

/** Read-only fields in a list of tasks, which lines may contain but not set. */
export const READ_ONLY: readonly string[] = [
  'workspaceId',
  'boardHidden',
  'statusOrderKey',
  'createdById',
  'createdAt',
  'updatedAt',
  'commentCount',
  'parentTaskId',
  'links',
  'childCount',
  'childDone',
  'blocked',
  'checklist',
  'checklistTotal',
  'checklistDone',
  'comments',
  'pageId',
  'expanded',
];

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['plannedStartDate', 'start'],
  ['plannedEndDate', 'end'],
  ['dateStart', 'start'],
  ['dateEnd', 'end'],
]);

/** The name of a field in lines: inputs and outputs of the engine have different names for dates. */
export function fieldNamed(name: string): string {
  return ALIASES.get(name) ?? name;
}

/** A description for help and docs. */
export const LINE_FORMAT = [
  'Each line of JSON Lines is an object with these fields: title, description, board, status, priority (number or word), complete (true or false), start and end (dates), tags and assignees (lists), externalId, metadata (an object, merged; null removes a key). Give boards, columns, tags and people by name or id. Field names of the API and the output of task list --jsonl work as well.',
  'CSV has the same fields as headings in its first line, in any order, separated by commas, semicolons or tabs, with metadata.KEY for each metadata key. An empty cell is no value; tags and assignees are comma-separated, with quotes around a name that contains a comma. task list --csv prints it. A file is CSV if its name ends in .csv or .tsv, or if it has no extension (or is standard input or a pipe) and does not begin with a brace.',
];
