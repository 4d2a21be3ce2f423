import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { needs, runs } from '../../fixtures/available.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

describe('npm ci', () => {
  it('installs what the build needs with NODE_ENV=production too', async () => {
    const env = { ...process.env, NODE_ENV: 'production' };
    expect((await run('npm', ['config', 'get', 'omit'], { cwd: ROOT, env })).stdout).to.equal('\n');
  });
});

describe('npm test', () => {
  it('starts where it has a lower priority, which it may not raise', async function () {
    needs(this, 'nice', runs('nice', 'true'));
    const isRoot = process.getuid?.() === 0;
    const unprivileged = ['setpriv', '--bounding-set', '-sys_nice', '--inh-caps', '-sys_nice'];
    needs(this, 'setpriv', !isRoot || runs('setpriv', '--version'));
    const args = ['-n', '1', ...(isRoot ? unprivileged : []), process.execPath, 'scripts/test/run.js', '--version'];
    const { stdout } = await run('nice', args, { cwd: ROOT }).catch((error: { readonly stdout: string }) => error);
    expect(stdout).to.include('In all');
  });
});

describe('npm start', () => {
  const folder = temporaryFolder();

  it('runs on while another build replaces the program, and leaves nothing behind', async function () {
    this.timeout(60_000);
    // As much of the project as the program needs, so that its build can be taken away.
    for (const part of [
      'dist/bin',
      'dist/adapters/http/reference',
      'dist/adapters/http/board',
      'scripts/start.js',
      'package.json',
    ]) {
      await cp(join(ROOT, part), join(folder, part), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await mkdir(join(folder, '.running', '999999999'), { recursive: true });
    const args = ['scripts/start.js', '--port', '0', '--store', 'memory:'];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const said: string[] = [];
      let url = '';
      for await (const line of createInterface(child.stdout)) {
        said.push(line);
        url ||= /listens on (\S+)/.exec(line)?.[1] ?? '';
        if (line.startsWith('Token')) break;
      }
      expect(url, said.join('\n')).to.match(/^http/);
      const given = /^Token, shown this once: (\S+)$/.exec(said.at(-1)!)![1];
      expect(said).to.include(`Its board is at ${url}/board#token=${given}`);
      await rm(join(folder, 'dist', 'bin'), { recursive: true });
      const token = /esp_\w+/.exec(said.at(-1)!)![0];
      const authorization = `Bearer ${token}`;
      for (const path of [
        '/board',
        '/board/board.js',
        '/api/docs',
        '/api/openapi.json',
        '/healthz',
        '/api/workspace',
        '/metrics',
      ]) {
        const { status } = await fetch(url + path, { headers: { authorization } });
        expect(status, path).to.equal(200);
      }
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).to.deep.equal([0, null]);
      expect(await readdir(join(folder, '.running'))).to.deep.equal([]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
