import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import type { Ask } from '../../../adapters/service/cluster/channel.ts';
import { electWriters } from '../../../adapters/service/cluster/writer-election.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

describe('the election of the workers that write for others', () => {
  const folder = temporaryFolder();
  const SILENT = { info() {}, error() {} };

  /** A worker that does as it is told. */
  function worker(pid: number, told: string[]) {
    const ask = (async (name: string) => void told.push(`${pid} ${name}`)) as Ask;
    return { pid, ask };
  }

  it('names the oldest that listens, tells every other, and names another when it ends', async () => {
    const told: string[] = [];
    const workers = [1, 2, 3].map((pid) => worker(pid, told));
    const election = electWriters(() => workers, SILENT, 1);
    const changed = async () => {
      election.workersChanged();
      await new Promise((resolve) => setImmediate(resolve));
      expect(election.writer()).to.equal(workers[0] ?? null);
      return told.splice(0);
    };
    expect(election.writer()).to.equal(null);
    expect(await changed()).to.deep.equal(['1 writeForOthers', '2 forwardWrites', '3 forwardWrites']);
    workers.push(worker(4, told));
    expect(await changed()).to.deep.equal(['4 forwardWrites']);
    workers.shift();
    expect(await changed()).to.deep.equal([
      '2 writeForOthers',
      '2 forwardWrites',
      '3 forwardWrites',
      '4 forwardWrites',
    ]);
    workers.pop();
    expect(await changed()).to.deep.equal([]);
    workers.length = 0;
    expect(await changed()).to.deep.equal([]);
    election.close();
  });

  it('names all that listen where each writes for some workspaces, and tells them in one order', async () => {
    const lists = new Map<number, string[]>();
    const workers = [1, 2, 3].map((pid) => {
      const ask = (async (name: string, input: unknown) => {
        const nameOf = (path: string | null) => (path === null ? 'itself' : basename(path));
        if (name === 'forwardWrites') lists.set(pid, (input as (string | null)[]).map(nameOf));
      }) as Ask;
      return { pid, ask };
    });
    const election = electWriters(() => workers, SILENT, 4);
    const changed = async () => {
      election.workersChanged();
      await new Promise((resolve) => setImmediate(resolve));
      expect(election.writer()).to.equal(null);
      return workers.map(({ pid }) => lists.get(pid));
    };
    expect(await changed()).to.deep.equal([
      ['itself', '2.sock', '3.sock'],
      ['1.sock', 'itself', '3.sock'],
      ['1.sock', '2.sock', 'itself'],
    ]);
    workers.shift();
    expect(await changed()).to.deep.equal([
      ['itself', '3.sock'],
      ['2.sock', 'itself'],
    ]);
    workers.shift();
    expect(await changed()).to.deep.equal([['itself']]);
    election.close();
  });

  it('lets nobody but the user of the service reach the writer, and leaves nothing', async () => {
    let path = '';
    const ask = (async (_: string, input: string) => void (path = input)) as Ask;
    const election = electWriters(() => [{ pid: 1, ask }], SILENT, 1);
    election.workersChanged();
    expect(statSync(dirname(path)).mode & 0o777).to.equal(0o700);
    election.close();
    expect(existsSync(dirname(path))).to.equal(false);
  });

  for (const [name, below] of [
    ['is missing', 'missing'],
    ['has too long a name for a socket', 'x'.repeat(90)],
  ] as const) {
    it(`leaves each worker to write by itself where the folder for temporary files ${name}`, () => {
      const tmp = process.env['TMPDIR'];
      const own = join(folder, below);
      if (below !== 'missing') mkdirSync(own);
      const told: string[] = [];
      process.env['TMPDIR'] = own;
      try {
        const workers = [1, 2].map((pid) => worker(pid, told));
        const election = electWriters(() => workers, SILENT, 2);
        election.workersChanged();
        expect(told).to.deep.equal([]);
        election.close();
        if (below !== 'missing') expect(readdirSync(own)).to.deep.equal([]);
      } finally {
        if (tmp === undefined) delete process.env['TMPDIR'];
        else process.env['TMPDIR'] = tmp;
      }
    });
  }
});
