import { useEffect, useRef, useState } from 'preact/hooks';
import type { Place } from './board-state.ts';
import type { OnBoard } from './column.tsx';
import { dragCard, type Edge } from './drag.ts';
import type { Card } from './session.ts';

interface CardProps extends OnBoard {
  readonly card: Card;
  /** Which of the column's cards it is. */
  readonly at: number;
}

export function CardItem(props: CardProps) {
  const { card, board, mayMove, onOpen } = props;
  const item = useRef<HTMLLIElement>(null);
  const [edge, setEdge] = useState<Edge>();
  const { id, title, statusId, dateEnd, commentCount, checklistDone, checklistTotal, tags } = card;
  const isMovable = mayMove(card);
  useEffect(() => dragCard(item.current!, card, isMovable, setEdge), [id, statusId, isMovable]);
  const isOverdue = dateEnd !== null && !card.complete && dateEnd < new Date().toISOString();
  return (
    <li ref={item} class={card.complete ? 'card done' : 'card'} data-edge={edge}>
      <button id={`card-${id}`} class="title text" onClick={() => onOpen(card)}>
        {title}
      </button>
      {isMovable && <MoveMenu {...props} />}
      <p class="facts">
        <span>#{card.num}</span>
        {board.tags.map(
          (tag) =>
            tags.includes(tag.id) && (
              <span key={tag.id} class="tag text">
                <i style={{ background: tag.color }} />
                {tag.name}
              </span>
            ),
        )}
        {dateEnd !== null && <time class={isOverdue ? 'overdue' : ''}>{dateEnd}</time>}
        {checklistTotal > 0 && <span>{`✓ ${checklistDone} of ${checklistTotal}`}</span>}
        {commentCount > 0 && <span>{commentCount === 1 ? '1 comment' : `${commentCount} comments`}</span>}
        {card.expanded?.assignees?.map(({ id: memberId, name }) => (
          <span key={memberId} class="person text">
            {name ?? 'Somebody'}
          </span>
        ))}
      </p>
    </li>
  );
}

/** All places that a card can go to without being dragged. */
function MoveMenu(props: CardProps) {
  const { card, onMove } = props;
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const id = `menu-${card.id}`;
  const chosen = (place: Place) => {
    menu.current!.hidePopover();
    onMove(card, place);
  };
  return (
    <>
      <button class="small" popovertarget={id} aria-label={`Move ${card.title}`}>
        ⋯
      </button>
      <div
        ref={menu}
        id={id}
        class="menu"
        popover="auto"
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen &&
          choices(props).map(([label, place]) => (
            <button key={label} class="text" onClick={() => chosen(place)}>
              {label}
            </button>
          ))}
      </div>
    </>
  );
}

function choices({ card, cards, at, board }: CardProps): (readonly [label: string, place: Place])[] {
  const behind = (n: number) => ({ statusId: card.statusId!, afterTaskId: cards[n]?.id ?? null });
  const others = board.statuses.filter(({ id, beingRemoved }) => id !== card.statusId && !beingRemoved);
  return [
    ...(at > 0 ? [['Move up', behind(at - 2)] as const] : []),
    ...(at < cards.length - 1 ? [['Move down', behind(at + 1)] as const] : []),
    ...others.map(({ id, name }) => [`Move to ${name}`, { statusId: id, afterTaskId: null }] as const),
  ];
}
