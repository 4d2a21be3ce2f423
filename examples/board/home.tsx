import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { BoardView } from './board.tsx';
import { CardDialog } from './card-dialog.tsx';
import { Records } from './records.ts';
import { hrefOf, useRoute } from './route.ts';
import { LEVEL, type Page } from './session.ts';
import { Start } from './start.tsx';

/** The workspaces and their pages, and the board and card that the address names. */
export function Home({ token, onSignOut }: { readonly token: string; readonly onSignOut: (why?: string) => void }) {
  const route = useRoute();
  const [isNewAsked, setNewAsked] = useState(false);
  const [, show] = useReducer<number, void>((count) => count + 1, 0);
  const records = useMemo(() => new Records(token, show, () => onSignOut('This token signs nobody in.')), []);
  const { problem, me, workspaces, workspace, pages, board } = records;
  useEffect(() => {
    records.open(route);
    setNewAsked(false);
  }, [route.workspace, route.board]);
  useEffect(() => records.follow(), []);
  // Where it is narrow the tree lies over the board.
  useEffect(() => document.getElementById('tree')?.hidePopover(), [location.hash, isNewAsked]);
  useEffect(() => {
    document.title = board?.name ?? 'Board';
    return () => void (document.title = 'Board');
  }, [board?.name]);

  const { role, defaultAccess } = workspace ?? { role: 0, defaultAccess: 0 };
  const mayAdd = role >= 30 || (role === 20 && defaultAccess >= LEVEL.edit);
  const isEmpty = pages !== undefined && !pages.some(({ type }) => type === 'board');
  const isStart = isNewAsked || (isEmpty && (mayAdd || workspace === undefined));
  return (
    <div class="home">
      <button class="tree-button" popovertarget="tree">
        Pages
      </button>
      <nav id="tree" popover="auto" aria-label="Pages">
        {workspaces?.map(({ id, alias, name }) => (
          <section key={id}>
            <a aria-current={id === workspace?.id || undefined} href={hrefOf({ workspace: alias })}>
              {name}
            </a>
            {id === workspace?.id && <Tree {...{ records, parentId: null }} at={route.card ?? board?.id} />}
          </section>
        ))}
        {mayAdd && <button onClick={() => setNewAsked(true)}>New board</button>}
        <p class="quiet">{me?.name}</p>
        <button onClick={() => onSignOut()}>Sign out</button>
      </nav>
      <main>
        {problem !== '' && <p role="alert">{problem}</p>}
        {isStart && <Start {...{ records, token }} />}
        {!isStart && board && <BoardView key={board.id} {...{ records, board }} />}
        {!isStart && !board && (
          <p class="quiet">{board === null ? 'There is no board here that you see.' : 'One moment…'}</p>
        )}
      </main>
      {route.card && pages && <CardDialog key={route.card} {...{ records, cardId: route.card }} />}
    </div>
  );
}

interface TreeProps {
  readonly records: Records;
  readonly parentId: string | null;
  /** The board or card that is open. */
  readonly at: string | undefined;
}

function Tree({ records, parentId, at }: TreeProps) {
  const workspace = records.workspace!.alias;
  const children = records.pages?.filter((page) => page.parentId === parentId) ?? [];
  const linkTo = ({ id, type, name }: Page) => (
    <a aria-current={id === at && 'page'} href={hrefOf({ workspace, [type === 'board' ? 'board' : 'card']: id })}>
      {name}
    </a>
  );
  const itemOf = (page: Page) => (
    <li key={page.id}>
      {page.contentId === null ? <span>{page.name}</span> : linkTo(page)}
      <Tree {...{ records, at }} parentId={page.id} />
    </li>
  );
  return children.length === 0 ? null : <ul>{children.map(itemOf)}</ul>;
}
