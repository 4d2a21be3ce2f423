import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { needs, runs } from '../../fixtures/available.ts';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('runtime.main.js', import.meta.url));

/** What runs a program. docs/library.md says which of them are tested. */
const RUNTIMES = [
  { name: 'Node', command: process.execPath, args: [] },
  { name: 'Bun', command: 'bun', args: [] },
  { name: 'Deno', command: 'deno', args: ['run', '--allow-all', '--no-lock'] },
];

describe('the library, its stores in process, its service and its client', () => {
  for (const { name, command, args } of RUNTIMES) {
    it(`work on ${name}`, async function () {
      this.timeout(60_000);
      needs(this, name, runs(command, '--version'));
      const { stdout } = await run(command, [...args, MAIN]);
      const used = ['Todo', 200, 200];
      expect(JSON.parse(stdout)).to.deep.equal([used, used]);
    });
  }
});
