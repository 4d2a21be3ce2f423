type Values = readonly unknown[];

/**
 * Records that there are most of, with their fields in the order in which the engine makes them. A record of
 * a known shape is kept as the number of the shape and its values: smaller, and read faster. What is stored
 * depends on these: shapes may be added, never changed or moved. A record that fits none is kept whole.
 */
const SHAPES: readonly ((v: Values) => object)[] = [
  (v) => ({
    id: v[1],
    workspaceId: v[2],
    num: v[3],
    title: v[4],
    description: v[5],
    boardId: v[6],
    statusId: v[7],
    statusOrderKey: v[8],
    priority: v[9],
    complete: v[10],
    createdById: v[11],
    dateStart: v[12],
    dateEnd: v[13],
    externalId: v[14],
    tags: v[15],
    assignees: v[16],
    commentCount: v[17],
    createdAt: v[18],
    updatedAt: v[19],
    version: v[20],
  }),
  (v) => ({
    id: v[1],
    workspaceId: v[2],
    kind: v[3],
    action: v[4],
    recordId: v[5],
    version: v[6],
    userId: v[7],
    requestId: v[8],
    at: v[9],
  }),
];

const FIELDS = SHAPES.map((shape) => Object.keys(shape([])));

/** The record itself when it has no known shape. */
export function pack(record: object): unknown {
  const fields = Object.keys(record);
  const shape = FIELDS.findIndex(
    (each) => each.length === fields.length && each.every((field, i) => field === fields[i]),
  );
  return shape < 0 ? record : [shape, ...Object.values(record)];
}

/** @throws `TypeError` for a shape of a newer release */
export function unpack(packed: unknown): object {
  if (!Array.isArray(packed)) return packed as object;
  const shape = SHAPES[packed[0] as number];
  if (shape === undefined) throw new TypeError(`There is no shape ${packed[0]}.`);
  return shape(packed);
}
