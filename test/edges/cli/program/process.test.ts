import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { shellWord } from '../../../../cli/io/shell-word.ts';
import { ended, MAIN, start } from '../child.ts';
import { needs } from '../../../fixtures/available.ts';
import { acmeDirectory, cliDirectory, type CliDirectory } from '../in-process.ts';
import { startServe } from '../serve/serve-process.ts';

const PACKAGE = fileURLToPath(new URL('../../../../../package.json', import.meta.url));
const ACME = fileURLToPath(new URL('../../../../../examples/acme.jsonl', import.meta.url));

describe('The program as a process', () => {
  let here: CliDirectory;
  before(async () => {
    here = await cliDirectory();
  });
  after(() => here.close());

  it('prints its version', async () => {
    const { code, stdout } = await ended(start(here, '--version'));
    expect(code).to.equal(0);
    expect(stdout).to.match(/^\d+\.\d+\.\d+\n$/);
  });

  it('says which Node it needs, and runs on the oldest of these', async () => {
    const { engines } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { engines: { node: string } };
    const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines.node)!;
    for (const [node, expected] of [
      [`${Number(major) - 1}.99.0`, 1],
      [`${major}.${Number(minor) - 1}.9`, 1],
      [`${major}.${minor}.0`, 0],
      [`${Number(major) + 1}.0.0`, 0],
    ] as const) {
      const preload = join(here.path, 'preload.cjs');
      const versions = `{ value: { ...process.versions, node: '${node}' } }`;
      await writeFile(preload, `Object.defineProperty(process, 'versions', ${versions});`);
      const args = ['--require', preload, MAIN, 'config', 'path'];
      const child = spawn(process.execPath, args, { cwd: here.path, env: { ...process.env, ...here.env } });
      const { code, stderr } = await ended(child);
      expect(code, node).to.equal(expected);
      if (expected === 1) expect(stderr).to.include(`${major}.${minor}`);
    }
  });

  it('finds the files of the package from where it is bundled', async () => {
    const { stdout } = await ended(start(here, 'openapi'));
    expect((JSON.parse(stdout) as { info: object }).info).to.have.property('version');
  });

  it('says that its working directory was removed', async () => {
    const gone = join(here.path, 'gone');
    const [node, main] = [process.execPath, MAIN].map(shellWord);
    for (const [args, expected] of [
      ['config path', 1],
      ['--version', 0],
    ] as const) {
      await mkdir(gone);
      const script = `rmdir ${shellWord(gone)}; exec ${node} ${main} ${args}`;
      const { code, stderr } = await ended(spawn('sh', ['-c', script], { cwd: gone }));
      expect(code, stderr).to.equal(expected);
      expect(stderr).to.match(expected === 0 ? /^$/ : /^espalier: .*\n$/);
    }
  });

  it('ends with the code for what went wrong, and says it on stderr', async () => {
    const { code, stdout, stderr } = await ended(start(here, 'serve', '--store', 'nothing:'));
    expect(code).to.equal(2);
    expect(stdout).to.equal('');
    expect(stderr).to.include('invalid-input');
  });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    it(`serves until ${signal}, lets a running request end, and ends with 0`, async () => {
      const child = start(here, 'serve', '--port', '0', '--json', '--store', 'memory:');
      let text = '';
      const url = new Promise<string>((resolve) => {
        child.stdout.on('data', (data: Buffer) => {
          text += data.toString();
          const found = /"url": "([^"]+)"/.exec(text)?.[1];
          if (found !== undefined) resolve(found);
        });
      });
      const done = ended(child);
      expect((await fetch(`${await url}/readyz`)).status).to.equal(200);
      child.kill(signal);
      const { code, stderr } = await done;
      expect(code, stderr).to.equal(0);
      for (const line of stderr.trim().split('\n')) expect(() => JSON.parse(line) as unknown, line).not.to.throw();
    });
  }

  it('goes on where a list of a service ended, and looks at lines without writing them', async () => {
    const service = startServe(here, '--port', '0', '--store', 'memory:', '--load', ACME);
    try {
      const { url, administrator } = await service.started;
      const env = { ...here.env, ESPALIER_URL: url, ESPALIER_TOKEN: administrator!.token };
      const at = { ...here, env };
      const list = (...args: string[]) => ended(start(at, 'task', 'list', '--jsonl', '--fields', 'num', ...args));
      const first = await list('--limit', '3');
      const cursor = /--cursor (\S+)/.exec(first.stderr)![1]!;
      expect((await list('--cursor', cursor)).stdout).to.equal('{"num":4}\n');
      const child = start(at, 'task', 'create', '--from', '-', '--dry-run', '--jsonl', '--fields', 'line,error');
      child.stdin.end('{"title":"x","board":"Launch"}\n{"title":"","board":"Launch"}\n');
      const { stdout } = await ended(child);
      const codes = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { error?: { code: string } }).error?.code);
      expect(codes).to.deep.equal([undefined, 'invalid-input']);
    } finally {
      service.child.kill();
      await service.done;
    }
  });

  for (const [signal, code] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`ends with ${code} when it is interrupted by ${signal}`, async () => {
      const child = start(here, 'import', 'trello', '-', '--dry-run');
      const done = ended(child);
      // More than a pipe holds: once it is taken, the program is at work.
      await new Promise((resolve) => child.stdin.write(' '.repeat(1_000_000), resolve));
      child.kill(signal);
      expect((await done).code).to.equal(code);
    });
  }

  it('ends with 143 when it is asked to end while it reads a pipe that is still written', async () => {
    const acme = await acmeDirectory();
    await acme.ok(['board', 'create', '--name', 'Dev']);
    execFileSync('mkfifo', [join(acme.path, 'lines')]);
    for (const words of [
      ['task', 'create', '--from', 'lines'],
      ['task', 'create', '--board', 'Dev', '--title', 'x', '--description', '@lines'],
      ['import', 'lines'],
    ]) {
      const child = start(acme, ...words);
      const done = ended(child);
      // Opened once the program has opened it, too.
      const writer = await open(join(acme.path, 'lines'), 'w');
      await writer.write('{"title":"x"');
      child.kill('SIGTERM');
      expect((await done).code, words.join(' ')).to.equal(143);
      await writer.close();
    }
    await acme.close();
  });

  for (const [code, ...words] of [
    [0, 'watch'],
    [0, 'board', 'show', 'Launch', '--watch'],
    [143, 'snapshot'],
    [143, 'import', 'trello', '-'],
  ] as const) {
    it(`ends while a service does not answer, when it is asked to: ${words.join(' ')}`, async () => {
      let child: ReturnType<typeof start> | undefined;
      const silent = createServer().listen(0, '127.0.0.1');
      // A second signal would end any command.
      silent.once('request', () => child!.kill('SIGTERM'));
      await once(silent, 'listening');
      try {
        const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
        const env = { ...here.env, ESPALIER_URL: url, ESPALIER_TOKEN: 'esp_x' };
        child = start({ ...here, env }, ...words);
        child.stdin.end(JSON.stringify({ id: 'b', name: 'B', lists: [], cards: [], labels: [], members: [] }));
        expect((await ended(child)).code).to.equal(code);
      } finally {
        child?.kill('SIGKILL');
        silent.closeAllConnections();
        silent.close();
      }
    });
  }

  it('prints one error when a query of jq runs out of memory', async () => {
    const acme = await acmeDirectory();
    const { code, stderr } = await ended(start(acme, 'workspace', 'list', '--json', '--jq', '[range(1e8)]'));
    expect(code).to.equal(1);
    expect(stderr).to.match(/^espalier: /);
    await acme.close();
  });

  for (const TZ of ['America/New_York', 'UTC', 'Pacific/Auckland']) {
    it(`prints the day of a date by a template: ${TZ}`, async () => {
      const acme = await acmeDirectory();
      await acme.ok(['board', 'create', '--name', 'Dev']);
      await acme.ok(['task', 'create', '-b', 'Dev', '-t', 'one', '--end', '2026-03-09']);
      Object.assign(acme.env, { TZ });
      const template =
        '{{ dateEnd | date: "%d.%m.%Y", "UTC" }} {{ dateEnd | date_to_string: "ordinal", "US" }} {{ dateEnd | date: "%d" }} {{ dateStart | date: "%d" }}.';
      const { stdout } = await ended(start(acme, 'task', 'list', '--template', template));
      expect(stdout).to.equal('09.03.2026 Mar 9th, 2026 09 .\n');
      await acme.close();
    });
  }

  it('is ended by a signal while a query of jq runs, which may never end', async () => {
    const acme = await acmeDirectory();
    await acme.ok(['board', 'create', '--name', 'Dev']);
    for (const title of ['one', 'two']) await acme.ok(['task', 'create', '-b', 'Dev', '-t', title]);
    const query = 'if .title == "one" then "begun" else last(range(1e18)) end';
    const child = start(acme, 'task', 'list', '--jsonl', '--sort', 'num', '--jq', query);
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await closed).to.deep.equal([null, 'SIGTERM']);
    await acme.close();
  });

  it('refuses a pipe for what it reads twice or also writes', async () => {
    const acme = await acmeDirectory();
    const pipe = join(acme.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const issuer = ['--jwt-issuer', 'https://login.example.org', '--jwt-audience', 'tasks'];
    for (const words of [
      ['watch', '--cursor-file', 'pipe'],
      ['serve', '--store', 'memory:', '--port', '0', '--load', 'pipe'],
      ['serve', '--store', 'memory:', '--port', '0', ...issuer, '--jwt-jwks-file', 'pipe'],
    ]) {
      expect((await ended(start(acme, ...words))).code, words.join(' ')).to.equal(2);
    }
    const folder = join(acme.path, 'settings', 'espalier');
    await mkdir(folder, { recursive: true });
    await rename(pipe, join(folder, 'config.json'));
    const env = { ...acme.env, XDG_CONFIG_HOME: join(acme.path, 'settings') };
    expect((await ended(start({ ...acme, env }, 'task', 'list'))).code).to.equal(2);
    await acme.close();
  });

  it('takes a secret from a pipe, and ends with 143 when it is interrupted before there is one', async () => {
    execFileSync('mkfifo', [join(here.path, 'secret')]);
    const issuer = ['--jwt-issuer', 'https://login.example.org', '--jwt-audience', 'tasks'];
    const words = ['serve', '--store', 'memory:', '--port', '0', ...issuer, '--jwt-secret-file', 'secret'];
    const child = start(here, ...words);
    const done = ended(child);
    const writer = await open(join(here.path, 'secret'), 'w');
    await writer.write('s'.repeat(16));
    child.kill('SIGTERM');
    expect((await done).code).to.equal(143);
    await writer.close();
    const short = ended(start(here, ...words));
    await writeFile(join(here.path, 'secret'), 'short');
    expect((await short).code).to.equal(2);
  });

  it('reads a pipe to its end', async () => {
    const acme = await acmeDirectory();
    await acme.ok(['board', 'create', '--name', 'Dev']);
    execFileSync('mkfifo', [join(acme.path, 'lines')]);
    const done = ended(
      start(acme, 'task', 'create', '--board', 'Dev', '--from', 'lines', '--jsonl', '--fields', 'num'),
    );
    const line = JSON.stringify({ title: 'x', description: 'y'.repeat(10_000) });
    await writeFile(join(acme.path, 'lines'), `${line}\n`.repeat(100));
    expect((await done).stdout.trim().split('\n')).to.have.lengthOf(100);
    await acme.close();
  });

  describe('when its output ends', () => {
    let acme: CliDirectory;
    before(async () => {
      acme = await acmeDirectory();
    });
    after(() => acme.close());

    const commands = [['--version'], ['--help'], ['member', 'list', '--jsonl'], ['export', '-']];
    for (const command of commands) {
      const name = command.join(' ');
      it(`ends quietly where nobody reads any more: ${name}`, async () => {
        const child = start(acme, ...command);
        child.stdout.destroy();
        expect((await ended(child)).code).to.equal(0);
      });

      it(`fails where it cannot be written: ${name}`, async function () {
        needs(this, '/dev/full', existsSync('/dev/full'));
        const full = openSync('/dev/full', 'w');
        const child = spawn(process.execPath, [MAIN, ...command], {
          cwd: acme.path,
          env: { PATH: process.env['PATH'], ...acme.env },
          stdio: ['ignore', full, 'ignore'],
        });
        closeSync(full);
        expect(await once(child, 'exit')).to.deep.equal([1, null]);
      });
    }
  });
});
