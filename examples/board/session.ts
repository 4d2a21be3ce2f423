import { createClient, EspalierError } from 'espalier/client';

export type Session = ReturnType<typeof createClient>;
type Answer<F extends (...args: never) => Promise<unknown>> = Awaited<ReturnType<F>>;

export type Me = Answer<Session['me']['get']>;
export type Workspace = Answer<Session['workspaces']['list']>[number];
export type Page = Answer<Session['pages']['list']>[number];
export type Board = Answer<Session['boards']['get']>;
type FullCard = Answer<Session['tasks']['get']>;
/** A card as a list has it, or read by itself, with its comments and checklist. */
export type Card = Omit<FullCard, 'comments' | 'checklist' | 'links'> & Partial<FullCard & Counts>;
type Counts = Answer<Session['tasks']['list']>['items'][number];

/** Levels of access, as the service counts them. */
export const LEVEL = { view: 100, comment: 200, edit: 300 } as const;

const KEY = 'espalier.token';

/** The token that the address carries once in its fragment, else the one of this tab. It does not stay in the address. */
export function takeToken(): string | null {
  const given = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (given !== undefined) {
    keepToken(decodeURIComponent(given));
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(KEY);
}

export function keepToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
}

/**
 * A client that tells what each answer says of the service itself.
 *
 * @param tell what is wrong; empty: nothing is
 * @param refused is called when the token signs nobody in
 */
export function connect(token: string, tell: (problem: string) => void, refused: () => void): Session {
  const observed = async (url: string, init: RequestInit) => {
    try {
      const response = await fetch(url, init);
      if (response.status === 401) refused();
      if (response.ok) tell('');
      return response;
    } catch (error) {
      if ((error as Error).name !== 'AbortError') tell('The service cannot be reached.');
      throw error;
    }
  };
  return createClient({ url: location.origin, token, fetch: observed });
}

/** The code of an error of the service; undefined for another one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof EspalierError ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof EspalierError ? error.detail : (error as Error).message;
}
