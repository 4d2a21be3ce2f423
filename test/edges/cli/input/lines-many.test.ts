import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { serve, type Service } from '../../../../adapters/http/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { cliDirectory, type CliDirectory } from '../in-process.ts';

const TASKS = 150;

interface Report {
  readonly line: number;
  readonly changed: boolean;
  readonly error: { readonly code: string } | null;
}

describe('A file of many tasks, on a service', () => {
  let here: CliDirectory;
  let service: Service;
  let requests = 0;
  before(async () => {
    here = await cliDirectory();
    const espalier = createEspalier({ store: memoryStore() });
    const logger = { info: () => void requests++, error: () => undefined };
    service = await serve(espalier, { port: 0, logger });
    const { id } = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const { token } = await espalier.tokens.createFor({ userId: id, name: 'cli' });
    Object.assign(here.env, { ESPALIER_URL: service.url, ESPALIER_TOKEN: token });
    await here.ok(['workspace', 'create', '--name', 'Acme']);
    await here.ok(['board', 'create', '--name', 'Dev']);
    const lines = Array.from({ length: TASKS }, (_, i) => ({ title: `T${i + 1}`, externalId: `x${i + 1}` }));
    await here.ok(['task', 'create', '-b', 'Dev', '--from', '-'], { stdin: textOf(lines) });
  });
  after(async () => {
    await service.close();
    await here.close();
  });

  const textOf = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n');
  const ran = async (words: readonly string[], lines: readonly object[]) => {
    const before = requests;
    const { stdout } = await here.run(['task', ...words, '--from', '-', '--json'], { stdin: textOf(lines) });
    const reports = JSON.parse(stdout) as Report[];
    const outcomes = reports.map(({ changed, error }) => error?.code ?? (changed ? 'done' : 'same'));
    return { outcomes, requests: requests - before };
  };

  it('reads its tasks together, and asks once more for each that differs', async () => {
    const same = Array.from({ length: TASKS }, (_, i) => ({ num: i + 1, title: `T${i + 1}` }));
    const unchanged = await ran(['edit'], same);
    expect(new Set(unchanged.outcomes)).to.deep.equal(new Set(['same']));
    expect(unchanged.requests).to.be.below(TASKS / 10);
    const changed = await ran(['edit'], same.with(2, { num: 3, title: 'New' }).with(120, { num: 121, title: 'New' }));
    expect(changed.outcomes.filter((one) => one === 'done')).to.have.lengthOf(2);
    expect(changed.requests).to.equal(unchanged.requests + 2);
  });

  it('sees what its own lines have changed', async () => {
    const { id } = (await here.ok(['task', 'show', '2', '--json'])).json<{ id: string }>();
    const far = Array.from({ length: 130 }, (_, i) => ({ num: i + 1 }));
    const lines = [
      { num: 1, title: 'A' },
      { num: '#1', title: 'T1' },
      { num: 1, id, title: 'B' },
      { num: 0, title: 'x' },
      { num: TASKS + 1, title: 'x' },
      ...far,
      { num: 1, title: 'T1' },
      { id, title: 'B' },
    ];
    const { outcomes } = await ran(['edit'], lines);
    expect(outcomes.slice(0, 5)).to.deep.equal(['done', 'done', 'done', 'not-found', 'not-found']);
    expect(new Set(outcomes.slice(5))).to.deep.equal(new Set(['same']));
  });

  it('foresees in a dry run which external ids are taken, in as few calls', async () => {
    const line = (externalId: string | null, more: object = {}) => ({ title: 'x', externalId, ...more });
    const created = [
      line('x1'),
      line('new'),
      line('new'),
      line('late', { priority: -1 }),
      line('late'),
      line(null),
      line(''),
      ...Array.from({ length: TASKS }, (_, i) => line(`x${i + 1}`)),
    ];
    const edited = [
      { num: 1, externalId: 'x2' },
      { num: 1, externalId: 'x1' },
      { num: 2, externalId: null },
      { num: 3, externalId: 'x2' },
      { num: 4, externalId: 'x3' },
      { num: 5, externalId: 'x3' },
      { num: 6, externalId: 'new' },
    ];
    for (const [words, lines] of [
      [['create', '-b', 'Dev'], created],
      [['edit'], edited],
    ] as const) {
      const foreseen = await ran([...words, '--dry-run'], lines);
      expect(foreseen.requests).to.be.below(20);
      expect(foreseen.outcomes).to.include('external-id-taken');
      expect(foreseen.outcomes).to.deep.equal((await ran(words, lines)).outcomes);
    }
  });

  it('goes on in a dry run from what the lines before would have changed', async () => {
    await here.ok(['board', 'create', '--name', 'Ops', '--no-columns']);
    await here.ok(['status', 'create', '-b', 'Ops', '--name', 'Running']);
    const { id } = (await here.ok(['task', 'show', '11', '--json'])).json<{ id: string }>();
    const lines = [
      { num: 7, externalId: 'y7' },
      { num: 7, externalId: 'z7' },
      { num: 8, externalId: 'y7' },
      { num: 7, externalId: 'x7' },
      { num: 7, title: 'New' },
      { num: 7, title: 'New' },
      { num: 7, board: 'Ops' },
      { num: 7, status: 'Running', metadata: { a: 1 } },
      { id, externalId: 'y11' },
      { id, externalId: 'z11' },
      { num: 12, externalId: 'y11' },
      ...Array.from({ length: 110 }, (_, i) => ({ num: i + 20 })),
      { num: 7, status: 'Running' },
    ];
    const foreseen = await ran(['edit', '--dry-run'], lines);
    const { outcomes } = await ran(['edit'], lines);
    expect(outcomes.slice(0, 11)).to.deep.equal(Array.from({ length: 11 }, () => 'done').with(5, 'same'));
    expect(foreseen.outcomes).to.deep.equal(outcomes);
  });

  it('foresees external ids that are too long for one query', async () => {
    const stdin = Array.from({ length: 100 }, (_, i) => ({ title: 'x', externalId: `${'ü'.repeat(190)} ${i}` }));
    const words = ['create', '-b', 'Dev'];
    for (const outcome of ['done', 'external-id-taken']) {
      const foreseen = await ran([...words, '--dry-run'], stdin);
      expect(new Set(foreseen.outcomes)).to.deep.equal(new Set([outcome]));
      expect((await ran(words, stdin)).outcomes).to.deep.equal(foreseen.outcomes);
    }
  });

  it('is refused an external id that is taken in a dry run of one task too', async () => {
    for (const words of [
      ['create', '-b', 'Dev', '-t', 'x', '--external-id', 'x9'],
      ['edit', '10', '--external-id', 'x9'],
    ]) {
      expect((await here.run(['task', ...words, '--dry-run'])).code).to.equal(5);
      expect((await here.run(['task', ...words])).code).to.equal(5);
    }
    await here.ok(['task', 'edit', '9', '--external-id', 'x9', '--dry-run']);
  });
});
