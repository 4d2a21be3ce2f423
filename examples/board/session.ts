import { EspalierError, type createClient } from 'espalier/client';

export type Session = ReturnType<typeof createClient>;
type Answer<F extends (...args: never) => Promise<unknown>> = Awaited<ReturnType<F>>;

export type Me = Answer<Session['me']['get']>;
export type Workspace = Answer<Session['workspaces']['list']>[number];
export type Page = Answer<Session['pages']['list']>[number];
export type Board = Answer<Session['boards']['get']>;
export type Card = Answer<Session['tasks']['list']>['items'][number];
export type FullCard = Answer<Session['tasks']['get']>;
export type Change = Answer<Session['changes']['list']>['items'][number];

/** Is told what has changed; a change of type `scope` says to read everything. */
export type Listener = (changes: readonly Pick<Change, 'type' | 'id' | 'taskId' | 'boardId' | 'fields'>[]) => unknown;

/** Who works where: what every part of the page is given. */
export interface Scope {
  readonly session: Session;
  readonly workspace: Workspace;
  /** Those that are seen, with the level of access on each. */
  readonly pages: readonly Page[];
  /** What has changed is told as long as the result is not called. */
  readonly listen: (listener: Listener) => () => void;
}

/** Levels of access, as the service counts them. */
export const LEVEL = { view: 100, comment: 200, edit: 300, full: 400 } as const;

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

export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
}

/** The code of an error of the service; undefined for another one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof EspalierError ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof EspalierError ? error.detail : (error as Error).message;
}
