import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createEspalier, openStore, type Espalier } from '../../adapters/service/index.ts';
import type { TransferRecord } from '../../core/model/transfer-record.ts';
import type { Store } from '../../core/ports/store.ts';
import { board, member, newId, page, status, task, user, workspace } from '../contract/records.ts';
import { mongodbUrl, mongodbUrlOf } from '../fixtures/mongodb/mongodb.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { WatchedStore } from '../fixtures/store/watched-store.ts';
import { HOUR, outcome } from '../fixtures/world/world.ts';
import { bundled } from '../fixtures/process/bundled.ts';

/** ESPALIER_ASSIGNMENTS: the tasks that each of two members is assigned to. With it, figures are printed. */
const GIVEN = process.env['ESPALIER_ASSIGNMENTS'];
const TASKS = Number(GIVEN ?? 250);
/** Records of the commit that ends access, and of each that follows: a task and its change each, and the job. */
const [MAX_FIRST, MAX_WRITTEN] = [40, 110];
/** Commits of a process before it is killed. */
const BEFORE_KILL = 2;

const script = bundled(new URL('./mongodb/job/remover.js', import.meta.url));

interface Crowd {
  readonly owner: string;
  readonly workspaceId: string;
  /** Each is assigned to all tasks. */
  readonly mates: readonly { readonly userId: string; readonly memberId: string }[];
  readonly records: () => AsyncIterableIterator<TransferRecord>;
}

function crowd(): Crowd {
  const acme = workspace();
  const { id: workspaceId } = acme;
  const people = [user(), user(), user()];
  const members = people.map(({ id: userId }, n) => member(workspaceId, { userId, role: n === 0 ? 40 : 20 }));
  const [owner, ...mates] = members.map(({ id: memberId, userId }) => ({ memberId, userId }));
  const todo = status();
  const root = page(workspaceId, { type: 'board', contentId: null, createdById: owner!.memberId });
  const home = board(workspaceId, { id: root.id, name: root.name, statuses: [todo] });
  async function* records(): AsyncIterableIterator<TransferRecord> {
    yield { kind: 'workspace', record: acme, lastNum: TASKS };
    for (const { administrator: _, disabled: __, ...record } of people) yield { kind: 'user', record };
    for (const record of members) yield { kind: 'member', record };
    yield { kind: 'page', record: { ...root, contentId: root.id } };
    yield { kind: 'board', record: home };
    const assignees = mates.map(({ memberId }) => memberId);
    for (let n = 0; n < TASKS; n += 1) {
      const more = { statusId: todo.id, statusOrderKey: n * 1024, assignees, createdById: owner!.memberId };
      yield { kind: 'task', record: task(home, n + 1, more) };
    }
  }
  return { owner: owner!.userId, workspaceId, mates, records };
}

/** Runs a process that removes the member, and kills it when it has told of so many commits. */
async function killedWhileRemoving(url: string, at: object): Promise<void> {
  const args = [script(), url, 'member', JSON.stringify(at)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let heard = 0;
  for await (const _ of createInterface({ input: child.stdout })) {
    heard += 1;
    if (heard === BEFORE_KILL) child.kill('SIGKILL');
  }
  await exited;
}

function note(what: string, since: number, more = ''): number {
  const now = performance.now();
  if (GIVEN !== undefined) console.log(`        ${what}: ${Math.round(now - since)} ms${more}`);
  return now;
}

async function jobsIn(store: Store): Promise<number> {
  return (await store.read((tx) => tx.jobs.list('all', {}, { limit: 9 }))).length;
}

async function expectGone(espalier: Espalier, { owner, workspaceId }: Crowd, mate: Crowd['mates'][number]) {
  expect(await outcome(espalier.as(mate.userId).workspaces.get({ workspaceId }))).to.equal('not-found');
  const assigned = { workspaceId, assigneeId: [mate.memberId], count: true, limit: 1 } as const;
  expect((await espalier.as(owner).tasks.list(assigned)).total).to.equal(0);
}

async function expectSound({ operator }: Espalier): Promise<void> {
  expect((await operator.doctor.check()).findings).to.deep.equal([]);
}

describe(`a member who is assigned to ${TASKS} tasks`, function () {
  this.timeout(60_000 + TASKS * 20);
  const folder = temporaryFolder();

  const urls: Readonly<Record<string, (context: Mocha.Context) => Promise<string>>> = {
    memory: async () => 'memory:',
    embedded: async () => `file:${join(folder, `${newId()}.db`)}`,
    MongoDB: async (context) => {
      await mongodbUrl(context);
      return mongodbUrlOf(`assignments-${newId().slice(-12)}`);
    },
  };

  for (const [name, urlOf] of Object.entries(urls)) {
    it(`is out with the first commit, and off the tasks in small ones, after a crash too: ${name}`, async function () {
      const url = await urlOf(this);
      this.timeout(60_000 + TASKS * 20);
      const store = new WatchedStore(await openStore(url));
      const espalier = createEspalier({ store });
      const made = crowd();
      const { owner, workspaceId, mates } = made;
      let since = performance.now();
      await espalier.operator.imports.workspace({ records: made.records() });
      since = note('imported', since);
      store.written.length = 0;
      await espalier.as(owner).members.remove({ workspaceId, memberId: mates[0]!.memberId });
      since = note('answered', since);
      await expectGone(espalier, made, mates[0]!);
      await espalier.idle();
      const { written } = store;
      note('taken off all tasks', since, `, ${written.length} commits, the largest of ${Math.max(...written)} records`);
      expect(written[0]).to.be.at.most(MAX_FIRST);
      expect(Math.max(...written)).to.be.at.most(MAX_WRITTEN);
      expect(written.length).to.be.at.least(TASKS / MAX_WRITTEN);
      expect(await jobsIn(store)).to.equal(0);
      await expectSound(espalier);
      await espalier.close();
      if (name === 'memory') return;

      await killedWhileRemoving(url, { owner, workspaceId, memberId: mates[1]!.memberId });
      // The lease of the process that was killed is over.
      const clock = { now: () => Date.now() + HOUR };
      const other = createEspalier({ store: await openStore(url), clock });
      await expectGone(other, made, mates[1]!);
      since = performance.now();
      await other.idle();
      note('taken off the rest after a crash', since);
      expect(await jobsIn(other.store)).to.equal(0);
      const { items } = await other.as(owner).tasks.list({ workspaceId, limit: 500 });
      expect(items.every(({ assignees }) => assignees.length === 0)).to.equal(true);
      since = performance.now();
      await expectSound(other);
      note('checked', since);
      await other.close();
    });
  }
});
