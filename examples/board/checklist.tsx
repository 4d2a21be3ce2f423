import { useEffect, useState } from 'preact/hooks';
import { AddForm, useForm } from './form.tsx';
import type { FullCard, Session } from './session.ts';

interface ChecklistProps {
  readonly session: Session;
  readonly card: FullCard;
  readonly mayEdit: boolean;
}

/** The items of a card. What is written comes back as a change, like what others write. */
export function Checklist({ session, card, mayEdit }: ChecklistProps) {
  const at = { workspaceId: card.workspaceId, taskId: card.id };
  return (
    <>
      {(mayEdit || card.checklist.length > 0) && <h3>Checklist</h3>}
      <ul class="checklist">
        {card.checklist.map((item) =>
          mayEdit ? (
            <Item key={item.id} {...{ session, at, item }} />
          ) : (
            <li key={item.id} class="text">{`${item.done ? '✓' : '○'} ${item.text}`}</li>
          ),
        )}
      </ul>
      {mayEdit && (
        <AddForm label="Add an item" longest={500} onAdd={(text) => session.checklists.create({ ...at, text })} />
      )}
    </>
  );
}

interface ItemProps {
  readonly session: Session;
  readonly at: { readonly workspaceId: string; readonly taskId: string };
  readonly item: FullCard['checklist'][number];
}

function Item({ session, at, item }: ItemProps) {
  const { id: itemId, text } = item;
  const [done, setDone] = useState(item.done);
  useEffect(() => setDone(item.done), [item]);
  const { attempt, alert } = useForm(() => Promise.resolve());
  const tick = async () => {
    setDone(!done);
    try {
      await session.checklists.update({ ...at, itemId, done: !done });
    } catch (error) {
      setDone(done);
      throw error;
    }
  };
  return (
    <li>
      <label class="check text">
        <input type="checkbox" checked={done} onChange={() => attempt(tick)} /> {text}
      </label>
      <button
        class="small"
        aria-label={`Remove ${text}`}
        onClick={() => attempt(() => session.checklists.delete({ ...at, itemId }))}
      >
        ×
      </button>
      {alert}
    </li>
  );
}
