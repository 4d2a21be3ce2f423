import type { ChangeEvent, Session } from '../../../../core/index.ts';

/** Watches a workspace from now on. Resolves when the watch has begun, or has failed to. */
export async function beginWatch(client: Session, workspaceId: string) {
  const stop = new AbortController();
  const cursors: string[] = [];
  let begun = () => undefined as void;
  const opened = new Promise<void>((resolve) => (begun = resolve));
  const onCursor = (cursor: string) => {
    cursors.push(cursor);
    begun();
  };
  const events = client.changes.watch({ workspaceId, signal: stop.signal }, { onCursor });
  const first = events.next();
  first.catch(() => begun());
  await opened;
  return { events, first, cursors, stop };
}

export async function idOf(next: Promise<IteratorResult<ChangeEvent>>): Promise<string> {
  return (await next).value?.id as string;
}
