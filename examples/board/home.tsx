import { useEffect, useRef, useState } from 'preact/hooks';
import { BoardView } from './board.tsx';
import { CardDialog } from './card-dialog.tsx';
import { Choice } from './form.tsx';
import { EVERYTHING, follow } from './follow.ts';
import { goTo, hrefOf, useRoute } from './route.ts';
import { codeOf, LEVEL, type Listener, type Me, type Page, type Session, type Workspace } from './session.ts';
import { Start } from './start.tsx';

interface HomeProps {
  readonly session: Session;
  readonly token: string;
  readonly me: Me;
  readonly onSignOut: () => void;
  readonly onError: (error: unknown) => void;
}

/** The workspaces, the tree of pages, and the board that the address names. */
export function Home({ session, token, me, onSignOut, onError }: HomeProps) {
  const { cardId, ...route } = useRoute();
  const [workspaces, setWorkspaces] = useState<readonly Workspace[] | null>(null);
  const [pages, setPages] = useState<readonly Page[] | null>(null);
  const [isNewAsked, setNewAsked] = useState(false);
  const workspace = workspaces?.find(({ alias }) => alias === route.workspace) ?? workspaces?.[0];
  const { id: workspaceId, alias } = workspace ?? {};

  const readWorkspaces = () => session.workspaces.list().then(setWorkspaces);
  const readPages = async (id: string) => {
    const unlessGone = (error: unknown) => {
      if (codeOf(error) !== 'not-found') throw error;
      return [];
    };
    setPages(await session.pages.list({ workspaceId: id }).catch(unlessGone));
  };
  const listeners = useRef(new Set<Listener>()).current;
  const listen = (listener: Listener) => {
    listeners.add(listener);
    Promise.resolve(listener(EVERYTHING)).catch(onError);
    return () => void listeners.delete(listener);
  };
  useEffect(() => void readWorkspaces().catch(onError), []);
  useEffect(() => {
    setPages(null);
    if (workspaceId === undefined) return undefined;
    const heard: Listener = (changes) => {
      const isOfTree = changes.some(({ type }) => !/^(task|comment|board)\./.test(type));
      const reads = isOfTree ? [readWorkspaces(), readPages(workspaceId)] : [];
      return Promise.all([...reads, ...Array.from(listeners, (listener) => listener(changes))]);
    };
    return follow(session, workspaceId, heard, onError);
  }, [workspaceId]);
  useEffect(() => setNewAsked(false), [alias, route.boardId]);
  // Where it is narrow the tree lies over the board.
  useEffect(() => document.getElementById('tree')?.hidePopover(), [alias, route.boardId, cardId, isNewAsked]);

  const first = pages?.find(({ type }) => type === 'board');
  const page = (route.boardId ?? cardId) ? pages?.find(({ id }) => id === route.boardId) : first;
  const { role, defaultAccess } = workspace ?? { role: 0, defaultAccess: 0 };
  const mayAdd = role >= 30 || (role === 20 && defaultAccess >= LEVEL.edit);
  const isFirst = workspaces !== null && (workspace === undefined || (mayAdd && pages !== null && first === undefined));
  const scope = workspace && pages && { session, workspace, pages, listen };
  const started = async (made: string, boardId?: string) => {
    await Promise.all([readWorkspaces(), readPages(made)]);
    goTo({ workspace: made, boardId });
  };
  return (
    <div class="home">
      <header>
        <button class="tree-button" popovertarget="tree">
          Pages
        </button>
        {workspaces && alias && (
          <Choice
            label="Workspace"
            value={alias}
            options={workspaces.map((one) => [one.alias, one.name])}
            onChoose={(chosen) => goTo({ workspace: chosen })}
          />
        )}
        <span class="me text">{me.name}</span>
        <button onClick={() => onSignOut()}>Sign out</button>
      </header>
      <nav id="tree" popover="auto" aria-label="Pages">
        {scope && <Tree {...scope} parentId={null} at={page?.id} />}
        {mayAdd && <button onClick={() => setNewAsked(true)}>New board</button>}
      </nav>
      <main>
        {isFirst || isNewAsked ? (
          <Start {...{ session, token, me, workspace }} onStarted={started} />
        ) : scope && page ? (
          <BoardView key={page.id} {...{ scope, page, cardId }} />
        ) : (
          pages && <p class="quiet">There is no board here that you see.</p>
        )}
        {scope && !page && cardId && (
          <CardDialog key={cardId} {...{ scope, cardId }} onClose={() => goTo({ workspace: alias })} />
        )}
      </main>
    </div>
  );
}

interface TreeProps {
  readonly workspace: Workspace;
  readonly pages: readonly Page[];
  readonly parentId: string | null;
  readonly at: string | undefined;
}

function Tree({ workspace, pages, parentId, at }: TreeProps) {
  const children = pages.filter((page) => page.parentId === parentId);
  const hrefTo = ({ id, type }: Page) =>
    hrefOf({ workspace: workspace.alias, [type === 'board' ? 'boardId' : 'cardId']: id });
  return children.length === 0 ? null : (
    <ul>
      {children.map((page) => (
        <li key={page.id}>
          {page.contentId === null ? (
            <span class="text">{page.name}</span>
          ) : (
            <a class="text" aria-current={page.id === at ? 'page' : undefined} href={hrefTo(page)}>
              {page.name}
            </a>
          )}
          <Tree {...{ workspace, pages, at }} parentId={page.id} />
        </li>
      ))}
    </ul>
  );
}
