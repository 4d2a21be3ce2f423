import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createEspalier, type Espalier } from '../../../../adapters/service/index.ts';
import { startService, type Service } from '../../../../adapters/http/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { eventually } from '../../../fixtures/mongodb/mongod.ts';
import { cliDirectory, type CliDirectory } from '../in-process.ts';

interface Host {
  readonly espalier: Espalier;
  readonly service: Service;
  readonly env: Record<string, string>;
}

async function host(): Promise<Host> {
  const espalier = createEspalier({ store: memoryStore() });
  const { id } = await espalier.users.create({ name: 'Ada', email: 'ada@example.org', administrator: true });
  const { token } = await espalier.tokens.createFor({ userId: id, name: 'test' });
  const { engine, identity } = espalier;
  const service = await startService({ engine, identity, ready: () => espalier.store.ready(), port: 0 });
  return { espalier, service, env: { ESPALIER_URL: service.url, ESPALIER_TOKEN: token } };
}

describe('Export and import through a service', () => {
  let here: CliDirectory;
  let from: Host;
  let to: Host;

  before(async () => {
    here = await cliDirectory();
    [from, to] = [await host(), await host()];
    const on = { env: from.env };
    await here.ok(['workspace', 'create', '--name', 'Acme'], on);
    await here.ok(['board', 'create', '--no-columns', '--name', 'Dev'], on);
    await here.ok(['status', 'create', '-b', 'Dev', '--name', 'Todo'], on);
    const stdin = Array.from({ length: 1_200 }, (_, i) => `{"title":"task ${i}"}\n`).join('');
    await here.ok(['task', 'create', '-b', 'Dev', '--from', '-'], { ...on, stdin });
  });
  after(async () => {
    for (const { service, espalier } of [from, to]) {
      await service.close();
      await espalier.close();
    }
    await here.close();
  });

  it('moves a workspace from one service to another', async () => {
    const exported = await here.ok(['export', 'acme.jsonl', '-w', 'acme'], { env: from.env });
    expect(exported.stderr).to.include(': 1 page, 1,200 tasks, 0 comments.');
    const cut = (await readFile(join(here.path, 'acme.jsonl'), 'utf8')).slice(0, 200_000);
    await writeFile(join(here.path, 'cut.jsonl'), cut);
    const refused = await here.run(['import', 'cut.jsonl'], { env: to.env });
    expect(refused.code, refused.stderr).to.equal(2);
    expect((await here.ok(['workspace', 'list', '--json'], { env: to.env })).json()).to.deep.equal([]);
    // The service learns later than the command that the upload has ended, and then removes what it wrote.
    await eventually(() => here.ok(['import', 'acme.jsonl'], { env: to.env }));
    const boards = await here.ok(['status', 'list', '-b', 'Dev', '--json'], { env: to.env });
    expect(boards.json<{ taskCount: number }[]>().map(({ taskCount }) => taskCount)).to.deep.equal([1_200]);
    expect((await here.run(['import', 'acme.jsonl'], { env: to.env })).code).to.equal(5);
  });

  it('tells where to run the doctor', async () => {
    const ran = await here.run(['doctor'], { env: to.env });
    expect(ran.code).to.equal(2);
    expect(ran.stderr).to.include('--store');
  });
});
