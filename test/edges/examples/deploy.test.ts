import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { MAIN } from '../cli/child.ts';

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string) => readFile(fileURLToPath(new URL(path, ROOT)), 'utf8');

describe('examples/deploy', () => {
  const folder = temporaryFolder();

  it('starts the service with flags and settings that there are', async () => {
    const help = await read('docs/cli.md');
    for (const file of ['Dockerfile', 'compose.yaml', 'espalier.service']) {
      const text = await read(`examples/deploy/${file}`);
      const serve = [...text.matchAll(/^(?:ENTRYPOINT|ExecStart=| +command: \['--admin).*$/gm)]
        .map(([line]) => line)
        .join(' ');
      const flags = serve.match(/--[a-z][a-z-]+/g) ?? [];
      expect(flags, file).not.to.have.length(0);
      for (const flag of flags) expect(help, `${file} ${flag}`).to.include(`\`${flag} `);
      for (const [name] of text.matchAll(/ESPALIER_[A-Z_]+/g)) expect(help, `${file} ${name}`).to.include(name);
    }
  });

  it('the image serves with what compose adds, and its health check tells whether it does', async function () {
    this.timeout(60_000);
    const [image, compose] = [await read('examples/deploy/Dockerfile'), await read('examples/deploy/compose.yaml')];
    const words = (line: RegExp, text = image) => JSON.parse(line.exec(text)![1]!) as string[];
    const [, program, ...args] = words(/^ENTRYPOINT (.*)$/m);
    expect(program).to.match(/^node_modules\/espalier\/dist\/bin\/espalier\.js$/);
    const more = words(/^ +command: (\["--admin.*)$/m, compose.replaceAll("'", '"'));
    // Without Docker: on this machine alone, and on a port and a store of the test's own.
    const local = args
      .join(' ')
      .replace('--host 0.0.0.0', '--host 127.0.0.1')
      .replace('--port 4800', '--port 0')
      .split(' ');
    expect(local).to.include.members(['127.0.0.1', '0']);
    const env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      ESPALIER_STORE: `file:${join(folder, 'espalier.db')}`,
      ESPALIER_BASE_PATH: '/tracker',
    };
    const child = spawn(process.execPath, [MAIN, ...local, ...more], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      let url = '';
      const said: string[] = [];
      for await (const line of createInterface(child.stdout)) {
        said.push(line);
        url ||= /listens on (\S+)/.exec(line)?.[1] ?? '';
        if (line.startsWith('Token')) break;
      }
      expect(said).to.include('Administrator: admin@example.org');
      const [, , script] = words(/^HEALTHCHECK .* CMD (.*)$/m);
      const isHealthy = () => {
        const there = script!.replace('http://127.0.0.1:4800', new URL(url).origin);
        expect(there).to.not.equal(script);
        return spawnSync(process.execPath, ['-e', there], { env }).status === 0;
      };
      expect(isHealthy()).to.equal(true);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).to.deep.equal([0, null]);
      expect(isHealthy()).to.equal(false);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
