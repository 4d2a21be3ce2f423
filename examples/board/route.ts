import { useEffect, useState } from 'preact/hooks';

/** What the fragment of the address names: `#/WORKSPACE/BOARD/CARD`, each of them optional. A board of `-` is none. */
export interface Route {
  readonly workspace?: string | undefined;
  readonly boardId?: string | undefined;
  readonly cardId?: string | undefined;
}

export function hrefOf({ workspace, boardId, cardId }: Route): string {
  return `#${[workspace, boardId ?? (cardId && '-'), cardId].map((part) => part && `/${part}`).join('')}`;
}

export function goTo(route: Route): void {
  location.hash = hrefOf(route);
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const [, workspace, boardId, cardId] = hash.split('/');
  return { workspace, boardId: boardId === '-' ? undefined : boardId, cardId };
}
