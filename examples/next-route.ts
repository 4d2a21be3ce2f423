// Espalier inside a Next.js application: this is app/api/[[...path]]/route.ts. Whatever gives a Request and takes a
// Response hosts it in the same way: Hono, SvelteKit, Remix, Astro.
import { createEspalier, openStore } from 'espalier';
import { createHttpApp } from 'espalier/http';

// Next reads modules anew in development: one engine for all of them.
const known = globalThis as { espalier?: ReturnType<typeof createEspalier> };
known.espalier ??= createEspalier({ store: await openStore(process.env['ESPALIER_STORE'] ?? 'file:espalier.db') });
const { engine, identity, store } = known.espalier;

const service = createHttpApp({ engine, identity, ready: () => store.ready() });
const handle = (request: Request) => service.fetch(request);

export const runtime = 'nodejs';
export { handle as GET, handle as POST, handle as PUT, handle as DELETE, handle as OPTIONS };
