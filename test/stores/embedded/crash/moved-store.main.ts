import { existsSync, renameSync } from 'node:fs';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { user } from '../../../contract/records.ts';

/**
 * Writes to a store whose file is moved away, until a write has failed, and moves it back: `node moved-store.main.js PATH
 * AWAY`. Prints whether the store was unusable in between, and whether a new file was made.
 */
const [path = '', away = ''] = process.argv.slice(2);
/** Of the event loop: a store is opened anew within a few. */
const TURNS = 2_000;

const store = embeddedStore({ path });
const write = () => store.write((tx) => tx.users.insert(user()));
const fails = async (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => false,
    () => true,
  );
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

renameSync(path, away);
while (!(await fails(write())));
let isUnusable = false;
let isMade = false;
for (let turn = 0; turn < TURNS; turn += 1) {
  isUnusable ||= await fails(store.read((tx) => tx.users.get('')));
  isMade ||= existsSync(path);
  await nextTurn();
}
renameSync(away, path);
if (!isMade) while (await fails(write())) await nextTurn();
process.stdout.write(JSON.stringify({ isUnusable, isMade }));
await store.close();
