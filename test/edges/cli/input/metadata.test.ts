import { expect } from 'chai';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

describe('--metadata', () => {
  let here: CliDirectory;
  before(async () => {
    here = await acmeDirectory();
    for (const board of ['Dev', 'Copy']) await here.ok(['board', 'create', '--name', board, '--columns', 'Todo,Done*']);
    const given = ['sprint=12', 'size="12"', 'done=true', 'note=a,b = c'];
    await here.ok(['task', 'create', '-b', 'Dev', '-t', 'One', ...given.flatMap((one) => ['--metadata', one])]);
    await here.ok(['task', 'create', '-b', 'Dev', '-t', 'Two', '--metadata', 'sprint=13']);
    await here.ok(['task', 'create', '-b', 'Dev', '-t', 'Three']);
  });
  after(() => here.close());

  const json = async (...args: string[]) => (await here.ok([...args, '--json'])).json<Record<string, unknown>>();
  const found = async (...args: string[]) =>
    (await here.ok(['task', 'list', '-b', 'Dev', '--json', ...args]))
      .json<{ title: string }[]>()
      .map(({ title }) => title);

  it('writes numbers, booleans and text, and takes keys away', async () => {
    const before = { sprint: 12, size: '12', done: true, note: 'a,b = c' };
    expect((await json('task', 'show', '1'))['metadata']).to.deep.equal(before);
    expect((await here.ok(['task', 'show', '1'])).stdout).to.match(/sprint=12 size="12" done=true note=a,b = c/);
    const { metadata } = await json('task', 'edit', '3', '--metadata', 'a=1', '--metadata', 'b=x');
    expect(metadata).to.deep.equal({ a: 1, b: 'x' });
    expect((await json('task', 'edit', '3', '--metadata', 'a='))['metadata']).to.deep.equal({ b: 'x' });
    expect((await json('task', 'edit', '3', '--metadata', 'none'))['metadata']).to.deep.equal({});
    expect((await here.run(['task', 'edit', '3', '--metadata', 'sprint'])).code).to.equal(2);
    for (const key of ['__proto__', 'a b', 'ä', 'k'.repeat(41)]) {
      for (const args of [
        ['edit', '3', '--metadata', `${key}=1`],
        ['list', '--metadata', `${key}=1`],
      ]) {
        const { code, stderr } = await here.run(['task', ...args]);
        expect([code, stderr.includes(JSON.stringify(key))]).to.deep.equal([2, true]);
      }
    }
  });

  it('is taken by every record that has some', async () => {
    for (const args of [
      ['workspace', 'edit'],
      ['page', 'edit', 'Dev'],
      ['board', 'edit', 'Dev'],
      ['status', 'edit', 'Todo', '-b', 'Dev'],
      ['member', 'edit', 'me'],
    ]) {
      expect((await json(...args, '--metadata', 'a=1'))['metadata'], args.join(' ')).to.deep.equal({ a: 1 });
    }
    const tag = await json('tag', 'create', '-b', 'Dev', '--name', 'bug', '--metadata', 'a=1');
    expect(tag['metadata']).to.deep.equal({ a: 1 });
    const { id, metadata } = await json('comment', 'create', '1', 'Yes.', '--metadata', 'a=1');
    expect(metadata).to.deep.equal({ a: 1 });
    const edited = await json('comment', 'edit', '1', String(id), '--metadata', 'a=2');
    expect([edited['content'], edited['metadata'], edited['edited']]).to.deep.equal(['Yes.', { a: 2 }, false]);
  });

  it('filters lists as text, by any of the values of a key and by all keys', async () => {
    expect(await found('--metadata', 'sprint=12')).to.deep.equal(['One']);
    expect(await found('--metadata', 'sprint=12', '--metadata', 'sprint=13')).to.deep.equal(['One', 'Two']);
    expect(await found('--metadata', 'sprint=12', '--metadata', 'done=false')).to.deep.equal([]);
    expect(await found('--metadata', 'note=a,b = c')).to.deep.equal(['One']);
    expect(await found('--exclude-metadata', 'sprint=12')).to.deep.equal(['Two', 'Three']);
    expect(await found('--without-metadata', 'sprint')).to.deep.equal(['Three']);
    expect(
      (await here.ok(['task', 'edit', '--where', 'metadata=sprint=13', '--priority', 'low', '--json'])).json(),
    ).to.deep.equal({ count: 1 });
    const { stdout } = await here.ok(['task', 'list', '-b', 'Dev', '--jsonl', '--fields', 'num,metadata.sprint']);
    expect(stdout.split('\n').slice(0, 3)).to.deep.equal([
      '{"num":1,"metadata.sprint":12}',
      '{"num":2,"metadata.sprint":13}',
      '{"num":3,"metadata.sprint":null}',
    ]);
  });

  it('goes out as CSV and as JSON Lines and comes in the same', async () => {
    const before = (await here.ok(['task', 'list', '-b', 'Dev', '--json', '--fields', 'title,metadata'])).json<
      object[]
    >();
    const csv = (await here.ok(['task', 'list', '-b', 'Dev', '--csv'])).stdout;
    const lines = (await here.ok(['task', 'list', '-b', 'Dev', '--jsonl'])).stdout;
    for (const stdin of [csv, lines]) {
      await here.ok(['task', 'create', '-b', 'Copy', '--from', '-'], { stdin });
      const copies = await here.ok(['task', 'list', '-b', 'Copy', '--json', '--fields', 'title,metadata']);
      expect(copies.json<object[]>()).to.deep.equal(before);
      const nums = (await here.ok(['task', 'list', '-b', 'Copy', '--json'])).json<{ num: number }[]>();
      await here.ok(['task', 'delete', ...nums.map(({ num }) => String(num)), '--yes']);
      const again = await here.ok(['task', 'edit', '--from', '-', '--jsonl', '--fields', 'changed'], { stdin });
      expect(again.stdout).to.equal('{"changed":false}\n'.repeat(before.length));
    }
    const stdin = 'num,metadata.sprint,metadata.size\n1,,14\n';
    await here.ok(['task', 'edit', '--from', '-'], { stdin });
    const { metadata } = await json('task', 'show', '1');
    expect(metadata).to.deep.equal({ size: 14, done: true, note: 'a,b = c' });
  });

  it('--index-metadata names what is indexed', async () => {
    const edited = await json('workspace', 'edit', '--index-metadata', 'sprint,size');
    expect(edited['indexedMetadata']).to.deep.equal(['sprint', 'size']);
    expect((await json('workspace', 'edit', '--index-metadata', 'none'))['indexedMetadata']).to.deep.equal([]);
  });
});
