/**
 * Fields of the records that there are most of, in the order in which the engine makes them. A record of a
 * known shape is kept as the number of the shape and its values: a third smaller, and read faster. What is
 * stored depends on these: shapes may be added, never changed or moved. A record that fits none is kept whole.
 */
const SHAPES: readonly (readonly string[])[] = [
  [
    'id',
    'workspaceId',
    'num',
    'title',
    'description',
    'boardId',
    'statusId',
    'statusOrderKey',
    'priority',
    'complete',
    'createdById',
    'dateStart',
    'dateEnd',
    'externalId',
    'tags',
    'assignees',
    'commentCount',
    'createdAt',
    'updatedAt',
    'version',
  ],
  ['id', 'workspaceId', 'kind', 'action', 'recordId', 'version', 'userId', 'requestId', 'at'],
];

/** The record itself when it has no known shape. */
export function pack(record: object): unknown {
  const fields = Object.keys(record);
  const shape = SHAPES.findIndex(
    (each) => each.length === fields.length && each.every((field, i) => field === fields[i]),
  );
  return shape < 0 ? record : [shape, ...Object.values(record)];
}

/** @throws `TypeError` for a shape of a newer release */
export function unpack(packed: unknown): object {
  if (!Array.isArray(packed)) return packed as object;
  const fields = SHAPES[packed[0] as number];
  if (fields === undefined) throw new TypeError(`There is no shape ${packed[0]}.`);
  const record: Record<string, unknown> = {};
  for (let i = 0; i < fields.length; i += 1) record[fields[i] as string] = packed[i + 1];
  return record;
}
