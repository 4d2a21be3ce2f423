import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createClient } from '../../../adapters/client/index.ts';
import { createEspalier } from '../../../adapters/service/index.ts';
import { startService } from '../../../adapters/http/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { DIRECT } from '../../fixtures/process/direct.ts';
import { needs, runs } from '../../fixtures/available.ts';
import { MAIN } from '../cli/child.ts';
import { operations } from '../../../adapters/schemas/index.ts';

const run = promisify(execFile);

/** Seen from `dist/test/edges/examples`. */
const compiled = (name: string) => fileURLToPath(new URL(`../../../examples/${name}.js`, import.meta.url));
const source = (name: string) => fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url));

const EVERY_OPERATION = fileURLToPath(new URL('../../../../test/edges/examples/every-operation.sh', import.meta.url));

/** A service in memory, with a token of an administrator. */
async function serving() {
  const espalier = createEspalier({ store: memoryStore() });
  const user = await espalier.users.create({ name: 'Root', email: 'root@example.org', administrator: true });
  const { token } = await espalier.tokens.createFor({ userId: user.id, name: 'walk' });
  const { engine, identity } = espalier;
  const service = await startService({ engine, identity, ready: () => espalier.store.ready(), port: 0 });
  return {
    service,
    token,
    close: async () => {
      await service.close();
      await espalier.close();
    },
  };
}

describe('Examples', () => {
  it('embed: the engine in process', async () => {
    const { stdout } = await run(process.execPath, [compiled('embed')]);
    expect(stdout).to.equal('#1 Write the spec: complete\nBen: forbidden\nsilent -> entry 100\n');
  });

  it('custom-identity: the service with another way to sign in', async () => {
    const { stdout } = await run(process.execPath, [compiled('custom-identity')]);
    expect(stdout).to.equal('200 Ada\n401 unauthenticated\n');
  });

  it('team-setup: the same team however often it is run', async () => {
    const { service, token, close } = await serving();
    try {
      const env = { ...process.env, ESPALIER_TOKEN: token };
      const setUp = () => run(process.execPath, [compiled('team-setup'), source('team.json'), service.url], { env });
      expect((await setUp()).stdout)
        .to.include('made board Dev')
        .and.match(/\n10 changes\n$/);
      expect((await setUp()).stdout).to.equal('0 changes\n');
    } finally {
      await close();
    }
  });

  it('http-walk: a short way through the interface, with curl and jq', async function () {
    needs(this, 'jq', runs('jq', '--version'));
    const { service, token, close } = await serving();
    try {
      const env = { ...process.env, ...DIRECT, ESPALIER_URL: service.url, ESPALIER_TOKEN: token };
      const { stdout } = await run('bash', [source('http-walk.sh')], { env });
      expect(stdout.split('\n').filter((line) => !line.startsWith('# '))).to.deep.equal([
        '{"name":"Todo","done":false}',
        '{"num":1,"title":"Order glue"}',
        '{"num":2,"title":"Build the rocket"}',
        '{"num":2,"complete":true}',
        '#2 Build the rocket: Done, by Root',
        '#1 Order glue: Todo, by Root',
        '{"status":412,"code":"version-mismatch"}',
        '',
      ]);
    } finally {
      await close();
    }
  });

  it('express: the service beside the routes of an application', async () => {
    const child = spawn(process.execPath, [compiled('express')], { env: { ...process.env, PORT: '0' } });
    try {
      const said = createInterface(child.stdout)[Symbol.asyncIterator]();
      const line = String((await said.next()).value);
      const authorization = String((await said.next()).value).replace('Authorization: ', '');
      const ask = async (path: string) => (await fetch(line + path)).status;
      expect(
        await Promise.all(['', '/healthz', '/api/openapi.json', '/api/workspace', '/../hello', 's'].map(ask)),
      ).to.deep.equal([200, 200, 200, 401, 200, 404]);
      const sent = await fetch(`${line}/api/workspace`, {
        method: 'POST',
        body: '{}',
        headers: { authorization: 'Bearer no' },
      });
      expect(sent.status).to.equal(401);
      const { workspaces } = createClient({ url: line, token: authorization.replace('Bearer ', '') });
      const { id } = await workspaces.create({ name: 'Acme' });
      const headers = { authorization, accept: 'text/event-stream' };
      const stream = await fetch(`${line}/api/workspace/${id}/changes`, { headers });
      expect(stream.status).to.equal(200);
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await stream.text();
      expect(await exited).to.deep.equal([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('next-route: the service as handlers of a route', async () => {
    process.env['ESPALIER_STORE'] = 'memory:';
    const route = (await import(compiled('next-route'))) as Record<
      'GET' | 'POST',
      (request: Request) => Promise<Response>
    >;
    delete process.env['ESPALIER_STORE'];
    expect((await route.GET(new Request('http://localhost/api/openapi.json'))).status).to.equal(200);
    expect((await route.POST(new Request('http://localhost/api/workspace', { method: 'POST' }))).status).to.equal(401);
  });

  it('ci-report: a task for a build that fails, closed when it is green', async function () {
    this.timeout(120_000);
    const { service, token, close } = await serving();
    try {
      const env = {
        ...process.env,
        ESPALIER_URL: service.url,
        ESPALIER_TOKEN: token,
        ESPALIER: `node ${basename(MAIN)}`,
      };
      const cli = (...words: string[]) => run(process.execPath, [MAIN, ...words], { env });
      await cli('workspace', 'create', '--name', 'Acme');
      await cli('board', 'create', '--workspace', 'acme', '--name', 'Dev', '--columns', 'Todo,Done*');
      const report = async (result: string) =>
        (await run('bash', [source('ci-report.sh'), 'acme', 'Dev', 'main', result], { env, cwd: dirname(MAIN) }))
          .stdout;
      const open = '- [ ] #1 Build of main fails (Todo)\n';
      expect(await report('failed')).to.equal(open);
      expect(await report('failed')).to.equal(open);
      expect(await report('passed')).to.equal('');
      expect(await report('failed')).to.equal(open);
    } finally {
      await close();
    }
  });

  it('every operation of the service, with curl', async () => {
    const { service, token, close } = await serving();
    try {
      const env = { ...process.env, ...DIRECT, ESPALIER_URL: service.url, ESPALIER_TOKEN: token };
      const { stdout, stderr } = await run('bash', [EVERY_OPERATION], { env });
      expect(stdout).to.include('"title":"Build the rocket"').and.include('How many fins?');
      const calls = stderr
        .split('\n')
        .flatMap((line) => /^2\d\d (\w+) ([^?]+)/.exec(line)?.slice(1, 3).join(' ') ?? []);
      const missing = operations.filter(({ method, path }) => {
        const pattern = new RegExp(
          `^${method} ${path.replace('{type}', '\\w+').replace(/\{\w+\}/g, '[0-9a-f-]{36}')}$`,
        );
        return !calls.some((call) => pattern.test(call));
      });
      expect(missing.map(({ useCase }) => useCase)).to.deep.equal([]);
    } finally {
      await close();
    }
  });
});
