import { expect } from 'chai';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

describe('A file of tasks with lines that are refused', () => {
  let here: CliDirectory;
  before(async () => {
    here = await acmeDirectory();
    await here.ok(['board', 'create', '--name', 'New']);
    await here.ok(['tag', 'create', '-b', 'New', '--name', 'bug, or not']);
  });
  after(() => here.close());

  it('names the commands that make the columns and tags that it lacks', async () => {
    const lines = ['ui', 'ui', 'bug, or not', 'the "API"'].map((tag) => ({ title: 'x', board: 'New', tags: [tag] }));
    const stdin = [...lines, { title: 'x', board: 'New', status: 'Review' }]
      .map((line) => JSON.stringify(line))
      .join('\n');
    const { code, stderr } = await here.run(['task', 'create', '--from', '-', '--dry-run', '--json'], { stdin });
    expect(code).to.equal(1);
    const commands = stderr.match(/espalier \w+ create .*/g)!;
    expect(commands).to.deep.equal([
      'espalier tag create --board New --name ui',
      `espalier tag create --board New --name 'the "API"'`,
      'espalier status create --board New --name Review',
    ]);
    expect(stderr).to.include('2 lines');
  });

  it('names the fields of lines, in a dry run as without it', async () => {
    const made = await here.ok(['task', 'create', '-b', 'New', '-t', 'x', '--end', '2026-03-01', '--json']);
    const { num } = made.json<{ num: number }>();
    const lines = [
      { num, start: '2026-03-02' },
      { num, start: '2026-03-03', end: '2026-03-02' },
    ];
    const stdin = lines.map((line) => JSON.stringify(line)).join('\n');
    for (const dryRun of [[], ['--dry-run']]) {
      const { stdout } = await here.run(['task', 'edit', '--from', '-', '--json', ...dryRun], { stdin });
      expect(stdout).to.include('start must not be after end');
      expect(stdout).to.include('end must not be before start');
    }
  });

  for (const stdin of ['[{"title":"x"}]', '[ {"title":"x"},\n{"title":"y"} ]\n', '[]\n', '[\n  {"title":"x"}\n]']) {
    it(`points to JSON Lines for a JSON array: ${JSON.stringify(stdin)}`, async () => {
      for (const words of [
        ['create', '--board', 'New'],
        ['edit', '--dry-run'],
      ]) {
        const { code, stderr } = await here.run(['task', ...words, '--from', '-'], { stdin });
        expect(code, words.join(' ')).to.equal(2);
        expect(stderr).to.include('--jsonl');
      }
    });
  }
});
