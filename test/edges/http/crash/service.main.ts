import { createEspalier } from '../../../../adapters/service/index.ts';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { startService } from '../../../../adapters/http/index.ts';

/** A process that runs the service on a store until it is killed, and says where: `node service.main.js PATH`. */
const [path = ''] = process.argv.slice(2);

const espalier = createEspalier({ store: embeddedStore({ path }) });
const { engine, identity } = espalier;
const { url } = await startService({ engine, identity, ready: () => espalier.store.ready(), port: 0 });
process.stdout.write(`${url}\n`);
