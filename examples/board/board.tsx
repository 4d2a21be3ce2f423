import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { Level, type BoardView, type StatusView } from 'espalier/client';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { goTo } from './address.ts';
import { AddForm } from './form.tsx';
import { pageOf, timeHere, type Card, type Records } from './records.ts';

/** The page has the title of its heading, each time that is drawn. */
const entitle = (heading: Element | null) => void (document.title = heading?.textContent ?? 'Board');

/** How many cards of a column are put into the page at a time. */
const STEP = 50;

/** The columns of a board with the cards that a filter leaves, and what happened to one. */
export function Board({ records, board }: Readonly<{ records: Records; board: BoardView }>) {
  const { session, said, cards } = records;
  const [filter, setFilter] = useState('');
  const shown = filter === '' ? cards : cards.filter((card) => matches(card, records, filter));
  const addColumn = (name: string) =>
    session.statuses.create({ workspaceId: board.workspaceId, boardId: board.id, name });
  const mayEdit = records.may(Level.Edit, board.id);
  const find = (event: InputEvent) => setFilter((event.currentTarget as HTMLInputElement).value);
  /** The card that has the focus, had it when it was opened, or is dragged, and those beside it. */
  const focused = useRef<readonly (string | undefined)[]>([]);
  const keep = ({ target }: Event) => {
    const card = (target as Element).closest('.card');
    focused.current = [card, card?.nextElementSibling, card?.previousElementSibling].map((one) => one?.id);
  };
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) return;
    const titles = focused.current.map((id) => document.getElementById(`card-${id}`));
    titles.find((title) => title !== null)?.focus({ preventScroll: true });
  });
  return (
    <section class="board" onFocusIn={keep} onPointerDown={() => (focused.current = [])} onDragStart={keep}>
      <div class="bar">
        <h1 ref={(heading) => entitle(heading)}>{board.name}</h1>
        <input type="search" aria-label="Filter cards" placeholder="Filter" onInput={find} />
      </div>
      <p role="status" class={said?.isWrong ? 'notice' : ''}>
        <span key={said}>{said?.text}</span>
      </p>
      <div class="columns">
        {board.statuses.map((status) => {
          const own = shown.filter(({ statusId }) => statusId === status.id);
          return <Column key={status.id} {...{ records, board, status, cards: own }} />;
        })}
        <AddForm draft={records.draftAt(board.id)} label="Add a column" may={mayEdit} onAdd={addColumn} />
      </div>
    </section>
  );
}

/*
 * Effects hold on to all that the functions beside them use, until they are run again. So they are apart from components
 * that know cards: of one that is hidden nothing stays in memory.
 */

/** The card behind which one that is dragged over a column would go, null: to the start. Undefined: none is. */
function useDropTarget(records: Records, { id, beingRemoved }: StatusView) {
  const [over, setOver] = useState<string | null>();
  const drops = () =>
    dropTargetForElements({
      element: document.getElementById(id)!,
      canDrop: () => !beingRemoved,
      getData: ({ source, input, element }) => ({ after: cardAbove(element, source.element, input.clientY) }),
      onDrag: ({ self }) => setOver(self.data['after'] as string | null),
      onDragLeave: () => setOver(undefined),
      onDrop({ source, self }) {
        setOver(undefined);
        void records.move(source.element.id, id, self.data['after'] as string | null);
      },
    });
  useEffect(drops, [id, beingRemoved]);
  return over;
}

/** Whether all words are somewhere in the card. Nothing is asked of the service: all cards are there. */
function matches({ num, title, description, tags, assignees }: Card, records: Records, filter: string): boolean {
  const tagNames = records.board!.tags.filter(({ id }) => tags.includes(id)).map(({ name }) => name);
  const text = [`#${num}`, title, description, ...tagNames, ...assignees.map((id) => records.nameOf(id))].join('\n');
  return filter.split(/\s+/).every((word) => text.toLowerCase().includes(word.toLowerCase()));
}

/** @param cards those of the column that are shown, in order */
type ColumnProps = Readonly<{ records: Records; board: BoardView; status: StatusView; cards: readonly Card[] }>;

function Column({ records, board, status, status: { id, name, beingRemoved }, cards }: ColumnProps) {
  const over = useDropTarget(records, status);
  const mayAdd = records.may(Level.Edit, board.id) && !beingRemoved;
  const add = (title: string) => records.add(board, id, title);
  const [most, setMost] = useState(STEP);
  /** A long column is put into the page as far as it is scrolled. */
  const scrolled = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement) =>
    void (most < cards.length && scrollTop + 3 * clientHeight > scrollHeight && setMost(most + STEP));
  return (
    <section id={id} class="column" aria-labelledby={`column-${id}`}>
      <h2 id={`column-${id}`}>
        <span>{name}</span> <span class="quiet">{cards.length}</span>
      </h2>
      <ol class={over === null ? 'over' : ''} onScroll={(event) => scrolled(event.currentTarget)}>
        {cards.slice(0, most).map((card, at) => (
          <CardItem key={card.id} {...{ records, board, cards, card, at }} isOver={over === card.id} />
        ))}
      </ol>
      <AddForm draft={records.draftAt(id)} label={`Add a card to ${name}`} may={mayAdd} onAdd={add} />
    </section>
  );
}

/** The id of the last card of a column whose middle is above a height of the window, but the one that is dragged. */
function cardAbove(column: Element, dragged: Element, y: number): string | null {
  const middleOf = ({ top, bottom }: DOMRect) => (top + bottom) / 2;
  const cards = [...column.querySelectorAll('.card')].filter((card) => card !== dragged);
  return cards.findLast((card) => middleOf(card.getBoundingClientRect()) < y)?.id ?? null;
}

/** A card, which of those of its column it is, and whether another one is dragged to the place behind it. */
type CardProps = Omit<ColumnProps, 'status'> & Readonly<{ card: Card; at: number; isOver?: boolean }>;

function CardItem({ records, board, cards, card, at, isOver }: CardProps) {
  const { id, complete, dateEnd, checklist, childCount, tags } = card;
  const isOverdue = dateEnd !== null && !complete && dateEnd < timeHere().slice(0, 10);
  const comments = card.comments?.length ?? card.commentCount ?? 0;
  const items = checklist?.length ?? card.checklistTotal ?? 0;
  const done = checklist?.filter((one) => one.done).length ?? card.checklistDone;
  return (
    <li id={id} class={`card ${complete ? 'done' : ''} ${isOver ? 'over' : ''}`}>
      <button id={`card-${id}`} class="title" onClick={() => goTo({ card: id })}>
        {card.title}
      </button>
      {records.may(Level.Edit, pageOf(card)) && <MoveMenu {...{ records, board, cards, card, at }} />}
      <p class="facts">
        <span>#{card.num}</span>
        {card.blocked && <span class="warn">Blocked</span>}
        {board.tags.map((tag) => tags.includes(tag.id) && <span style={{ '--tag': tag.color }}>{tag.name}</span>)}
        {dateEnd !== null && <time class={isOverdue ? 'warn' : ''}>{dateEnd}</time>}
        {items > 0 && <span>{`✓ ${done} of ${items}`}</span>}
        {childCount > 0 && <span>{`${card.childDone} of ${childCount} children done`}</span>}
        {comments > 0 && <span>{comments === 1 ? '1 comment' : `${comments} comments`}</span>}
        {card.assignees.map((memberId) => (
          <b key={memberId}>{records.nameOf(memberId)}</b>
        ))}
      </p>
    </li>
  );
}

/** All places that a card can go to without being dragged, as it can be where this is. */
function MoveMenu({ records, board, card, cards, at }: CardProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => draggable({ element: document.getElementById(card.id)! }), []);
  const id = `menu-${card.id}`;
  const choice = (label: string, statusId: string, after: string | null) => (
    <button popovertarget={id} popovertargetaction="hide" onClick={() => void records.move(card.id, statusId, after)}>
      {label}
    </button>
  );
  const others = board.statuses.filter((status) => status.id !== card.statusId && !status.beingRemoved);
  return (
    <>
      <button class="small move" popovertarget={id} aria-label={`Move ${card.title}`} />
      <div id={id} class="menu" popover="auto" onBeforeToggle={({ newState }) => setOpen(newState === 'open')}>
        {isOpen && at > 0 && choice('Move up', card.statusId!, cards[at - 2]?.id ?? null)}
        {isOpen && at < cards.length - 1 && choice('Move down', card.statusId!, cards[at + 1]!.id)}
        {isOpen && others.map((status) => choice(`Move to ${status.name}`, status.id, null))}
      </div>
    </>
  );
}
