import { announce, cleanup } from '@atlaskit/pragmatic-drag-and-drop-live-region';
import { useEffect, useState } from 'preact/hooks';
import { Column } from './column.tsx';
import { AddForm } from './form.tsx';
import type { Records } from './records.ts';
import { LEVEL, messageOf, type Board, type Card } from './session.ts';

/** @param afterTaskId the card of the column behind which it goes; null: to its start */
export type Move = (card: Card, statusId: string, afterTaskId: string | null) => Promise<void>;

/** The columns of a board with their cards: moves cards, and says what happened to them. */
export function BoardView({ records, board }: { readonly records: Records; readonly board: Board }) {
  const { session, cards } = records;
  const [filter, setFilter] = useState('');
  const [said, setSaid] = useState<{ readonly id: string; readonly text: string; readonly isWrong: boolean }>();
  const address = { workspaceId: board.workspaceId, boardId: board.id };
  const mayEdit = records.levelOn(board.id) >= LEVEL.edit;
  const shown = cards.filter((card) => matches(card, records, filter));

  useEffect(() => {
    if (said !== undefined) announce(said.text);
    return cleanup;
  }, [said]);
  // What was said of a card does not outlast it.
  const isSaidOfNone = said !== undefined && !cards.some(({ id }) => id === said.id);
  useEffect(() => void (isSaidOfNone && setSaid(undefined)), [isSaidOfNone]);
  const say = ({ id, title }: Pick<Card, 'id' | 'title'>, what: string, isWrong = false) =>
    setSaid({ id, text: `${title}: ${what}`, isWrong });

  const move: Move = async (card, statusId, afterTaskId) => {
    const column = shown.filter((one) => one.statusId === statusId);
    const at = column.findIndex(({ id }) => id === card.id);
    if (at >= 0 && (column[at - 1]?.id ?? null) === afterTaskId) return;
    // A key that shows it at its place until the service has given it one.
    const key = column.find(({ id }) => id === afterTaskId)?.statusOrderKey ?? -Infinity;
    requestAnimationFrame(() => document.getElementById(`card-${card.id}`)?.focus());
    try {
      await records.update(card.id, { statusId, afterTaskId }, { statusId, statusOrderKey: key + 0.5 }, placeOf);
      say(card, `moved to ${board.statuses.find(({ id }) => id === statusId)!.name}.`);
    } catch (error) {
      say(card, `not moved. ${messageOf(error)}`, true);
    }
  };
  const addCard = async (statusId: string, title: string) =>
    say(await session.tasks.create({ ...address, statusId, title }), 'added.');
  const addColumn = (name: string) => session.statuses.create({ ...address, name });
  const find = (event: Event) => setFilter((event.currentTarget as HTMLInputElement).value);

  return (
    <section class="board">
      <div class="bar">
        <h1>{board.name}</h1>
        <input type="search" aria-label="Filter cards" placeholder="Filter" onInput={find} />
      </div>
      {said?.isWrong && <p class="notice">{said.text}</p>}
      <div class="columns">
        {board.statuses.map((status) => (
          <Column
            key={status.id}
            {...{ records, board, status, move }}
            cards={shown.filter(({ statusId }) => statusId === status.id)}
            onAdd={mayEdit && !status.beingRemoved && ((title) => addCard(status.id, title))}
          />
        ))}
        {mayEdit && <AddForm label="Add a column" maxLength={100} onAdd={addColumn} />}
      </div>
    </section>
  );
}

function placeOf({ statusId, statusOrderKey }: Card) {
  return { statusId, statusOrderKey };
}

/** Whether all words are somewhere in the card. Nothing is asked of the service: all cards are there. */
function matches({ num, title, description, tags, assignees }: Card, records: Records, filter: string): boolean {
  if (filter === '') return true;
  const tagNames = records.board!.tags.filter(({ id }) => tags.includes(id)).map(({ name }) => name);
  const people = assignees.map((id) => records.nameOf(id));
  const text = [`#${num}`, title, description, ...tagNames, ...people].join('\n').toLowerCase();
  const words = filter.toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word));
}
