// Keeps the titles of all tasks that one sees in step. Run it: ESPALIER_TOKEN=... node dist/examples/follow.js URL WORKSPACE
import { createClient, EspalierError } from 'espalier/client';

const [url = '', workspaceId = ''] = process.argv.slice(2);
const { changes, tasks } = createClient({ url, token: process.env['ESPALIER_TOKEN'] ?? '' });
const titles = new Map<string, string>();

/** @returns the cursor of what was read: of several pages that of the first counts */
async function readAll(): Promise<string> {
  titles.clear();
  let first = '';
  let cursor: string | null | undefined;
  do {
    const page = { workspaceId, limit: 500, ...(cursor != null && { cursor }) };
    const { items, next } = await tasks.list(page, { onCursor: (now) => void (first ||= now) });
    for (const { id, title } of items) titles.set(id, title);
    cursor = next;
  } while (cursor !== null);
  return first;
}

let since = await readAll();
console.log(`${titles.size} tasks`);
for (;;) {
  const onCursor = (cursor: string) => void (since = cursor);
  try {
    for await (const { type, id, record } of changes.watch({ workspaceId, since, include: ['record'] }, { onCursor })) {
      if (type === 'task.hide' || type === 'task.delete') titles.delete(id!);
      else if (type.startsWith('task.') && record !== undefined) titles.set(id!, (record as { title: string }).title);
      // Pages come and go with what is on them.
      else if (type === 'scope' || type.startsWith('page.')) await readAll();
      console.log(`${type}: ${titles.size} tasks`);
    }
  } catch (error) {
    if (!(error instanceof EspalierError) || error.code !== 'cursor-expired') throw error;
    since = await readAll();
  }
}
