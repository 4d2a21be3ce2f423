import { codeOf, type Listener, type Session } from './session.ts';

/** How long a request waits for changes, in seconds. */
const WAIT = 30;
/** How long to leave a service alone that cannot be reached, in milliseconds. */
const PAUSE = 2_000;

/** Says to read everything. */
export const EVERYTHING = [{ type: 'scope', id: null, taskId: null, boardId: null, fields: [] }] as const;

/**
 * Tells all of a workspace, and from then on what changes in it. What a listener fails with is told again. A page that
 * nobody looks at asks nothing: browsers keep few connections to one service.
 *
 * @param report null: all is well again
 * @returns ends it
 */
export function follow(
  session: Session,
  workspaceId: string,
  listener: Listener,
  report: (error: unknown) => void,
): () => void {
  let since: string | undefined;
  const ended = new AbortController();
  let asking = new AbortController();

  async function ask(wait: number, signal: AbortSignal): Promise<void> {
    if (document.hidden) return until(signal);
    if (since === undefined) {
      let now: string | undefined;
      await session.workspaces.get({ workspaceId }, { signal, onCursor: (cursor) => (now = cursor) });
      await listener(EVERYTHING);
      since = now;
    } else {
      const { items, cursor } = await session.changes.list({ workspaceId, since, wait }, { signal });
      await listener(items);
      since = cursor;
    }
    report(null);
  }

  async function askOn(): Promise<void> {
    for (let wait = 0; !ended.signal.aborted;) {
      asking = new AbortController();
      const { signal } = asking;
      try {
        await ask(wait, signal);
        wait = WAIT;
      } catch (error) {
        wait = 0;
        if (signal.aborted) continue;
        const code = codeOf(error);
        if (code === 'cursor-expired') since = undefined;
        // Somebody who is no member any more, or signed out.
        else if (code === 'not-found') return void listener(EVERYTHING);
        else if (code === 'unauthenticated') return report(error);
        else {
          report(error);
          await until(AbortSignal.any([signal, AbortSignal.timeout(PAUSE)]));
        }
      }
    }
  }

  const look = () => asking.abort();
  for (const event of ['online', 'offline']) addEventListener(event, look, ended);
  document.addEventListener('visibilitychange', look, ended);
  void askOn();
  return () => {
    ended.abort();
    look();
  };
}

function until(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}
