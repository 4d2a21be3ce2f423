import { killWriters, ROUNDS, USUAL } from '../../../edges/cli/serve/killed-writers.ts';
import { startServe, type ServeProcess } from '../../../edges/cli/serve/serve-process.ts';
import { cliDirectory, type CliDirectory } from '../../../edges/cli/in-process.ts';
import { mongodbUrl, mongodbUrlOf } from '../../../fixtures/mongodb/mongodb.ts';

describe('workers on MongoDB', function () {
  let here: CliDirectory;
  let store: string;
  let serving: ServeProcess;

  before(async function () {
    await mongodbUrl(this);
    store = await mongodbUrlOf('killed-workers');
    here = await cliDirectory();
    serving = startServe(here, '--workers', '2', '--store', store, '--port', '0');
  });

  after(async () => {
    if (serving?.child.exitCode === null) serving.child.kill('SIGKILL');
    await serving?.done;
    await here?.close();
  });

  it(`write for one that is killed under load, ${ROUNDS} times`, async function () {
    this.timeout(ROUNDS > USUAL ? 0 : 120_000);
    await killWriters(serving, here, store);
  });
});
