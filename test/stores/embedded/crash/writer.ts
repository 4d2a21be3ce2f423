import { setTimeout } from 'node:timers/promises';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { Random } from '../../../contract/random.ts';
import { failingStep, step } from './workload.ts';

/**
 * A process that works on a store and says on its standard output what was acknowledged:
 * `node writer.js PATH CLIENTS STEPS SEED DURABLE PATIENT READING`. Goes on after an error, when it is patient as soon as the
 * store is ready again. When it is reading, it keeps a read open until the first error.
 */
const [path = '', clients = '1', steps = '1', seed = '1', durable = 'true', patient = 'false', reading = 'false'] =
  process.argv.slice(2);

const store = embeddedStore({ path, durable: durable === 'true' });
let endRead = (): void => {};
if (reading === 'true') void store.read(() => new Promise<void>((resolve) => (endRead = resolve)));
say('ready');
await Promise.all(
  Array.from({ length: Number(clients) }, (_, client) => work(new Random(Number(seed) * 1000 + client))),
);
await store.close();
say('closed');

async function work(random: Random): Promise<void> {
  for (let i = 0; i < Number(steps); i += 1) {
    try {
      if (random.once(10)) await failingStep(store, random);
      say(`ack ${await step(store, random)}`);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      say(`error ${code}`);
      endRead();
      if (patient === 'true') while (!(await isReady())) await setTimeout(10);
    }
  }
}

async function isReady(): Promise<boolean> {
  return store.ready().then(
    () => true,
    () => false,
  );
}

/** A pipe is written synchronously, so what was said has left the process. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
