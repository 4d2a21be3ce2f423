import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createEspalier } from '../../../adapters/service/index.ts';
import { startService } from '../../../adapters/http/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { operations } from '../../../adapters/schemas/index.ts';

const run = promisify(execFile);

/** Seen from `dist/test/edges/examples`. */
const compiled = (name: string) => fileURLToPath(new URL(`../../../examples/${name}.js`, import.meta.url));
const source = (name: string) => fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url));

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

  it('http-walk: every operation of the service, with curl', async () => {
    const { service, token, close } = await serving();
    try {
      const env = { ...process.env, ESPALIER_URL: service.url, ESPALIER_TOKEN: token };
      const { stdout, stderr } = await run('bash', [source('http-walk.sh')], { env });
      expect(stdout).to.include('"title":"Build the rocket"').and.include('How many fins?');
      const calls = stderr
        .split('\n')
        .flatMap((line) => /^2\d\d (\w+) ([^?]+)/.exec(line)?.slice(1, 3).join(' ') ?? []);
      const missing = operations.filter(({ method, path }) => {
        const pattern = new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[0-9a-f-]{36}')}$`);
        return !calls.some((call) => pattern.test(call));
      });
      expect(missing.map(({ useCase }) => useCase)).to.deep.equal([]);
    } finally {
      await close();
    }
  });
});
