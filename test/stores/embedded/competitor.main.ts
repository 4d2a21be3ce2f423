import { createEspalier } from '../../../adapters/service/index.ts';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { compete } from './competing-writes.ts';

/** A process that competes, and says what it was told: `node competitor.main.js PATH USER WORKSPACE BOARD`. */
const [path = '', userId = '', workspaceId = '', boardId = ''] = process.argv.slice(2);

const espalier = createEspalier({ store: embeddedStore({ path }) });
process.stdout.write(JSON.stringify(await compete(espalier, { userId, workspaceId, boardId })));
await espalier.close();
