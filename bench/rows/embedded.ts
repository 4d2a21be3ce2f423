import { open } from 'lmdb';
import type { Part } from '../part.ts';
import { openedService, scratch, startedLimit, startedService, type Limit } from '../service.ts';
import type { Put } from '../workers/transactions.ts';
import { SMALL } from '../world/shape.ts';
import { answerTo, createTask, getTasks } from './requests.ts';
import { rateRow, versus } from './versus.ts';

const CONNECTIONS = 64;
const WRITERS = 16;

/** Requests to the service on the embedded store. */
export const embeddedPart: Part = {
  name: 'embedded',
  async run(scale) {
    const memory = await startedService('memory:', SMALL);
    const embedded = await startedService(`file:${scratch('embedded.db')}`, SMALL);
    const limits: Limit[] = [];
    try {
      const [get, inMemory] = await versus({
        scale,
        connections: CONNECTIONS,
        product: { ...embedded, shots: getTasks(SMALL, embedded.token) },
        limit: { ...memory, shots: getTasks(SMALL, memory.token) },
      });
      await memory.worker.end();

      const puts = await putsOfACreate();
      const bare = await startedLimit({ kind: 'commit', path: scratch('raw.db'), puts });
      limits.push(bare.worker);
      const shots = createTask(SMALL, embedded.token);
      const [post, commit] = await versus({
        scale,
        connections: WRITERS,
        product: { ...embedded, shots },
        limit: { ...bare, shots },
      });
      return [
        rateRow(
          {
            name: 'get-task-embedded',
            work: 'GET one task, embedded, 64 connections',
            against: 'the same on the memory store',
            target: { atLeast: 0.7 },
          },
          get,
          inMemory,
        ),
        rateRow(
          {
            name: 'post-task-embedded',
            work: 'POST task, embedded, durable, 16 connections',
            against: `a bare route that parses and validates the same body and commits the same ${puts.length} puts to lmdb, durable`,
            target: { atLeast: 0.6 },
          },
          post,
          commit,
        ),
      ];
    } finally {
      await memory.worker.end();
      await embedded.worker.end();
      for (const limit of limits) await limit.end();
    }
  },
};

/** What creating one task puts into the file: seen by what is different in it afterwards. */
async function putsOfACreate(): Promise<Put[]> {
  const path = scratch('puts.db');
  const entries = async (): Promise<Map<string, Buffer>> => {
    const db = open<Buffer, Buffer>({
      path,
      noSubdir: true,
      keyEncoding: 'binary',
      encoding: 'binary',
      readOnly: true,
    });
    const found = new Map(
      [...db.getRange({})].map(({ key, value }) => [Buffer.from(key).toString('latin1'), Buffer.from(value)]),
    );
    await db.close();
    return found;
  };
  const worker = await openedService(`file:${path}`);
  const token = await worker.call('seed', { ...SMALL, tasks: 20 });
  const url = await worker.call('listen');
  const [shot] = createTask(SMALL, token);
  // The first of a minute also notes that the member and the token were active.
  await answerTo(url, shot!);
  const before = await entries();
  await answerTo(url, shot!);
  const after = await entries();
  await worker.end();
  return [...after].flatMap(([key, value]) =>
    before.get(key)?.equals(value) === true ? [] : [{ key: key.length, value: value.length }],
  );
}
