import { expect } from 'chai';
import { acmeDirectory, type CliDirectory, devDirectory } from '../in-process.ts';
import { ended, start } from '../child.ts';

describe('--fields', () => {
  let here: CliDirectory;
  before(async () => {
    here = await acmeDirectory();
    await here.ok(['board', 'create', '--no-columns', '--name', 'Dev']);
    await here.ok(['status', 'create', '-b', 'Dev', '--name', 'Todo']);
  });
  after(() => here.close());

  for (const words of [
    ['task', 'list'],
    ['page', 'list'],
    ['board', 'show', 'Dev'],
    ['config', 'show'],
  ]) {
    for (const format of [[], ['--json'], ['--jsonl']]) {
      it(`with a name that is none is refused, and told which there are: ${[...words, ...format].join(' ')}`, async () => {
        const ran = await here.run([...words, ...format, '--fields', 'num,titel']);
        expect(ran.code, ran.stderr).to.equal(2);
        expect(ran.stdout).to.equal('');
        expect(ran.stderr).to.include('titel');
      });
    }
  }

  it('goes before the picture of a board, and that of the pages', async () => {
    expect((await here.ok(['board', 'show', 'Dev', '--fields', 'name'])).stdout).to.equal('name  Dev\n');
    expect((await here.ok(['page', 'tree', '--fields', 'name'])).stdout).to.equal('NAME\nDev\n');
  });

  for (const [words, field] of [
    [['config', 'path'], 'path'],
    [['config', 'get', 'store'], 'source'],
    [['docs', '--no-browser'], 'url'],
    [['access', 'explain', 'Dev'], 'access'],
    [['board', 'delete', 'Dev', '--dry-run'], 'tasks'],
    [['task', 'edit', '--where', 'board=Dev', '--priority', 'high'], 'count'],
    [['trash', 'restore', 'Gone'], 'name'],
    [['backup', 'copy.db'], 'bytes'],
    [['doctor', '--as', 'operator'], 'openFiles'],
  ] as const) {
    it(`goes before the sentences of ${words.join(' ')}`, async () => {
      await here.ok(['page', 'create', '--type', 'folder', '--name', 'Gone']);
      await here.ok(['page', 'delete', 'Gone', '--yes']);
      const { stdout } = await here.ok([...words, '--fields', field]);
      expect(stdout).to.match(new RegExp(`^${field}  .*\n$`));
      await here.ok(['trash', 'empty', '--yes']);
      if (words[0] === 'trash') await here.ok(['page', 'delete', 'Gone', '--permanently', '--yes']);
    });
  }

  it('is looked at before anything is written', async () => {
    const create = ['task', 'create', '-b', 'Dev', '-t', 'One', '--json'];
    const refused = await here.run([...create, '--fields', 'num,titel']);
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.include('titel').and.include('title');
    expect((await here.ok(['task', 'list', '--json'])).json()).to.deep.equal([]);
    expect((await here.ok([...create, '--fields', 'num,title'])).json()).to.deep.equal({ num: 1, title: 'One' });
    expect((await here.run(['task', 'done', '1', '--json', '--fields', 'titel'])).code).to.equal(2);
    expect((await here.ok(['task', 'show', '1', '--json'])).json()).to.include({ complete: false, version: 1 });
    const many = ['task', 'create', '-b', 'Dev', '--from', '-', '--jsonl', '--fields', 'line,num'];
    expect((await here.ok(many, { stdin: '{"title":"Two"}' })).stdout).to.equal('{"line":1,"num":2}\n');
  });

  it('knows those of the board or page that a copy is', async () => {
    const [fields, read] = [['--json', '--fields', 'name'], { name: 'Dev 2' }];
    expect((await here.ok(['board', 'copy', 'Dev', '--name', 'Dev 2', ...fields])).json()).to.deep.equal(read);
    expect((await here.ok(['page', 'copy', 'Dev', '--name', 'Dev 2', ...fields])).json()).to.deep.equal(read);
  });

  it('knows those of the start of a service', async () => {
    const child = start(here, 'serve', '--store', 'memory:', '--port', '0', '--json', '--fields', 'limits,quotas');
    const run = ended(child);
    child.stdout.once('data', () => child.kill());
    const { code, stdout, stderr } = await run;
    expect(code, stderr).to.equal(0);
    expect(Object.keys(JSON.parse(stdout) as object)).to.deep.equal(['limits', 'quotas']);
  });

  it('knows the fields of the bundled program too', async () => {
    const refused = await ended(start(here, 'task', 'list', '--num', '99', '--fields', 'titel'));
    expect(refused.code, refused.stdout).to.equal(2);
    expect(refused.stderr).to.include('title');
    const { stdout } = await ended(start(here, 'task', 'list', '--jsonl', '--fields', 'num'));
    expect(stdout).to.equal('{"num":1}\n{"num":2}\n');
  });
});

describe('A record for scripts', () => {
  let here: CliDirectory;
  before(async () => {
    here = await devDirectory();
  });
  after(() => here.close());

  for (const words of [
    ['doctor', '--as', 'operator'],
    ['task', 'delete', 'One', '--dry-run'],
    ['task', 'delete', '--where', 'board=Dev', '--dry-run'],
    ['task', 'move', 'One', '--status', 'Done', '--dry-run'],
    ['task', 'move', '--where', 'board=Dev', '--status', 'Done', '--dry-run'],
  ]) {
    it(`has no field that --fields does not know: ${words.join(' ')}`, async () => {
      const record = async (...more: string[]) =>
        [(await here.ok([...words, '--json', ...more])).json<object | object[]>()].flat()[0]!;
      const all = await record();
      expect(await record('--fields', Object.keys(all).join())).to.deep.equal(all);
    });
  }
});

describe('The cursor that a list prints', () => {
  it('can be pasted into a shell, and goes on there', async () => {
    const here = await acmeDirectory();
    await here.ok(['board', 'create', '--no-columns', '--name', 'Dev']);
    await here.ok(['status', 'create', '-b', 'Dev', '--name', 'Todo']);
    const stdin = ['a "quoted" \' title', 'b', 'c $HOME'].map((title) => JSON.stringify({ title })).join('\n');
    await here.ok(['task', 'create', '-b', 'Dev', '--from', '-'], { stdin });
    const titles: string[] = [];
    let cursor: string | undefined;
    do {
      const more: string[] = cursor === undefined ? [] : ['--cursor', cursor];
      const part = await here.ok(['task', 'list', '--sort', 'title', '--limit', '1', '--json', ...more]);
      titles.push(...part.json<{ title: string }[]>().map(({ title }) => title));
      cursor = /--cursor (.*)\n$/.exec(part.stderr)?.[1];
      if (cursor !== undefined) expect(cursor).to.match(/^[\w-]+$/);
    } while (cursor !== undefined);
    expect(titles).to.deep.equal(['a "quoted" \' title', 'b', 'c $HOME']);
    expect((await here.run(['task', 'list', '--cursor', '["x"]'])).code).to.equal(2);
    await here.close();
  });
});
