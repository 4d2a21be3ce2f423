/**
 * Calls back when the board may have changed. So far that is when somebody comes back to the page; what this page
 * writes itself is read again by `board-state.ts`.
 *
 * The change feed goes here: `for await (const event of session.changes.watch({ workspaceId, boardId, signal }))`
 * calls back for each event, and aborting the signal is what is returned.
 */
export function follow(changed: () => void): () => void {
  const stop = new AbortController();
  const look = () => document.visibilityState === 'visible' && changed();
  addEventListener('focus', look, { signal: stop.signal });
  document.addEventListener('visibilitychange', look, { signal: stop.signal });
  return () => stop.abort();
}
