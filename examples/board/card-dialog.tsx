import { useEffect, useRef, useState } from 'preact/hooks';
import { AccessOf } from './access.tsx';
import type { OpenBoard } from './board-state.ts';
import { Checklist } from './checklist.tsx';
import { EditForm } from './edit-form.tsx';
import { AddForm } from './form.tsx';
import { codeOf, LEVEL, messageOf, type Board, type FullCard, type Scope } from './session.ts';

interface DialogProps {
  readonly scope: Scope;
  readonly cardId: string;
  /** Undefined: the card is seen through a page of its own, without its board. */
  readonly board?: Board;
  readonly open?: OpenBoard;
  readonly onClose: () => void;
}

export function CardDialog({ scope, cardId, board, open, onClose }: DialogProps) {
  const { session, pages, workspace, listen } = scope;
  const dialog = useRef<HTMLDialogElement>(null);
  const [card, setCard] = useState<FullCard | null>(null);
  const [problem, setProblem] = useState('');
  const address = { workspaceId: workspace.id, taskId: cardId };
  // The page that decides who may do what with a card: its own, else that of its board.
  const pageId = card?.pageId ?? card?.boardId;
  const access = pages.find(({ id }) => id === pageId)?.access ?? 0;
  const latest = useRef(card);
  latest.current = card;
  const failed = (error: unknown) => {
    if (codeOf(error) === 'not-found' && latest.current !== null) dialog.current?.close();
    else setProblem(messageOf(error));
  };
  const read = () => session.tasks.get({ ...address, expand: ['author'] }).then(setCard, failed);
  useEffect(() => dialog.current!.showModal(), []);
  useEffect(() => {
    const isThis = (id: string | null) => id === cardId || id === null;
    return listen((changes) => changes.some(({ id, taskId }) => isThis(taskId ?? id)) && read());
  }, []);

  return (
    <dialog ref={dialog} aria-labelledby="card-name" onClose={onClose}>
      <form method="dialog">
        <h2 id="card-name" class="text">
          {card === null ? 'One moment…' : `#${card.num} ${card.title}`}
        </h2>
        <button>Close</button>
      </form>
      {problem !== '' && <p role="alert">{problem}</p>}
      {card && pageId && (
        <>
          {access >= LEVEL.edit ? (
            <EditForm {...{ session, board, open, card, pageId }} onSaved={() => dialog.current?.close()} />
          ) : (
            <p class="text prose">{card.description || 'No description.'}</p>
          )}
          <Checklist {...{ session, card }} mayEdit={access >= LEVEL.edit} />
          <h3>Comments</h3>
          {card.comments.map(({ id, content, createdAt, edited, expanded }) => (
            <article key={id} class="text prose">
              <p class="quiet">
                {expanded?.author?.name ?? 'Somebody'}, {createdAt.slice(0, 10)} {edited && '(edited)'}
              </p>
              {content}
            </article>
          ))}
          {access >= LEVEL.comment && (
            <AddForm
              label="Add a comment"
              longest={20_000}
              onAdd={(content) => session.comments.create({ ...address, content }).then(read)}
            />
          )}
          <AccessOf {...{ session, workspace, pageId }} />
        </>
      )}
    </dialog>
  );
}
