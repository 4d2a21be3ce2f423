/** A line of a file of tasks: JSON as it stands there, or a row of CSV with the same fields. */
export type LineRecord = Readonly<Record<string, unknown>>;

/** A line that says something: what, or why it cannot be understood. Lines count from 1. */
export type Line =
  | { readonly line: number; readonly record: LineRecord }
  | { readonly line: number; readonly error: unknown };

/** What the columns of CSV are called, and the fields that they give. */
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

/** Fields that a list of tasks tells, and no line can give. */
export const TOLD_ONLY: readonly string[] = [
  'workspaceId',
  'boardHidden',
  'statusOrderKey',
  'createdById',
  'createdAt',
  'updatedAt',
  'commentCount',
  'comments',
  'pageId',
  'expanded',
];

/** What the engine calls a field, and what a line may call it as well: the engine takes dates under other names than it tells them. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  plannedStartDate: 'start',
  plannedEndDate: 'end',
  dateStart: 'start',
  dateEnd: 'end',
};

/** For help and docs. */
export const LINE_FORMAT = [
  'Each line of JSON Lines is an object with these fields: title, description, board, status, priority (a number or a word), complete (true or false), start and end (dates), tags and assignees (lists), externalId. Boards, columns, tags and people go by name or id; the names that the API has for fields work as well, and so does what task list --jsonl prints.',
  'CSV has the same fields as headings in its first line, in any order: an empty cell is no value, and tags and assignees are joined by commas, with quotes around one that has a comma in it. task list --csv prints it. A file is CSV when its name ends in .csv, or from the standard input when it does not begin with a brace.',
];
