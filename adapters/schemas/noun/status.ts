import { body, record } from '../components.ts';
import { acme, EXAMPLE_IDS } from '../examples.ts';
import {
  exactly,
  flag,
  id,
  integer,
  metadata,
  metadataChanges,
  name,
  onBoard,
  optional,
  orderKey,
  put,
  versioned,
} from '../fields.ts';
import { operation } from '../operation.ts';

const BASE = '/api/workspace/{workspaceId}/board/{boardId}/status';

const own = {
  name: name(100, { description: 'The name of the column.', examples: ['In progress'] }),
  orderKey: orderKey({ description: 'The sort key of the column. Ties break by creation.' }),
  done: flag({ description: 'Tasks that move into this status are completed.' }),
};

export const Status = record(
  'Status',
  'A column of a board.',
  exactly({
    id: id({ description: 'The id of the status.' }),
    ...own,
    beingRemoved: flag({
      description:
        'The status is being removed: its tasks are moved to another status. It takes no new tasks, and disappears with the last one.',
    }),
    taskCount: integer(0, Number.MAX_SAFE_INTEGER, { description: 'The number of its tasks that the caller sees.' }),
    metadata,
    ...versioned,
  }),
);

export const CreateStatus = body(
  'CreateStatus',
  exactly({
    ...onBoard,
    name: own.name,
    orderKey: optional({ ...own.orderKey, description: 'The sort key of the column. Default: after the last column.' }),
    done: optional({ ...own.done, default: false }),
    metadata: metadataChanges,
  }),
);

const address = { ...onBoard, statusId: id({ description: 'The status.' }) };

export const UpdateStatus = body(
  'UpdateStatus',
  put(
    address,
    {
      name: optional(own.name),
      orderKey: optional(own.orderKey),
      done: optional(own.done),
      metadata: metadataChanges,
    },
    Status,
  ),
);

const DeleteStatus = exactly({
  ...address,
  moveTo: optional(id({ description: 'Another status of the board. The tasks move to its end.' })),
});

export const statusOperations = [
  operation('statuses.create', {
    method: 'POST',
    path: BASE,
    tag: 'Boards',
    summary: 'Add a status to a board',
    description: 'Adds a column to the board. Requires Editing.',
    input: CreateStatus,
    output: Status,
    codes: ['quota-exceeded'],
    status: 201,
    location: '/api/workspace/{workspaceId}/board/{boardId}',
    example: { ...acme, boardId: EXAMPLE_IDS.launch, name: 'In review' },
  }),
  operation('statuses.update', {
    method: 'PUT',
    path: `${BASE}/{statusId}`,
    tag: 'Boards',
    summary: 'Change a status',
    description: 'Requires Editing. A change of done does not change its tasks.',
    input: UpdateStatus,
    output: Status,
    codes: ['being-removed'],
    conditional: true,
    example: { ...acme, boardId: EXAMPLE_IDS.launch, statusId: EXAMPLE_IDS.todo, name: 'Next' },
  }),
  operation('statuses.delete', {
    method: 'DELETE',
    path: `${BASE}/{statusId}`,
    tag: 'Boards',
    summary: 'Delete a status',
    description:
      'Refused while the status has tasks, unless moveTo names another status of the board. Many tasks are moved in steps, and the answer comes after the last: other calls run in between, and see the status as being removed. It is removed even if the caller does not wait for the answer.',
    input: DeleteStatus,
    output: null,
    codes: ['being-removed', 'column-crowded', 'status-not-empty', 'unusable-reference'],
    conditional: true,
    example: { ...acme, boardId: EXAMPLE_IDS.launch, statusId: EXAMPLE_IDS.todo, moveTo: EXAMPLE_IDS.doing },
  }),
];
