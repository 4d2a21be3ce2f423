import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import type { Place } from './board-state.ts';
import type { Card } from './session.ts';

/** Where on a card another one hovers; undefined: nowhere. */
export type Edge = 'top' | 'bottom' | undefined;

/** Lets a card be dragged, and others be dropped before or behind it. */
export function dragCard(
  element: HTMLElement,
  { id: cardId, statusId }: Card,
  mayMove: boolean,
  hover: (edge: Edge) => void,
): () => void {
  const target = dropTargetForElements({
    element,
    canDrop: ({ source }) => source.data['cardId'] !== cardId,
    getData({ input }) {
      const { top, height } = element.getBoundingClientRect();
      return { statusId, cardId, edge: input.clientY < top + height / 2 ? 'top' : 'bottom' };
    },
    onDrag: ({ self }) => hover(self.data['edge'] as Edge),
    onDragLeave: () => hover(undefined),
    onDrop: () => hover(undefined),
  });
  return mayMove ? combine(target, draggable({ element, getInitialData: () => ({ cardId }) })) : target;
}

/** Lets cards be dropped into a column, behind all others. */
export function dropInto(element: HTMLElement, statusId: string, hover: (isOver: boolean) => void): () => void {
  return dropTargetForElements({
    element,
    getData: () => ({ statusId }),
    onDragEnter: () => hover(true),
    onDragLeave: () => hover(false),
    onDrop: () => hover(false),
  });
}

/** Where a card goes that was dropped on something with this data. */
export function placeOf(cards: readonly Card[], card: Card, target?: Readonly<Record<string, unknown>>): Place | null {
  const statusId = target?.['statusId'];
  if (typeof statusId !== 'string') return null;
  const column = cards.filter((one) => one.statusId === statusId && one.id !== card.id);
  const at = column.findIndex(({ id }) => id === target!['cardId']);
  const before = at < 0 ? column.length - 1 : target!['edge'] === 'top' ? at - 1 : at;
  return { statusId, afterTaskId: column[before]?.id ?? null };
}
