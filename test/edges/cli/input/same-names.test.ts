import { expect } from 'chai';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

describe('Boards of one name', () => {
  let here: CliDirectory;
  let ids: readonly string[];
  const idOf = async (...words: string[]) =>
    (await here.ok([...words, '--fields', 'id', '--json'])).json<{ id: string }>().id;
  before(async () => {
    here = await acmeDirectory();
    for (const name of ['Eng', '/Eng']) await here.ok(['page', 'create', '--type', 'folder', '--name', name]);
    for (const [name, parent] of [
      ['Launch', undefined],
      ['Launch', 'Eng'],
      ['Alone', undefined],
      ['Eng/Alone', undefined],
      ['Alone', 'Eng'],
      ['/Launch', undefined],
      ['Twice', undefined],
      ['Twice', undefined],
      ['Nested', 'Eng'],
    ] as const) {
      const place = parent === undefined ? [] : ['--parent', await idOf('page', 'show', parent)];
      const id = await idOf('board', 'create', '--name', name, ...place);
      await here.ok(['task', 'create', '-b', id, '-t', name]);
    }
    const boards = (await here.ok(['board', 'list', '--json'])).json<{ id: string }[]>();
    ids = boards.map(({ id }) => id);
  });
  after(() => here.close());

  const sorted = (some: readonly string[]) => some.toSorted();

  it('at the top are named with a slash before them', async () => {
    const top = await idOf('board', 'show', '/Alone');
    expect((await here.ok(['page', 'show', top, '--json'])).json()).to.include({ parentId: null, name: 'Alone' });
    expect((await here.run(['board', 'show', 'Alone'])).code).to.equal(2);
    expect((await here.run(['board', 'show', '/Nested'])).code).to.equal(3);
    expect(await idOf('board', 'show', '/Eng/Nested')).to.equal(await idOf('board', 'show', 'Nested'));
  });

  it('are listed by names that lead to each', async () => {
    for (const name of ['Launch', 'launch', 'Alone', 'Twice']) {
      const { code, stderr } = await here.run(['board', 'show', name]);
      expect(code).to.equal(2);
      const lines = stderr.trim().split('\n').slice(1);
      const found = await Promise.all(lines.map((line) => idOf('board', 'show', line.trim().split(' ')[0]!)));
      expect(new Set(found).size, stderr).to.equal(lines.length).and.be.at.least(2);
      expect(
        lines.every((line) => ids.includes(line.trim().split(' ')[0]!)),
        name,
      ).to.equal(name === 'Twice');
    }
  });

  it('are each completed to a name that leads to it', async () => {
    const { stdout } = await here.ok(['complete', '--', 'board', 'show', '']);
    const found: string[] = [];
    for (const line of stdout.trim().split('\n')) found.push(await idOf('board', 'show', line.split('\t')[0]!));
    expect(sorted(found)).to.deep.equal(sorted(ids));
  });

  it('come back from CSV to the board that they are on', async () => {
    const { stdout } = await here.ok(['task', 'list', '--csv']);
    expect(stdout.trim().split('\n')).to.have.lengthOf(ids.length + 1);
    const again = await here.ok(['task', 'edit', '--from', '-', '--json'], { stdin: stdout });
    for (const line of again.json<{ changed: boolean }[]>()) expect(line).to.include({ changed: false, error: null });
  });

  it('are told how to get a column that they lack in words that work', async () => {
    for (const id of ids) {
      const { code, stderr } = await here.run(['task', 'create', '-b', id, '-t', 'x', '-s', 'Review']);
      expect(code).to.equal(3);
      const [, board] = / status create --board (.+) --name Review$/m.exec(stderr)!;
      expect(await idOf('board', 'show', board!.replace(/^'(.*)'$/, '$1'))).to.equal(id);
    }
  });
});
