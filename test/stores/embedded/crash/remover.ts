import { createEspalier } from '../../../../adapters/service/index.ts';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { WatchedStore } from '../../../fixtures/store/watched-store.ts';

/**
 * A process that takes away what many tasks have, and says on its standard output when a transaction is committed:
 * `node remover.js PATH USER NOUN INPUT`.
 */
const [path = '', user = '', noun = '', input = ''] = process.argv.slice(2);

const store = new WatchedStore(embeddedStore({ path }));
store.onWritten = () => void process.stdout.write('written\n');
const espalier = createEspalier({ store });
const session = espalier.as(user);
if (noun === 'status') await session.statuses.delete(JSON.parse(input) as never);
if (noun === 'tag') await session.tags.delete(JSON.parse(input) as never);
if (noun === 'copy') await session.boards.copy(JSON.parse(input) as never);
if (noun === 'member') await session.members.remove(JSON.parse(input) as never);
await espalier.idle();
await espalier.close();
process.stdout.write('done\n');
