import type { ChangeEvent } from '../../../core/model/log/change-event.ts';
import { MAX_LIMIT } from '../../all-items.ts';
import { wholeNumber } from '../../call.ts';
import { EVENT_FILTERS, eventFilters } from '../../changes/event-filters.ts';
import { EventNames } from '../../changes/event-names.ts';
import { relative } from '../../config/values.ts';
import { Failure, usage } from '../../io/failure.ts';
import { safe } from '../../io/safe-text.ts';
import { option } from '../../option.ts';
import type { TableColumn } from '../../output/table/column.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { type Noun, verb } from '../../verb.ts';

const MAX_WAIT = 60;

const OPTIONS = [
  option('--since <cursor>', 'list changes after this cursor; without it, print the current cursor'),
  option('--limit <number>', 'maximum changes to look at (1-500, default: 100)'),
  option('--wait <seconds>', 'how long to wait for the first event (0-60, default: 0)'),
  ...EVENT_FILTERS,
  option('--include-records', 'include the record of each event in JSON output', { field: 'include' }),
];

export const changes: Noun = {
  name: 'changes',
  summary: 'list changes in a workspace',
  verbs: [
    verb({
      name: '',
      summary: 'List the changes you can see in a workspace after a cursor, oldest first.',
      uses: ['changes.list'],
      moreFields: ['expanded', 'cursor'],
      options: OPTIONS,
      examples: [
        'changes --workspace acme',
        'changes --since "$CURSOR" --kind task --jsonl',
        'changes --since "$CURSOR" --wait 30',
      ],
      details: ['The cursor for the next call is printed to standard error.'],
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const { since, includeRecords } = call.options;
        if (since === undefined) {
          const cursor = await cursorOf(workspace);
          return call.out.show({ cursor }, () => safe`${cursor}\n`);
        }
        const limit = wholeNumber('limit', call.options.limit);
        if (limit !== undefined && (limit < 1 || limit > MAX_LIMIT)) throw usage('--limit must be 1 to 500.');
        const wait = wholeNumber('wait', call.options.wait);
        if (wait !== undefined && (wait < 0 || wait > MAX_WAIT)) throw usage('--wait must be 0 to 60.');
        const input = {
          workspaceId,
          since,
          ...(wait === undefined ? {} : { wait }),
          ...(limit === undefined ? {} : { limit }),
          ...(await eventFilters(workspace, call.options)),
          ...(includeRecords === true || call.out.isForPeople ? { include: ['record' as const] } : {}),
        };
        const { items, cursor, next } = await unlessStopped(call.io.stop, (signal) =>
          session.changes.list(input, { signal }),
        );
        const { isJson, takesNames } = call.out;
        const names = (isJson && !takesNames) || items.length === 0 ? undefined : await EventNames.of(workspace);
        for (const event of items) if (event.taskId !== null) await names?.learn(event);
        await call.out.list(
          takesNames && names !== undefined ? items.map((event) => names.expanded(event)) : items,
          names === undefined ? [] : columns(names),
        );
        call.out.note(`${next === null ? 'For later changes' : 'There are more'}: use --since ${cursor}`);
      },
    }),
  ],
};

/** @throws {Failure} when it is interrupted, as by Ctrl-C during a wait */
async function unlessStopped<T>(stop: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await run(stop);
  } catch (error) {
    throw stop.aborted ? new Failure('interrupted', 'Interrupted.', [], { cause: error }) : error;
  }
}

/** The current cursor. */
async function cursorOf({ session, workspaceId }: WorkspaceLookup): Promise<string> {
  let cursor = '';
  const onCursor = (now: string) => void (cursor = now);
  await session.workspaces.get({ workspaceId }, { onCursor });
  return cursor;
}

function columns(names: EventNames): readonly TableColumn<ChangeEvent>[] {
  return [
    { title: 'when', text: ({ at }) => (at === null ? '' : relative(at)) },
    { title: 'who', cut: true, text: ({ byId }) => names.of(byId) },
    { title: 'what', text: ({ type }) => type },
    { title: 'record', cut: true, text: (event) => names.record(event) },
    { title: 'on', cut: true, text: (event) => names.place(event) },
    { title: 'fields', cut: true, text: ({ fields }) => fields.join(' ') },
  ];
}
