import { useEffect, useRef, useState } from 'preact/hooks';
import type { Place } from './board-state.ts';
import { CardItem } from './card.tsx';
import { dropInto } from './drag.ts';
import { AddForm } from './form.tsx';
import type { Board, Card } from './session.ts';

/** How many cards of a column are put into the page at a time. */
const STEP = 50;

/** What each card of a column is given too. */
export interface OnBoard {
  readonly board: Board;
  /** The cards of the column that are shown. */
  readonly cards: readonly Card[];
  readonly mayMove: (card: Card) => boolean;
  readonly onOpen: (card: Card) => void;
  readonly onMove: (card: Card, place: Place) => void;
}

interface ColumnProps extends OnBoard {
  readonly status: Board['statuses'][number];
  /** False: they may not. */
  readonly onAdd: ((title: string) => Promise<void>) | false;
}

export function Column({ status, onAdd, ...onBoard }: ColumnProps) {
  const list = useRef<HTMLOListElement>(null);
  const [isOver, setOver] = useState(false);
  const [most, setMost] = useState(STEP);
  const { cards } = onBoard;
  const { id, name, beingRemoved } = status;
  useEffect(() => (beingRemoved ? undefined : dropInto(list.current!, id, setOver)), [id, beingRemoved]);
  /** A long column is put into the page as far as it is scrolled. */
  const scrolled = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement) => {
    if (most < cards.length && scrollTop + 3 * clientHeight > scrollHeight) setMost(most + STEP);
  };
  return (
    <section class={isOver ? 'column over' : 'column'} aria-labelledby={`column-${id}`}>
      <h2 id={`column-${id}`}>
        <span class="text">{name}</span> <span class="quiet">{cards.length}</span>
      </h2>
      <ol ref={list} onScroll={(event) => scrolled(event.currentTarget)}>
        {cards.slice(0, most).map((card, at) => (
          <CardItem key={card.id} {...{ card, at }} {...onBoard} />
        ))}
      </ol>
      {onAdd && !beingRemoved && <AddForm label={`Add a card to ${name}`} longest={500} onAdd={onAdd} />}
    </section>
  );
}
