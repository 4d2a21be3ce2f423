import { EVENT_KINDS, type ChangeEvent, type EventKind } from '../../../core/model/change-event.ts';
import { wholeNumber } from '../../call.ts';
import { relative } from '../../config/values.ts';
import { Failure, usage } from '../../io/failure.ts';
import { safe } from '../../io/safe-text.ts';
import { option } from '../../option.ts';
import type { Column } from '../../output/table/column.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { type Noun, verb } from '../../verb.ts';

const LARGEST = 500;
const LONGEST = 60;

const OPTIONS = [
  option('--since <cursor>', 'only what changed after this cursor; without, its value for now is printed'),
  option('--limit <number>', 'how many changes to look at (1-500, default 100)'),
  option('--wait <seconds>', 'how long to wait for the first event (0-60, default 0)'),
  option('--kind <kind>', `only events about these kinds: ${EVENT_KINDS.join(', ')}`, { many: true }),
  option('-b, --board <board>', 'only events about this board and what is on it', { many: true, field: 'boardId' }),
  option('-p, --page <page>', 'only events about this page and what it governs', { many: true, field: 'pageId' }),
  option('--include-records', 'with the record of each event, in the JSON output', { field: 'include' }),
];

export const changes: Noun = {
  name: 'changes',
  summary: 'what has changed in a workspace',
  verbs: [
    verb({
      name: '',
      summary: 'Lists what has changed in a workspace after a cursor, oldest first, as far as the caller may see it.',
      uses: ['changes.list'],
      options: OPTIONS,
      examples: [
        'changes --workspace acme',
        'changes --since "$CURSOR" --kind task --jsonl',
        'changes --since "$CURSOR" --wait 30',
      ],
      details: ['The cursor for the next call is printed to the standard error.'],
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const { since, board = [], page = [], includeRecords } = call.options;
        if (since === undefined) return call.out.raw(safe`${await cursorOf(workspace)}\n`);
        const limit = wholeNumber('limit', call.options.limit);
        if (limit !== undefined && (limit < 1 || limit > LARGEST)) throw usage('--limit takes 1 to 500.');
        const wait = wholeNumber('wait', call.options.wait);
        if (wait !== undefined && (wait < 0 || wait > LONGEST)) throw usage('--wait takes 0 to 60.');
        const boardId = await Promise.all(board.map((ref) => workspace.board(ref)));
        const pageId = await Promise.all(page.map((ref) => workspace.page(ref)));
        const input = {
          workspaceId,
          since,
          ...(wait === undefined ? {} : { wait }),
          ...(limit === undefined ? {} : { limit }),
          ...(call.options.kind === undefined ? {} : { kind: call.options.kind.map(kindOf) }),
          ...(boardId.length === 0 ? {} : { boardId }),
          ...(pageId.length === 0 ? {} : { pageId }),
          ...(includeRecords === true || call.out.isForPeople ? { include: ['record' as const] } : {}),
        };
        const { items, cursor, next } = await unlessStopped(call.io.stop, (signal) =>
          session.changes.list(input, { signal }),
        );
        const names = call.out.isJson || items.length === 0 ? new Map<string, string>() : await namesIn(workspace);
        await call.out.list(items, columns(names));
        call.out.note(`${next === null ? 'Changes after these' : 'There are more'}: --since ${cursor}`);
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

/** The cursor of now. */
async function cursorOf({ session, workspaceId }: WorkspaceLookup): Promise<string> {
  let cursor = '';
  const onCursor = (now: string) => void (cursor = now);
  await session.workspaces.get({ workspaceId }, { onCursor });
  return cursor;
}

function kindOf(text: string): EventKind {
  const kind = EVENT_KINDS.find((each) => each === text);
  if (kind === undefined) throw usage(`--kind takes ${EVENT_KINDS.join(', ')}.`);
  return kind;
}

async function namesIn(workspace: WorkspaceLookup): Promise<ReadonlyMap<string, string>> {
  const [pages, members] = [await workspace.pages(), await workspace.formerMembers()];
  return new Map([...pages, ...members].map(({ id, name }) => [id, name]));
}

/** The number and title of a task. */
function titleOf(record: object = {}): string | null {
  return 'title' in record && 'num' in record ? `#${String(record.num)} ${String(record.title)}` : null;
}

function columns(names: ReadonlyMap<string, string>): readonly Column<ChangeEvent>[] {
  const nameOf = (id: string | null) => (id === null ? '' : (names.get(id) ?? ''));
  return [
    { title: 'when', text: ({ at }) => (at === null ? '' : relative(at)) },
    { title: 'who', cut: true, text: ({ byId }) => nameOf(byId) },
    { title: 'what', text: ({ type }) => type },
    { title: 'record', cut: true, text: ({ id, record }) => titleOf(record) ?? nameOf(id) },
    { title: 'on', cut: true, text: ({ id, boardId, pageId }) => (boardId === id ? '' : nameOf(boardId ?? pageId)) },
    { title: 'fields', cut: true, text: ({ fields }) => fields.join(' ') },
  ];
}
