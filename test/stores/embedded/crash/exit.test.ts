import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { preparedStore } from './crashed-store.ts';
import { writeOnce } from './writer-process.ts';
import { bundled } from '../../../fixtures/process/bundled.ts';

const script = bundled(new URL('./exit.main.js', import.meta.url));

describe('a process that exits while it writes to an embedded store', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();

  const places = {
    small: 'in a small write',
    large: 'in a large write',
    between: 'between a large write and the next',
  };
  for (const [how, where] of Object.entries(places)) {
    it(`ends, with its exit code, and leaves the store to others: ${where}`, async () => {
      const path = await preparedStore(folder);
      const child = spawn(process.execPath, [script(), path, how], { stdio: 'ignore' });
      expect(await once(child, 'exit')).to.deep.equal([7, null]);
      expect(writeOnce(path)).not.to.equal('');
    });
  }

  it('tells the error that ends it right behind a call', async () => {
    const path = await preparedStore(folder);
    const child = spawn(process.execPath, [script(), path, 'failing'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const told = text(child.stderr);
    expect(await once(child, 'exit')).to.deep.equal([1, null]);
    expect(await told).to.include('nobody expects it');
  });

  it('ends while it waits for the lock of another', async () => {
    const path = await preparedStore(folder);
    const child = spawn(process.execPath, [script(), path, 'waiting'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    const other = spawn(process.execPath, [script(), path, 'held'], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(other.stdout, 'data');
    child.stdin.end('go on');
    await exited;
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(writeOnce(path)).not.to.equal('');
  });
});
