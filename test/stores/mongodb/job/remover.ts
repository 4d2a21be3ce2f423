import { createEspalier, openStore } from '../../../../adapters/service/index.ts';
import { GROWING, type GrowingRequest, type LargeWorkspace } from '../../../fixtures/world/growing-requests.ts';
import { WatchedStore } from '../../../fixtures/store/watched-store.ts';

/**
 * A process that makes one request which concerns very much, or goes on with what another has left, and says on its
 * standard output when a transaction is committed. What it deletes is purged at once:
 * `node remover.js URL REQUEST|nothing WORKSPACE AHEAD`.
 */
const [url = '', request = '', workspace = '', ahead = '0'] = process.argv.slice(2);

const store = new WatchedStore(await openStore(url));
store.onWritten = () => void process.stdout.write('written\n');
const espalier = createEspalier({ store, clock: { now: () => Date.now() + Number(ahead) }, keepTrash: 0 });
const large = JSON.parse(workspace) as LargeWorkspace;
if (request !== 'nothing') await GROWING[request as GrowingRequest](espalier.as(large.owner), large);
await espalier.idle();
await espalier.close();
