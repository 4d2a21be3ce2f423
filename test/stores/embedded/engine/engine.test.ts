import { assert, expect } from 'chai';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { bundled } from '../../../fixtures/process/bundled.ts';

const script = bundled(new URL('./worker.main.js', import.meta.url));
const KILLS = 5;

interface Line {
  readonly task?: string;
  readonly num?: number;
  readonly counted?: true;
  readonly error?: string;
  readonly done?: true;
}

/** Runs a worker to its end, or kills it behind so many lines. */
function work(args: readonly string[], killBehind = Infinity): Promise<Line[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script(), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.split('\n').length > killBehind) child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('close', () => {
      // What was cut off in the middle was told to nobody.
      const lines = text.split('\n').slice(0, -1);
      resolve(lines.map((line) => JSON.parse(line) as Line));
    });
  });
}

describe('the engine on an embedded store, from several processes', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();

  async function prepared(name: string): Promise<{ path: string; args: string[] }> {
    const path = join(folder, name);
    const espalier = createEspalier({ store: embeddedStore({ path }) });
    const user = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const ada = espalier.as(user);
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const board = await ada.boards.create({ workspaceId, name: 'Dev', description: '0' });
    await ada.statuses.create({ workspaceId, boardId: board.id, name: 'Todo' });
    await espalier.close();
    return { path, args: [path, user.id, workspaceId, board.id] };
  }

  /** Everything acknowledged is there once, and no invariant is broken. */
  async function expectWhole(path: string, args: readonly string[], lines: readonly Line[], exactly: boolean) {
    expect(lines.filter(({ error }) => error !== undefined)).to.deep.equal([]);
    const espalier = createEspalier({ store: embeddedStore({ path }) });
    const { findings, tasks } = await espalier.operator.doctor.check();
    expect(findings).to.deep.equal([]);
    const ada = espalier.as(args[1]!);
    const [workspaceId, boardId] = [args[2]!, args[3]!];
    const told = lines.filter(({ task }) => task !== undefined);
    for (const { task, num } of told) {
      expect((await ada.tasks.get({ workspaceId, taskId: task! })).num).to.equal(num);
    }
    expect(new Set(told.map(({ num }) => num)).size).to.equal(told.length);
    const counted = lines.filter((line) => line.counted).length;
    const count = Number((await ada.boards.get({ workspaceId, boardId })).description);
    if (exactly) expect([tasks, count]).to.deep.equal([told.length, counted]);
    else assert(tasks >= told.length && count >= counted);
    await espalier.close();
  }

  it('four with eight clients each move, create, delete and count: nothing lost, nothing doubled, no cycle', async () => {
    const { path, args } = await prepared('four.db');
    const runs = await Promise.all([1, 2, 3, 4].map((seed) => work([...args, '8', '12', String(seed)])));
    for (const lines of runs) expect(lines.at(-1)?.done).to.equal(true);
    await expectWhole(path, args, runs.flat(), true);
  });

  it('one that is killed while it works has lost nothing it told of', async () => {
    const { path, args } = await prepared('killed.db');
    const lines: Line[] = [];
    for (let kill = 1; kill <= KILLS; kill++) {
      lines.push(...(await work([...args, '8', '1000', String(kill)], 7 * kill)));
      await expectWhole(path, args, lines, false);
    }
    assert(!lines.some(({ done }) => done === true));
  });
});
