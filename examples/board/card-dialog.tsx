import { describeAccessStep, describeHistoryEntry, Level } from 'espalier/client';
import type { ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { goTo, hrefOf, routeNow } from './address.ts';
import { EditForm } from './edit-form.tsx';
import { AddForm, Form, isEdited } from './form.tsx';
import { messageOf, pageOf, timeHere, type Card, type Records } from './records.ts';

/** A card opened. It closes when the card is gone. */
export function CardDialog({ records, cardId }: Readonly<{ records: Records; cardId: string }>) {
  /** Why the card is not shown; empty: it was read. */
  const [waiting, setWaiting] = useState('One moment…');
  const card = records.cards.find(({ id }) => id === cardId);
  useEffect(() => document.querySelector('dialog')!.showModal(), []);
  const failed = (error: unknown) => setWaiting((before) => before && messageOf(error));
  // Again when the service can be reached again. What was read stays.
  useEffect(() => void records.readCard(cardId).then(() => setWaiting(''), failed), [records.problem]);
  useEffect(() => void (waiting === '' && !card && goTo({ card: undefined })));
  /** By the address, where it is asked for consent. */
  const leave = (event: Event) => {
    event.preventDefault();
    goTo({ card: undefined });
  };
  return (
    <dialog aria-labelledby="card-name" onCancel={leave} onClose={leave}>
      <form method="dialog" onSubmit={leave}>
        <h2 id="card-name">{card ? `#${card.num} ${card.title}` : waiting}</h2>
        <button>Close</button>
      </form>
      {card && (waiting === '' ? <Opened {...{ records, card }} /> : <p>{waiting}</p>)}
    </dialog>
  );
}

/** What is written in it comes back as a change, like what others write. */
function Opened({ records, card }: Readonly<{ records: Records; card: Card }>) {
  const { id: taskId, workspaceId, checklist = [], comments = [], links = [] } = card;
  const { session } = records;
  const address = { workspaceId, taskId };
  const mayEdit = records.may(Level.Edit, pageOf(card));
  const mayComment = records.may(Level.Comment, pageOf(card));
  // What is written stays where one may save it no more.
  const isForm = mayEdit || isEdited();
  const submit = (event: Event) => (event.currentTarget as HTMLInputElement).form!.requestSubmit();
  const addItem = (text: string) => session.checklists.create({ ...address, text });
  const addComment = (content: string) => session.comments.create({ ...address, content });
  const tick = (itemId: string, done: boolean) => {
    const ticked = checklist.map((item) => (item.id === itemId ? { ...item, done } : item));
    const send = () => session.checklists.update({ ...address, itemId, done }).then(() => records.readCard(taskId));
    return records.meanwhile(taskId, { checklist: ticked }, send);
  };
  return (
    <>
      {isForm ? <EditForm {...{ records, card }} /> : <p class="prose">{card.description || 'No description.'}</p>}
      {(mayEdit || checklist.length > 0) && <h3>Checklist</h3>}
      <ul class="checklist">
        {checklist.map(({ id: itemId, text, done }) => (
          <li key={itemId}>
            {!mayEdit && `${done ? '✓' : '○'} ${text}`}
            {mayEdit && (
              <Form mayOverlap onSend={(_, form) => tick(itemId, form.querySelector('input')!.checked)}>
                <label class="check">
                  <input type="checkbox" checked={done} onChange={submit} /> {text}
                </label>
              </Form>
            )}
            {mayEdit && (
              <Form onSend={() => session.checklists.delete({ ...address, itemId })}>
                <button class="small remove" aria-label={`Remove ${text}`} />
              </Form>
            )}
          </li>
        ))}
      </ul>
      <AddForm draft={records.draftAt(`${taskId} item`)} label="Add an item" may={mayEdit} onAdd={addItem} />
      {links.length > 0 && <Details summary="Links" {...{ records, card }} read={linkLines} isOpen />}
      <h3>Comments</h3>
      {comments.map(({ id, authorId, content, createdAt, edited }) => (
        <article key={id}>
          <p class="quiet">{`${records.nameOf(authorId)}, ${timeHere(createdAt).slice(0, 10)}${edited ? ' (edited)' : ''}`}</p>
          <p class="prose">{content}</p>
        </article>
      ))}
      <AddForm draft={records.draftAt(taskId)} label="Add a comment" may={mayComment} onAdd={addComment} />
      <Details summary="History" {...{ records, card }} read={historyLines} />
      <Details summary="My access, and why" {...{ records, card }} read={accessLines} />
    </>
  );
}

type Read = (records: Records, card: Card) => Promise<readonly ComponentChild[]>;
type DetailsProps = Readonly<{ summary: string; records: Records; card: Card; read: Read; isOpen?: boolean }>;

/** Lines about a card, which are read anew as long as they are shown. */
function Details({ summary, records, card, read, isOpen: isOpenFirst = false }: DetailsProps) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  const [lines, setLines] = useState<readonly ComponentChild[]>([]);
  useEffect(() => {
    let isLatest = true;
    const show = (found: readonly ComponentChild[]) => void (isLatest && setLines(found));
    if (isOpen) read(records, card).then(show, (error: unknown) => show([messageOf(error)]));
    return () => void (isLatest = false);
  }, [isOpen, card]);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      <ol>
        {lines.map((line, at) => (
          <li key={at}>{line}</li>
        ))}
      </ol>
    </details>
  );
}

/** The cards that a card is linked to: "blocked by" and where that is. */
async function linkLines(records: Records, { id, workspaceId, links = [] }: Card) {
  const cards = await records.readCards({ workspaceId, linkedTo: [id], limit: 500 });
  return links.map(({ type, taskId }) => {
    const card = cards.find((one) => one.id === taskId);
    const how = `${type.replace('By', ' by').replace('relates', 'relates to')} `;
    if (card === undefined) return [how, <span class="quiet">a card that is deleted or hidden from you</span>];
    const title = `#${card.num} ${card.title}${card.complete ? ' ✓' : ''}`;
    return [how, <a href={hrefOf({ ...routeNow(), card: card.id })}>{title}</a>];
  });
}

/** Why one may do what one may with a card: the steps of the service, in its order. The last one decides. */
async function accessLines({ session: { access }, workspace }: Records, card: Card) {
  const { steps } = await access.explain({ workspaceId: workspace!.id, pageId: pageOf(card), expand: ['page'] });
  return steps.map((step) => `${step.expanded?.page?.name ?? workspace!.name}: ${describeAccessStep(step)}`);
}

/** What was done to a card, newest first, a sentence each. */
async function historyLines({ session, nameOf }: Records, { id: taskId, workspaceId }: Card) {
  const { items, next } = await session.tasks.history({ taskId, workspaceId });
  const done = items.map((one) => `${timeHere(one.at).slice(0, 16)} ${nameOf(one.byId)} ${describeHistoryEntry(one)}.`);
  return next === null ? done : [...done, 'What was before that is not shown here.'];
}
