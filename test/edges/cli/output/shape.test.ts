import { expect } from 'chai';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';
import { ended, start } from '../child.ts';

const ESCAPE = '\u001b[31m';

describe('what scripts read', () => {
  let here: CliDirectory;
  before(async () => {
    here = await acmeDirectory();
    await here.ok(['board', 'create', '--name', 'Dev']);
    await here.ok(['status', 'create', '-b', 'Dev', '--name', 'Todo']);
    await here.ok(['task', 'create', '-b', 'Dev', '-t', 'One', '--assignee', 'me']);
    await here.ok(['task', 'create', '-b', 'Dev', '-t', `Two ${ESCAPE}red`]);
  });
  after(() => here.close());

  const printed = async (...words: string[]) => (await here.ok(words)).stdout;

  it('has names beside ids: in lists, in single records, and in what a change answers', async () => {
    const [listed] = (await here.ok(['task', 'list', '--json'])).json<{ expanded: object }[]>();
    const shown = (await here.ok(['task', 'show', '1', '--json'])).json<{ expanded: object }>();
    const edited = (await here.ok(['task', 'edit', '1', '--priority', 'high', '--json'])).json<{ expanded: object }>();
    for (const { expanded } of [listed!, shown, edited]) {
      expect(expanded).to.have.nested.property('status.name', 'Todo');
      expect(expanded).to.have.nested.property('board.name', 'Dev');
      expect(expanded).to.have.nested.property('assignees[0].name', 'Ada');
    }
    const [page] = (await here.ok(['page', 'list', '--json'])).json<{ expanded: object }[]>();
    expect(page?.expanded).to.have.nested.property('createdBy.name', 'Ada');
    const [few] = (await here.ok(['task', 'list', '--json', '--fields', 'num'])).json<object[]>();
    expect(few).to.deep.equal({ num: 1 });
  });

  it('is what a query of jq makes of it, of the whole or of each record', async () => {
    expect(await printed('task', 'list', '--jq', 'length')).to.equal('2\n');
    expect(await printed('task', 'list', '--jq', '.[0] | {num, status: .expanded.status.name}')).to.equal(
      '{"num":1,"status":"Todo"}\n',
    );
    expect(await printed('task', 'list', '--jsonl', '--jq', '.num # each')).to.equal('1\n2\n');
    expect(await printed('task', 'list', '--jq', '.[] | select(.num > 2)')).to.equal('');
    expect(await printed('task', 'show', '1', '--jq', '[.num, .title] | @tsv')).to.equal('1\tOne\n');
    expect(await printed('task', 'list', '--fields', 'num', '--jq', '.[1] | keys')).to.equal('["num"]\n');
    const whole = await printed('task', 'list', '--jq', '.');
    for (const empty of ['', ' \n', '# all', ' #\n # \n'])
      expect(await printed('task', 'list', '--jq', empty)).to.equal(whole);
    const endless = await here.run(['task', 'list', '--jq', 'def f: f + 1; f']);
    expect([endless.code, endless.stdout]).to.deep.equal([1, '']);
    expect(endless.stderr).to.include('--jsonl').and.not.include('Unexpected');
    expect(await printed('task', 'list', '--jq', '$ENV | has("ESPALIER_STORE")')).to.equal('false\n');
  });

  it('has every result of a query in full, empty ones and spaces at the ends too', async () => {
    expect(await printed('task', 'list', '--jsonl', '--jq', '.description')).to.equal('\n\n');
    expect(await printed('task', 'list', '--jsonl', '--jq', '[.externalId, .num] | @tsv')).to.equal('\t1\n\t2\n');
    expect(await printed('task', 'show', '1', '--jq', '"", " \\(.title) ", "\uFEFF"')).to.equal('\n One \n\uFEFF\n');
    expect(await printed('task', 'list', '--jsonl', '--jq', 'empty')).to.equal('');
  });

  it('is that of each record by itself, whatever a query does with another', async () => {
    expect(await printed('task', 'list', '--jsonl', '--jq', '.num, halt')).to.equal('1\n2\n');
    expect(await printed('task', 'list', '--jsonl', '--jq', '[.num, (try input catch 0)] | .[1]')).to.equal('0\n0\n');
    expect(await printed('task', 'list', '--jsonl', '--jq', '.num | debug')).to.equal('1\n2\n');
    for (const fails of [1, 2]) {
      const query = `if .num == ${fails} then error("no") else .num end`;
      const ran = await here.run(['task', 'list', '--jsonl', '--jq', query]);
      expect([ran.code, ran.stdout]).to.deep.equal([1, fails === 1 ? '' : '1\n']);
    }
    for (const thrown of ['"no"', 'null', '{}']) {
      const ran = await here.run(['task', 'list', '--jsonl', '--jq', `error(${thrown})`]);
      expect(ran.stderr).not.to.contain('/dev/stdin');
    }
  });

  it('comes slice by slice where each record is printed by itself, and ends between two when it is asked to', async () => {
    const stdin = Array.from({ length: 501 }, (_, i) => JSON.stringify({ title: `Many ${i}` })).join('\n');
    await here.ok(['board', 'create', '--name', 'Many']);
    await here.ok(['task', 'create', '-b', 'Many', '--from', '-', '--jsonl'], { stdin });
    const line = ['task', 'list', '-b', 'Many', '--all', '--fields', 'title'];
    for (const each of [['--jsonl'], ['--jsonl', '--jq', '.title'], ['--template', '{{ title }}']]) {
      const stop = new AbortController();
      const ran = await here.run([...line, ...each], { stop: stop.signal, onStdout: () => stop.abort() });
      expect([ran.code, ran.stdout.trim().split('\n').length], each.join(' ')).to.deep.equal([130, 500]);
      expect((await here.ok([...line, ...each])).stdout.trim().split('\n')).to.have.lengthOf(501);
    }
    const each = [...line, '--jsonl', '--jq'];
    const fails = await here.run([...each, 'if .title == "Many 300" then error("no") else .title end']);
    expect([fails.code, fails.stdout.trim().split('\n').length]).to.deep.equal([1, 300]);
    const endless = await here.run([...each, 'if .title == "Many 2" then (def f: f + 1; f) else .title end']);
    expect([endless.code, endless.stdout]).to.deep.equal([1, 'Many 0\nMany 1\n']);
    expect(await printed(...each, '.title | debug')).to.equal(await printed(...each, '.title'));
    expect(await printed(...each, '.title, halt')).to.equal(await printed(...each, '.title'));
    await here.ok(['board', 'delete', 'Many', '--permanently', '--yes']);
  });

  it('is what a template makes of each record', async () => {
    expect(await printed('task', 'list', '--template', '#{{ num }} {{ expanded.status.name | upcase }}')).to.equal(
      '#1 TODO\n#2 TODO\n',
    );
    expect(await printed('task', 'show', '1', '--template', '{% if complete %}done{% else %}open{% endif %}')).to.equal(
      'open\n',
    );
  });

  it('may use names of its own, fields that a record lacks, and what a dry run prints', async () => {
    const template =
      '{% assign n = num %}{% for one in assignees %}{{ n }}.{{ forloop.index }}{% endfor %}{{ metadata.x }}';
    expect(await printed('task', 'list', '--template', template)).to.equal('1.1\n\n');
    const where = ['--where', 'num=1', '--dry-run'];
    for (const dryRun of [
      ['task', 'delete', ...where],
      ['task', 'edit', '--complete', ...where],
    ]) {
      expect(await printed(...dryRun, '--template', '{{ title }} {{ commentCount }}')).to.equal('One 0\n');
      expect(await printed(...dryRun, '--fields', 'title,checklistTotal', '--jsonl')).to.equal(
        '{"title":"One","checklistTotal":0}\n',
      );
    }
  });

  it('holds nothing that a terminal would obey', async () => {
    const query = await printed('task', 'list', '--jq', '.[1].title');
    const template = await printed('task', 'list', '--template', '{{ title }}');
    expect(query + template).not.to.contain('\u001b');
    expect([query, template]).to.deep.equal(['Two [31mred\n', 'One\nTwo [31mred\n']);
  });

  it('is refused before anything happens where the query or template is none', async () => {
    const create = ['task', 'create', '-b', 'Dev', '-t', 'Never'];
    for (const wrong of [
      ['--jq', '.['],
      ['--jq', 'nonsense'],
      ['--template', '{{ num'],
      ['--template', '{{ num }} {{ titel }}'],
      ['--template', '{{ title | upcas }}'],
      ['--jq', '.', '--template', 'x'],
    ]) {
      const ran = await here.run([...create, ...wrong]);
      expect([ran.code, ran.stdout], ran.stderr).to.deep.equal([2, '']);
    }
    expect(await printed('task', 'list', '--jq', 'length')).to.equal('2\n');
    expect((await here.run(['task', 'list', '--jq', '.foo'])).code).to.equal(1);
    expect((await here.run(['task', 'list', '--template', '{% include "here.db" %}'])).code).to.equal(1);
  });

  it('is refused in two forms at once', async () => {
    const others = [['--json'], ['--jsonl'], ['--fields', 'num'], ['--jq', '.'], ['--template', 'x']];
    for (const forms of [['--json', '--jsonl'], ...others.map((other) => ['--csv', ...other])]) {
      const ran = await here.run(['task', 'list', ...forms]);
      expect([ran.code, ran.stdout], ran.stderr).to.deep.equal([2, '']);
    }
  });

  it('comes from the bundled program too', async () => {
    expect((await ended(start(here, 'task', 'list', '--jq', '.[0].expanded.board.name'))).stdout).to.equal('Dev\n');
    expect((await ended(start(here, 'task', 'list', '--template', '{{ num }}'))).stdout).to.equal('1\n2\n');
  });
});
