import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Move } from './board.tsx';
import { AddForm } from './form.tsx';
import type { Records } from './records.ts';
import { goTo } from './route.ts';
import { LEVEL, type Board, type Card } from './session.ts';

/** How many cards of a column are put into the page at a time. */
const STEP = 50;

interface ColumnProps {
  readonly records: Records;
  readonly board: Board;
  readonly status: Board['statuses'][number];
  /** Those of the column that are shown, in order. */
  readonly cards: readonly Card[];
  readonly move: Move;
  /** False: they may not. */
  readonly onAdd: ((title: string) => Promise<unknown>) | false;
}

export function Column(props: ColumnProps) {
  const { status, cards, onAdd } = props;
  const { id, name, beingRemoved } = status;
  const column = useRef<HTMLElement>(null);
  /** The card behind which a dragged one would go, null: the start. Undefined: nothing is dragged over the column. */
  const [over, setOver] = useState<string | null>();
  const [most, setMost] = useState(STEP);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (beingRemoved) return undefined;
    return dropTargetForElements({
      element: column.current!,
      getData: ({ source, input }) => ({ after: cardAbove(column.current!, source.element, input.clientY) }),
      onDrag: ({ self }) => setOver(self.data['after'] as string | null),
      onDragLeave: () => setOver(undefined),
      onDrop({ source, self }) {
        setOver(undefined);
        const { records, move } = latest.current;
        const card = records.cards.find((one) => one.id === source.element.id);
        if (card) void move(card, id, self.data['after'] as string | null);
      },
    });
  }, [id, beingRemoved]);
  /** A long column is put into the page as far as it is scrolled. */
  const scrolled = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement) => {
    if (most < cards.length && scrollTop + 3 * clientHeight > scrollHeight) setMost(most + STEP);
  };
  return (
    <section ref={column} class="column" aria-labelledby={`column-${id}`}>
      <h2 id={`column-${id}`}>
        <span>{name}</span> <span class="quiet">{cards.length}</span>
      </h2>
      <ol class={over === null ? 'over' : ''} onScroll={(event) => scrolled(event.currentTarget)}>
        {cards.slice(0, most).map((card, at) => (
          <CardItem key={card.id} {...{ ...props, card, at }} isOver={over === card.id} />
        ))}
      </ol>
      {onAdd && <AddForm label={`Add a card to ${name}`} maxLength={500} onAdd={onAdd} />}
    </section>
  );
}

/** The id of the last card of a column whose middle is above a height of the window, but the one that is dragged. */
function cardAbove(column: Element, dragged: Element, y: number): string | null {
  const above = [...column.querySelectorAll('.card')].filter((card) => {
    const { top, height } = card.getBoundingClientRect();
    return card !== dragged && top + height / 2 < y;
  });
  return above.at(-1)?.id ?? null;
}

interface CardProps extends ColumnProps {
  readonly card: Card;
  /** Which of the cards of the column it is. */
  readonly at: number;
  /** Another one is dragged to the place behind it. */
  readonly isOver: boolean;
}

function CardItem(props: CardProps) {
  const { records, board, card, isOver } = props;
  const { id, num, title, complete, dateEnd, checklist } = card;
  const item = useRef<HTMLLIElement>(null);
  const isMovable = records.levelOn(card.pageId ?? board.id) >= LEVEL.edit;
  useEffect(() => (isMovable ? draggable({ element: item.current! }) : undefined), [isMovable]);
  const isOverdue = dateEnd !== null && !complete && dateEnd < new Date().toISOString();
  const comments = card.comments?.length ?? card.commentCount ?? 0;
  const items = checklist?.length ?? card.checklistTotal ?? 0;
  const done = checklist?.filter((one) => one.done).length ?? card.checklistDone;
  const tags = board.tags.filter((tag) => card.tags.includes(tag.id));
  return (
    <li ref={item} id={id} class={`card ${complete ? 'done' : ''} ${isOver ? 'over' : ''}`}>
      <button id={`card-${id}`} class="title" onClick={() => goTo({ card: id })}>
        {title}
      </button>
      {isMovable && <MoveMenu {...props} />}
      <p class="facts">
        <span>#{num}</span>
        {tags.map(({ id: tagId, name, color }) => (
          <span key={tagId}>
            <i style={{ background: color }} /> {name}
          </span>
        ))}
        {dateEnd !== null && <time class={isOverdue ? 'overdue' : ''}>{dateEnd}</time>}
        {items > 0 && <span>{`✓ ${done} of ${items}`}</span>}
        {comments > 0 && <span>{comments === 1 ? '1 comment' : `${comments} comments`}</span>}
        {card.assignees.map((memberId) => (
          <b key={memberId}>{records.nameOf(memberId)}</b>
        ))}
      </p>
    </li>
  );
}

/** All places that a card can go to without being dragged. */
function MoveMenu({ board, card, cards, at, move }: CardProps) {
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const id = `menu-${card.id}`;
  const choice = (label: string, statusId: string, afterTaskId: string | null) => {
    const choose = () => {
      menu.current!.hidePopover();
      void move(card, statusId, afterTaskId);
    };
    return <button onClick={choose}>{label}</button>;
  };
  const others = board.statuses.filter((status) => status.id !== card.statusId && !status.beingRemoved);
  const toggled = ({ newState }: { readonly newState: string }) => setOpen(newState === 'open');
  return (
    <>
      <button class="small" popovertarget={id} aria-label={`Move ${card.title}`}>
        ⋯
      </button>
      <div ref={menu} id={id} class="menu" popover="auto" onBeforeToggle={toggled}>
        {isOpen && at > 0 && choice('Move up', card.statusId!, cards[at - 2]?.id ?? null)}
        {isOpen && at < cards.length - 1 && choice('Move down', card.statusId!, cards[at + 1]!.id)}
        {isOpen && others.map((status) => choice(`Move to ${status.name}`, status.id, null))}
      </div>
    </>
  );
}
