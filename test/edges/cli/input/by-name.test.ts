import { expect } from 'chai';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

describe('Tasks on the command line', () => {
  let here: CliDirectory;
  before(async () => {
    here = await acmeDirectory();
    await here.ok(['board', 'create', '--name', 'Dev']);
    await here.ok(['board', 'create', '--name', 'Later', '--columns', 'Inbox, Doing ,Shipped*']);
    await here.ok(['tag', 'create', '-b', 'Dev', '--name', 'bug', '--color', 'crimson']);
    await here.ok(['task', 'create', '-b', 'Dev', '-t', 'One', '--tag', 'bug', '--end', '2020-01-01']);
    await here.ok(['task', 'create', '-b', 'Later', '-t', 'Two', '--assignee', 'me']);
    await here.ok(['task', 'create', '-b', 'Later', '-t', 'Three']);
  });
  after(() => here.close());

  const lines = async (...args: string[]) => (await here.ok(args)).stdout.trimEnd().split('\n');
  const nums = async (...args: string[]) =>
    (await here.ok(['task', 'list', '--json', ...args])).json<{ num: number }[]>().map(({ num }) => num);

  it('are listed with the names of their status, board, people and tags, and without ids', async () => {
    const [head, one, two] = await lines('task', 'list');
    expect(head!.split(/\s+/)).to.include.members(['STATUS', 'BOARD', 'ASSIGNED', 'TAGS']).and.not.include('ID');
    expect(one!.split(/\s+/)).to.include.members(['Todo', 'Dev', 'bug']);
    expect(two!.split(/\s+/)).to.include.members(['Inbox', 'Later', 'Ada']);
  });

  it('are found by names with spaces around them, as names are stored without', async () => {
    expect((await here.ok(['board', 'show', ' Dev ', '--json'])).json()).to.include({ name: 'Dev' });
    expect((await here.ok(['status', 'list', '--board', 'dev ', '--json'])).json()).to.have.lengthOf(3);
    expect((await here.ok(['task', 'show', ' one ', '--json'])).json()).to.include({ title: 'One' });
  });

  it('that lack a tag or column are told how to create it, unless it is to be taken away or changed', async () => {
    const wanted = [
      ['task', 'edit', '1', '--add-tag', 'new'],
      ['task', 'tag', '1', 'new'],
      ['task', 'move', '1', '--status', 'new'],
    ];
    const changed = [
      ['task', 'edit', '1', '--remove-tag', 'new'],
      ['task', 'tag', '1', 'new', '--remove'],
      ['tag', 'edit', 'new', '--board', 'Dev', '--name', 'other'],
      ['tag', 'delete', 'new', '--board', 'Dev', '--yes'],
      ['status', 'delete', 'new', '--board', 'Dev', '--yes'],
    ];
    for (const words of [...wanted, ...changed]) {
      const { code, stderr } = await here.run(words);
      expect([code, / (?:tag|status) create --board Dev --name new$/m.test(stderr)], words.join(' ')).to.deep.equal([
        3,
        wanted.includes(words),
      ]);
    }
  });

  it('are found by their titles however accents are encoded, and by no empty one', async () => {
    const on = await acmeDirectory();
    await on.ok(['board', 'create', '--name', 'Dev']);
    for (const [stored, given] of [
      ['Caf\u00E9', 'Cafe\u0301'],
      ['Zoe\u0308', 'Zo\u00EB'],
    ] as const) {
      await on.ok(['task', 'create', '-b', 'Dev', '-t', stored, '--description', given]);
      for (const title of [stored, given]) {
        expect((await on.ok(['task', 'show', title, '--json'])).json(), title).to.include({ title: stored });
      }
    }
    for (const title of ['', ' ']) {
      const { code, stderr } = await on.run(['task', 'show', title]);
      expect(code).to.equal(2);
      expect(stderr).to.include('number');
    }
    await on.close();
  });

  it('are red where they should be done by now, and tags have their colour', async () => {
    const env = { NO_COLOR: '', COLORTERM: 'truecolor' };
    const { stdout } = await here.ok(['task', 'list'], { terminal: 120, env });
    expect(stdout).to.include('\u001b[31m2020-01-01\u001b[39m').and.include('\u001b[38;2;220;20;60mbug\u001b[39m');
    const many = await here.ok(['task', 'list'], {
      terminal: 120,
      env: { ...env, COLORTERM: '', TERM: 'xterm-256color' },
    });
    expect(many.stdout).to.include('\u001b[38;5;').and.include('mbug\u001b[39m');
    const few = await here.ok(['task', 'list'], { terminal: 120, env: { ...env, COLORTERM: '', TERM: 'vt100' } });
    expect(few.stdout).to.include(' bug ');
  });

  it('answer to a change with what is different', async () => {
    expect(await lines('task', 'edit', '3', '--priority', 'high', '--end', '2030-01-01')).to.deep.equal([
      '#3 Three',
      'priority  none -> high',
      'ends      none -> 2030-01-01',
    ]);
    expect(await lines('task', 'assign', '3', 'me')).to.deep.equal(['#3 Three', 'assigned  none -> Ada']);
    expect(await lines('task', 'assign', '3', 'me')).to.deep.equal(['#3 Three', 'No differences.']);
    expect(await lines('task', 'assign', '3', 'me', '--remove')).to.deep.equal(['#3 Three', 'assigned  Ada -> none']);
    expect((await here.ok(['task', 'edit', '3', '--priority', 'none', '--json'])).json()).to.include({
      num: 3,
      priority: 0,
    });
  });

  it('are not given the title, description or external id of one several at once', async () => {
    for (const flag of ['--title', '--description', '--external-id']) {
      expect((await here.run(['task', 'edit', '1', '2', flag, 'x'])).code, flag).to.equal(2);
    }
  });

  it('are tagged and assigned several at once', async () => {
    expect(await lines('task', 'assign', '1', '3', 'me')).to.deep.equal([
      '#1 One',
      'assigned  none -> Ada',
      '',
      '#3 Three',
      'assigned  none -> Ada',
    ]);
    await here.ok(['task', 'assign', '1', '3', 'me', '--remove']);
    await here.ok(['tag', 'create', '-b', 'Later', '--name', 'idea']);
    await here.ok(['task', 'tag', '2', '3', 'idea']);
    expect(await nums('--tag', 'idea')).to.deep.equal([2, 3]);
    await here.ok(['task', 'tag', '2', '3', 'idea', '--remove']);
    expect(await nums('--tag', 'idea')).to.deep.equal([]);
    expect((await here.run(['task', 'tag', 'idea'])).code).to.equal(2);
    await here.ok(['tag', 'delete', 'idea', '--board', 'Later', '--yes']);
  });

  it('are moved, completed and opened again several at once, in the order in which they are named', async () => {
    expect(await lines('task', 'move', '2', '3', '--status', 'doing')).to.deep.equal([
      '#2 Two',
      'status  Inbox -> Doing',
      '',
      '#3 Three',
      'status  Inbox -> Doing',
    ]);
    await here.ok(['task', 'move', '3', '2', '--after', 'start']);
    expect(await nums('-b', 'Later', '--sort', 'position')).to.deep.equal([3, 2]);
    const done = (await here.ok(['task', 'done', '1', '2', '--json'])).json<
      { complete: boolean; statusId: string }[]
    >();
    expect(done.map(({ complete }) => complete)).to.deep.equal([true, true]);
    expect(await nums('-s', 'Done,Shipped')).to.deep.equal([1, 2]);
    await here.ok(['task', 'reopen', '1', '2']);
    expect(await nums('-s', 'Todo,Inbox')).to.deep.equal([1, 2]);
    expect((await here.run(['task', 'move', '1', '2', '--at', '5'])).code).to.equal(2);
  });

  it('are all looked for before anything is written, and one that is refused does not stop the others', async () => {
    expect((await here.run(['task', 'edit', '1', '99', '--priority', 'low'])).code).to.equal(3);
    expect(await nums('--priority', 'low')).to.deep.equal([]);
    // There is no such tag on the board of the second.
    const ran = await here.run(['task', 'edit', '1', '2', '--add-tag', 'bug', '--priority', 'low', '--json']);
    expect(ran.code).to.equal(3);
    expect(ran.json<{ num: number }[]>().map(({ num }) => num)).to.deep.equal([1]);
    expect(await nums('--priority', 'low')).to.deep.equal([1]);
    await here.ok(['task', 'edit', '1', '--remove-tag', 'bug']);
    expect(await nums('--tag', 'bug')).to.deep.equal([]);
    await here.ok(['task', 'edit', '1', '--add-tag', 'bug', '--add-assignee', 'me']);
    expect(await nums('--tag', 'bug', '--assignee', 'me')).to.deep.equal([1]);
  });

  it('are found by a column of any board, and columns and tags without their board where there is one', async () => {
    expect(await nums('-s', 'Doing')).to.deep.equal([3]);
    expect(await nums('-s', 'Doing', '-b', 'Dev')).to.deep.equal([]);
    await here.ok(['status', 'edit', 'Shipped', '--name', 'Sent']);
    const ambiguous = await here.run(['status', 'edit', 'Doing', '--name', 'At work']);
    expect(ambiguous.code).to.equal(2);
    expect(ambiguous.stderr).to.include('--board').and.include('board Dev').and.include('board Later');
    await here.ok(['tag', 'edit', 'bug', '--name', 'defect']);
    expect((await here.run(['tag', 'edit', 'bug', '--name', 'x'])).code).to.equal(3);
  });

  it('are found by their exact title behind any number of others that have it in their text', async function () {
    this.timeout(60_000);
    const others = Array.from({ length: 700 }, (_, i) => JSON.stringify({ title: `A needle and ${i}` }));
    const stdin = [...others, '{"title":"needle"}'].join('\n');
    await here.ok(['task', 'create', '-b', 'Later', '--from', '-', '--atomic'], { stdin });
    expect((await here.ok(['task', 'show', 'needle', '--json'])).json()).to.include({ title: 'needle' });
    const missing = await here.run(['task', 'show', 'a needle']);
    expect(missing.code).to.equal(3);
    expect(missing.stderr).to.include('A needle and 0').and.include('more');
  });

  it('are named in lists with quotes around a name with a comma, as completion offers it', async () => {
    const on = await acmeDirectory();
    await on.ok(['board', 'create', '--name', 'Design, 2027']);
    await on.ok(['board', 'create', '--name', 'Dev', '--columns', 'Todo,"Done, or nearly*"']);
    const columns = await on.ok(['status', 'list', '-b', 'Dev', '--json', '--fields', 'name,done']);
    expect(columns.json()).to.deep.equal([
      { name: 'Todo', done: false },
      { name: 'Done, or nearly', done: true },
    ]);
    for (const name of ['now, or never', 'a "b", c', '"x"'])
      await on.ok(['tag', 'create', '-b', 'Dev', '--name', name]);
    await on.ok(['task', 'create', '-b', 'Design, 2027', '-t', 'One']);
    await on.ok(['task', 'create', '-b', 'Dev', '-t', 'Two', '--tag', '"now, or never","a ""b"", c","x"']);
    const found = async (...args: string[]) =>
      (await on.ok(['task', 'list', '--json', ...args])).json<{ num: number }[]>().map(({ num }) => num);
    expect(await found('--board', '"Design, 2027"')).to.deep.equal([1]);
    expect(await found('--board', 'Dev,"Design, 2027"')).to.deep.equal([1, 2]);
    for (const tag of ['"now, or never"', '"a ""b"", c"', '"x"'])
      expect(await found('--tag', tag), tag).to.deep.equal([2]);
    const where = ['--where', 'board=Dev,"Design, 2027"', '--priority', 'low', '--count', '2'];
    await on.ok(['task', 'edit', ...where]);
    const unquoted = await on.run(['task', 'list', '--board', 'Design, 2027']);
    expect(unquoted.code).to.equal(3);
    expect(unquoted.stderr).to.include('double quotes');
    for (const line of [
      ['task', 'list', '--board', 'Des'],
      ['task', 'edit', '--where', 'board=Des'],
    ]) {
      expect((await on.ok(['complete', '--', ...line])).stdout.split('\t')[0]).to.include('"Design, 2027"');
    }
    expect((await on.ok(['complete', '--', 'board', 'show', 'Des'])).stdout).to.match(/^Design, 2027/);
    await on.close();
  });

  it('tell where a page stands', async () => {
    await here.ok(['page', 'create', '--type', 'folder', '--name', 'Top']);
    await here.ok(['page', 'create', '--type', 'folder', '--name', 'Below', '--parent', 'Top']);
    const shown = await lines('page', 'show', 'Below');
    expect(shown.map((line) => line.split(/\s{2,}/))).to.deep.include.members([
      ['path', 'Top/Below'],
      ['parent', 'Top'],
    ]);
  });
});

describe('The trash', () => {
  it('takes a task by its number, as everywhere else', async () => {
    const here = await acmeDirectory();
    await here.ok(['board', 'create', '--name', 'Dev']);
    for (const title of ['One', 'Two', 'Two', 'Two']) await here.ok(['task', 'create', '-b', 'Dev', '-t', title]);
    await here.ok(['task', 'delete', '1', '2', '3', '4', '--yes']);
    expect((await here.ok(['trash', 'list'])).stdout).to.match(/#2 +Two +task/);
    const { stdout } = await here.ok(['complete', '--', 'trash', 'restore', '#']);
    expect(stdout).to.include('#2\tTwo');
    expect((await here.run(['trash', 'restore', 'Two'])).code).to.equal(2);
    expect((await here.ok(['trash', 'restore', '#2'])).stdout).to.equal('Restored task #2 Two.\n');
    await here.ok(['trash', 'restore', '3']);
    await here.ok(['trash', 'empty', '4', '--yes']);
    const left = (await here.ok(['trash', 'list', '--json'])).json<{ num: number | null }[]>();
    expect(left.map(({ num }) => num)).to.deep.equal([1]);
    expect((await here.run(['trash', 'restore', '#9'])).code).to.equal(3);
    await here.close();
  });
});

describe('A member on the command line', () => {
  it('is never meant by an e-mail address that is not theirs, whatever they call themselves', async () => {
    const here = await acmeDirectory();
    const [ben, mallory] = ['ben@example.org', 'mallory@example.org'];
    const join = async (email: string) => {
      await here.ok(['user', 'create', '--name', 'New', '--email', email, '--as', 'operator']);
      const { id } = (await here.ok(['invitation', 'create', '--email', email, '--json'])).json<{ id: string }>();
      await here.ok(['invitation', 'accept', id, '--as', email]);
    };
    await join(mallory);
    await here.ok(['me', 'edit', '--name', ben, '--as', mallory]);
    await here.ok(['page', 'create', '--name', 'Plan', '--type', 'folder']);
    const grant = ['access', 'grant', 'Plan', ben, 'full', '--json'];
    expect((await here.run(grant)).code).to.equal(3);
    await join(ben);
    const { memberId } = (await here.ok(grant)).json<{ memberId: string }>();
    const members = (await here.ok(['member', 'list', '--json'])).json<{ id: string; email: string }[]>();
    expect(members.find(({ id }) => id === memberId)?.email).to.equal(ben);
    await here.close();
  });
});

describe('A workspace on the command line', () => {
  it('is meant by its alias, whatever others are called', async () => {
    const here = await acmeDirectory();
    await here.ok(['workspace', 'create', '--name', 'acme', '--alias', 'other']);
    const shown = async (ref: string) => (await here.run(['workspace', 'show', '-w', ref, '--json'])).json<object>();
    expect(await shown('acme')).to.include({ alias: 'acme', name: 'Acme' });
    expect(await shown('Acme')).to.include({ alias: 'acme', name: 'Acme' });
    expect(await shown('other')).to.include({ alias: 'other', name: 'acme' });
    await here.close();
  });
});
