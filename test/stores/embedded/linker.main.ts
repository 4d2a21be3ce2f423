import { createEspalier } from '../../../adapters/service/index.ts';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { outcome } from '../../fixtures/world/world.ts';

/**
 * A process that links tasks, one pair after the other, and says how each went:
 * `node linker.main.js PATH USER WORKSPACE FROM TO FROM TO ...`.
 */
const [path = '', userId = '', workspaceId = '', ...ids] = process.argv.slice(2);

const espalier = createEspalier({ store: embeddedStore({ path }) });
const session = espalier.as({ id: userId });
for (let i = 0; i < ids.length; i += 2) {
  const [fromTaskId, taskId] = [ids[i]!, ids[i + 1]!];
  process.stdout.write(`${await outcome(session.tasks.link({ workspaceId, fromTaskId, type: 'blocks', taskId }))}\n`);
}
await espalier.close();
