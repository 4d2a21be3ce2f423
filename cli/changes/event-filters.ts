import { EVENT_KINDS, type EventKind } from '../../core/model/log/change-event.ts';
import { usage } from '../io/failure.ts';
import { option } from '../option.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';

/** The options that select events. */
export const EVENT_FILTERS = [
  option('--kind <kind>', `only events of these kinds: ${EVENT_KINDS.join(', ')}`, { many: true }),
  option('-b, --board <board>', 'only events about this board and its content', { many: true, field: 'boardId' }),
  option('-p, --page <page>', 'only events about this page and what it governs', { many: true, field: 'pageId' }),
];

interface EventFilterOptions {
  readonly kind?: readonly string[] | undefined;
  readonly board?: readonly string[] | undefined;
  readonly page?: readonly string[] | undefined;
}

/** The fields of the engine's input. @throws a usage failure for an unknown kind, and if a name is not found */
export async function eventFilters(workspace: WorkspaceLookup, { kind, board = [], page = [] }: EventFilterOptions) {
  const boardId = await Promise.all(board.map((ref) => workspace.board(ref)));
  const pageId = await Promise.all(page.map((ref) => workspace.page(ref)));
  return {
    ...(kind === undefined ? {} : { kind: kind.map(kindOf) }),
    ...(boardId.length === 0 ? {} : { boardId }),
    ...(pageId.length === 0 ? {} : { pageId }),
  };
}

function kindOf(text: string): EventKind {
  const kind = EVENT_KINDS.find((each) => each === text);
  if (kind === undefined) throw usage(`--kind must be ${EVENT_KINDS.join(', ')}.`);
  return kind;
}
