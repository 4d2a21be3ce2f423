import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { announce, cleanup } from '@atlaskit/pragmatic-drag-and-drop-live-region';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { openBoard, Overtaken, type BoardState, type Place } from './board-state.ts';
import { CardDialog } from './card-dialog.tsx';
import { Column } from './column.tsx';
import { placeOf } from './drag.ts';
import { AddForm } from './form.tsx';
import { goTo } from './route.ts';
import { LEVEL, messageOf, type Board, type Card, type Page, type Scope } from './session.ts';

interface BoardProps {
  readonly scope: Scope;
  readonly page: Page;
  /** The card that is open. */
  readonly cardId: string | undefined;
}

export function BoardView({ scope, page, cardId }: BoardProps) {
  const { session, workspace, pages, listen } = scope;
  const { id: workspaceId, alias } = workspace;
  const boardId = page.id;
  const [state, setState] = useState<BoardState | null>(null);
  const [notice, setNotice] = useState('');
  const [filter, setFilter] = useState('');
  const refocus = useRef<string | null>(null);
  const forget = () => {
    setNotice('');
    cleanup();
  };

  const open = useMemo(() => openBoard(session, workspaceId, boardId, setState), []);
  useEffect(() => {
    const stop = listen((changes) => {
      // Neither does anything said of a card outlast it.
      if (changes.some(({ type }) => /hide|delete/.test(type))) forget();
      return open.hear(changes);
    });
    return () => {
      stop();
      forget();
    };
  }, []);
  useLayoutEffect(() => {
    if (refocus.current !== null) document.getElementById(`card-${refocus.current}`)?.focus();
    refocus.current = null;
  });

  useEffect(() => {
    document.title = page.name;
    return () => {
      document.title = 'Board';
    };
  }, [page.name]);

  const { board, cards } = state ?? { board: null, cards: [] };
  const shown = useMemo(() => cards.filter((card) => matches(card, board!, filter)), [state, filter]);
  const levels = useMemo(() => new Map(pages.map(({ id, access }) => [id, access])), [pages]);

  const move = async (card: Card, place: Place) => {
    const column = shown.filter(({ statusId }) => statusId === place.statusId);
    const before = column[column.findIndex(({ id }) => id === card.id) - 1]?.id ?? null;
    if (card.statusId === place.statusId && place.afterTaskId === before) return;
    const tell = (what: string, isWrong: boolean) => {
      setNotice(isWrong ? `${card.title}: ${what}` : '');
      announce(`${card.title}: ${what}`);
    };
    refocus.current = card.id;
    try {
      await open.move(card, place);
      tell(`moved to ${board!.statuses.find(({ id }) => id === place.statusId)!.name}.`, false);
    } catch (error) {
      tell(`not moved. ${error instanceof Overtaken ? 'Somebody else moved it first.' : messageOf(error)}`, true);
    }
  };
  const latest = useRef({ move, shown });
  latest.current = { move, shown };
  useEffect(() => {
    const onDrop: Parameters<typeof monitorForElements>[0]['onDrop'] = ({ source, location }) => {
      const card = latest.current.shown.find(({ id }) => id === source.data['cardId']);
      const place = card && placeOf(latest.current.shown, card, location.current.dropTargets[0]?.data);
      if (card && place) void latest.current.move(card, place);
    };
    return monitorForElements({ onDrop });
  }, []);

  if (board === null) return <p class="quiet">One moment…</p>;
  const mayEdit = page.access >= LEVEL.edit;
  const addColumn = (name: string) => session.statuses.create({ workspaceId, boardId, name });
  return (
    <section class="board" aria-labelledby="board-name">
      <div class="bar">
        <h1 id="board-name" class="text">
          {board.name}
        </h1>
        <input
          type="search"
          aria-label="Filter cards"
          placeholder="Filter"
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      {notice !== '' && <p class="notice text">{notice}</p>}
      <div class="columns">
        {board.statuses.map((status) => (
          <Column
            key={status.id}
            {...{ board, status }}
            cards={shown.filter((card) => card.statusId === status.id)}
            mayMove={({ pageId }) => (levels.get(pageId ?? boardId) ?? 0) >= LEVEL.edit}
            onOpen={({ id }) => goTo({ workspace: alias, boardId, cardId: id })}
            onMove={(card, place) => void move(card, place)}
            onAdd={
              mayEdit &&
              (async (title) => {
                await session.tasks.create({ workspaceId, boardId, statusId: status.id, title });
                announce(`${title}: added to ${status.name}.`);
              })
            }
          />
        ))}
        {mayEdit && <AddForm label="Add a column" longest={100} onAdd={addColumn} />}
      </div>
      {cardId !== undefined && (
        <CardDialog
          key={cardId}
          {...{ scope, cardId, board, open }}
          onClose={() => goTo({ workspace: alias, boardId })}
        />
      )}
    </section>
  );
}

/** Whether all words are somewhere in the card. Nothing is asked of the service: all cards are there. */
function matches({ num, title, description, tags, expanded }: Card, board: Board, filter: string): boolean {
  if (filter === '') return true;
  const names = [...board.tags.filter(({ id }) => tags.includes(id)), ...(expanded?.assignees ?? [])].map(
    ({ name }) => name,
  );
  const text = [`#${num}`, title, description, ...names].join('\n').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
