import { useEffect, useRef, useState } from 'preact/hooks';
import { accessLines, Details, historyLines } from './details.tsx';
import { EditForm } from './edit-form.tsx';
import { AddForm, Form } from './form.tsx';
import type { Records } from './records.ts';
import { goTo } from './route.ts';
import { LEVEL, messageOf, type Card } from './session.ts';

/** A card opened. It closes when the card is gone. */
export function CardDialog({ records, cardId }: { readonly records: Records; readonly cardId: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isRead, setRead] = useState(false);
  const [problem, setProblem] = useState('');
  const card = records.cards.find(({ id }) => id === cardId);
  const isGone = isRead && card === undefined;
  const close = () => dialog.current!.close();
  useEffect(() => {
    dialog.current!.showModal();
    records.cardId = cardId;
    const failed = (error: unknown) => setProblem(messageOf(error));
    records.readCard(cardId).then(() => setRead(true), failed);
    return () => void (records.cardId = undefined);
  }, []);
  useEffect(() => void (isGone && close()), [isGone]);

  return (
    <dialog ref={dialog} aria-labelledby="card-name" onClose={() => goTo({ card: undefined })}>
      <form method="dialog">
        <h2 id="card-name">{card ? `#${card.num} ${card.title}` : 'One moment…'}</h2>
        <button>Close</button>
      </form>
      {problem !== '' && <p role="alert">{problem}</p>}
      {card && isRead && <Opened {...{ records, card, close }} />}
    </dialog>
  );
}

interface OpenedProps {
  readonly records: Records;
  readonly card: Card;
  readonly close: () => void;
}

/** What is written in it comes back as a change, like what others write. */
function Opened({ records, card, close }: OpenedProps) {
  const { checklist = [], comments = [] } = card;
  const { session } = records;
  const address = records.addressOf(card.id);
  const level = records.levelOn(card.pageId ?? card.boardId!);
  const mayEdit = level >= LEVEL.edit;
  /** The item whose tick is on its way. */
  const [ticking, setTicking] = useState<{ readonly itemId: string; readonly done: boolean }>();
  const tick = async (itemId: string, done: boolean) => {
    setTicking({ itemId, done });
    try {
      await session.checklists.update({ ...address, itemId, done });
      await records.readCard(card.id);
    } finally {
      setTicking(undefined);
    }
  };
  const addItem = (text: string) => session.checklists.create({ ...address, text });
  const addComment = (content: string) => session.comments.create({ ...address, content });
  return (
    <>
      {mayEdit && <EditForm {...{ records, card, close }} />}
      {!mayEdit && <p class="prose">{card.description || 'No description.'}</p>}
      {(mayEdit || checklist.length > 0) && <h3>Checklist</h3>}
      <ul class="checklist">
        {checklist.map(({ id: itemId, text, done }) => (
          <li key={itemId}>
            {!mayEdit && `${done ? '✓' : '○'} ${text}`}
            {mayEdit && (
              <Form onSend={() => tick(itemId, !done)}>
                <label class="check">
                  <input
                    type="checkbox"
                    checked={ticking?.itemId === itemId ? ticking.done : done}
                    onChange={(event) => event.currentTarget.form!.requestSubmit()}
                  />
                  {text}
                </label>
              </Form>
            )}
            {mayEdit && (
              <Form onSend={() => session.checklists.delete({ ...address, itemId })}>
                <button class="small" aria-label={`Remove ${text}`}>
                  ×
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {mayEdit && <AddForm label="Add an item" maxLength={500} onAdd={addItem} />}
      <h3>Comments</h3>
      {comments.map(({ id, authorId, content, createdAt, edited }) => (
        <article key={id}>
          <p class="quiet">{`${records.nameOf(authorId)}, ${createdAt.slice(0, 10)}${edited ? ' (edited)' : ''}`}</p>
          <p class="prose">{content}</p>
        </article>
      ))}
      {level >= LEVEL.comment && <AddForm label="Add a comment" maxLength={20_000} onAdd={addComment} />}
      <Details summary="History" {...{ records, card }} read={historyLines} />
      <Details summary="My access, and why" {...{ records, card }} read={accessLines} />
    </>
  );
}
