// Uses what the package exports, on whatever runs this. Prints what it found on one line.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../../adapters/client/index.ts';
import { createHttpApp, serve } from '../../../adapters/http/index.ts';
import { createEspalier, type Espalier } from '../../../adapters/service/index.ts';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';

async function used(espalier: Espalier): Promise<unknown[]> {
  const user = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
  const ada = espalier.as(user);
  const { id: workspaceId, alias } = await ada.workspaces.create({ name: 'Acme' });
  const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev' });
  await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
  await ada.tasks.create({ workspaceId, boardId, title: 'Write' });
  const { token } = await espalier.tokens.createFor({ userId: user.id, name: 'runtime' });
  const service = await serve(espalier, { port: 0 });
  const remote = createClient({ url: service.url, token });
  const { items } = await remote.tasks.list({ workspaceId: alias, q: 'write', expand: ['status'] });
  const page = await fetch(`${service.url}/api/docs`);
  await service.close();
  const { engine, identity, store } = espalier;
  const app = createHttpApp({ engine, identity, ready: () => store.ready() });
  const healthy = await app.fetch(new Request('http://localhost/healthz'));
  await espalier.close();
  return [items[0]?.expanded?.status?.name, page.status, healthy.status];
}

const folder = await mkdtemp(join(tmpdir(), 'espalier-runtime-'));
const stores = [memoryStore(), embeddedStore({ path: join(folder, 'here.db') })];
const found: unknown[] = [];
for (const store of stores) found.push(await used(createEspalier({ store })));
await rm(folder, { recursive: true });
console.log(JSON.stringify(found));
