import { createEspalier } from '../../../../adapters/service/index.ts';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { EspalierError } from '../../../../core/kernel/errors.ts';

/**
 * Works on a store through the engine, with several clients at once, and tells of each task that was
 * acknowledged: `node worker.main.js PATH USER WORKSPACE BOARD CLIENTS STEPS SEED`.
 */
const [path, userId, workspaceId, boardId, clients, steps, seed] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const espalier = createEspalier({ store: embeddedStore({ path }) });
const ada = espalier.as(userId);
const DECLARED = new Set(['page-cycle', 'not-found', 'unusable-reference', 'version-mismatch', 'hidden-content']);

let state = Number(seed) + 1;
function random(below: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((state / 2 ** 31) * below);
}

function tell(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function step(): Promise<void> {
  const pages = (await ada.pages.list({ workspaceId })).filter((page) => page.id !== boardId);
  const any = pages[random(pages.length)];
  const other = pages[random(pages.length)];
  const kind = random(6);
  if (kind === 0 || any === undefined || other === undefined) {
    await ada.pages.create({ workspaceId, name: 'Page', type: 'folder', parentId: any?.id ?? null });
  } else if (kind === 1) {
    await ada.pages.update({ workspaceId, pageId: any.id, parentId: other.id });
  } else if (kind === 2) {
    if (pages.length > 20) await ada.pages.delete({ workspaceId, pageId: any.id });
  } else if (kind === 3) {
    const board = await ada.boards.get({ workspaceId, boardId });
    const description = String(Number(board.description) + 1);
    await ada.boards.update({ workspaceId, boardId, description }, { ifVersion: [board.version] });
    tell({ counted: true });
  } else {
    const first = kind === 4 ? { afterTaskId: null } : {};
    const task = await ada.tasks.create({ workspaceId, boardId, title: 'Task', ...first });
    tell({ task: task.id, num: task.num });
  }
}

async function client(): Promise<void> {
  for (let i = 0; i < Number(steps); i++) {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof EspalierError) || !DECLARED.has(error.code)) tell({ error: String(error) });
    }
  }
}

await Promise.all(Array.from({ length: Number(clients) }, client));
await espalier.close();
tell({ done: true });
