import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createEspalier, openStore, type Espalier } from '../../../../adapters/service/index.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { firstSeed, Random } from '../../../contract/random.ts';
import { eachOf } from '../../../fixtures/each-of.ts';
import {
  expectAllDone,
  GROWING,
  type GrowingRequest,
  type LargeWorkspace,
  largeWorkspace,
} from '../../../fixtures/world/growing-requests.ts';
import { emptyMongodbStore, mongodbUrl, mongodbUrlOf } from '../../../fixtures/mongodb/mongodb.ts';
import { HOUR } from '../../../fixtures/world/world.ts';
import { bundled } from '../../../fixtures/process/bundled.ts';

/** ESPALIER_JOB_KILLS: how many times each kind of job is interrupted; ESPALIER_SEED: what decides where. */
const ROUNDS = Number(process.env['ESPALIER_JOB_KILLS'] ?? 1);
const SEED = firstSeed();

const script = bundled(new URL('./remover.js', import.meta.url));
const SIZE = 150;
const DATABASE = 'kills';
/** Kills of one request, each of the process that goes on with what the one before has left. */
const KILLS = 2;

/** Runs the process until it has told of so many transactions, and kills it that much later. */
async function killedAfter(written: number, milliseconds: number, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [script(), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let heard = 0;
  for await (const _ of createInterface({ input: child.stdout })) {
    heard += 1;
    if (heard === written) setTimeout(() => child.kill('SIGKILL'), milliseconds);
  }
  await exited;
}

/** What the owner may see of what is taken away: it is there as a whole, or gone, or less and less of it. */
class Watcher {
  readonly #espalier: Espalier;
  readonly #large: LargeWorkspace;
  readonly #before = new Map<string, number>();

  constructor(espalier: Espalier, large: LargeWorkspace) {
    this.#espalier = espalier;
    this.#large = large;
  }

  async look(request: GrowingRequest): Promise<void> {
    expect((await this.#espalier.operator.doctor.check()).findings).to.deep.equal([]);
    const owner = this.#espalier.as(this.#large.owner);
    const { workspaceId, tagId, memberId, statusId, topId, secondId } = this.#large;
    if (request === 'workspace') {
      const there = (await owner.workspaces.list()).length;
      this.#shrinks('workspace', there, [0, 1]);
      return;
    }
    const at = { workspaceId, count: true, limit: 1 } as const;
    const total = async (filter: object) => (await owner.tasks.list({ ...at, ...filter })).total ?? 0;
    this.#shrinks('tagged', await total({ tagId: [tagId] }));
    this.#shrinks('in the status', await total({ statusId: [statusId] }));
    const members = await owner.members.list({ workspaceId });
    // Gone at once, however many tasks there are.
    const assigned = await total({ assigneeId: [memberId] });
    if (!members.some(({ id }) => id === memberId)) expect(assigned).to.equal(0);
    const pages = await owner.pages.list({ workspaceId });
    const below = pages.filter(({ parentId }) => parentId === topId).length;
    const first = this.#before.get('below') ?? below;
    this.#shrinks('below', below, pages.some(({ id }) => id === topId) ? [first] : [0]);
    const elsewhere = pages.filter(({ type, parentId }) => type === 'task' && parentId === null).length;
    const opened = this.#before.get('elsewhere') ?? elsewhere;
    this.#shrinks('elsewhere', elsewhere, pages.some(({ id }) => id === secondId) ? [opened] : [0]);
    expect(await total({ boardId: [secondId] })).to.equal(elsewhere);
  }

  #shrinks(what: string, now: number, among?: readonly number[]): void {
    expect(now, what).to.be.at.most(this.#before.get(what) ?? Infinity);
    if (among !== undefined) expect(among, what).to.include(now);
    this.#before.set(what, now);
  }
}

describe('jobs of processes that are killed, on MongoDB', function () {
  this.timeout(ROUNDS * 300_000);

  before(async function () {
    await mongodbUrl(this);
  });

  const jobsLeft = (store: Store) => store.read((tx) => tx.jobs.list('all', {}, { limit: 9 }));

  it('are taken up and finished by another, and all that is seen meanwhile is legal', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const random = new Random(SEED + round);
      const store = await emptyMongodbStore(DATABASE);
      const url = await mongodbUrlOf(DATABASE);
      const { large, records } = largeWorkspace(SIZE);
      const here = createEspalier({ store });
      await here.operator.imports.workspace({ records: eachOf(records) });
      const watcher = new Watcher(here, large);
      for (const request of Object.keys(GROWING) as GrowingRequest[]) {
        const what = `ESPALIER_SEED=${SEED + round}, ${request}`;
        try {
          if (request === 'workspace') await expectAllDone(here.as(large.owner), large);
          // The next one goes on with what the one before has left, when its lease has ended.
          for (let kill = 0; kill < KILLS; kill += 1) {
            const args = [url, kill === 0 ? request : 'nothing', JSON.stringify(large), String(kill * HOUR)];
            await killedAfter(1 + random.below(4), random.below(8), args);
            await watcher.look(request);
            if ((await jobsLeft(store)).length === 0) break;
          }
          const clock = { now: () => Date.now() + KILLS * HOUR };
          const other = createEspalier({ store: await openStore(url), clock });
          await other.idle();
          expect(await jobsLeft(store)).to.deep.equal([]);
          await other.close();
          await watcher.look(request);
        } catch (error) {
          throw new Error(`Failed with ${what}`, { cause: error });
        }
      }
      await here.close();
    }
  });
});
