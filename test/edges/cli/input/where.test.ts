import { join } from 'node:path';
import { expect } from 'chai';
import { createEspalier, openStore } from '../../../../adapters/service/index.ts';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

describe('--where', () => {
  let here: CliDirectory;
  before(async () => {
    here = await acmeDirectory();
    for (const board of ['Dev', 'Ops']) {
      await here.ok(['board', 'create', '--name', board, '--columns', 'Todo,Done*']);
      await here.ok(['tag', 'create', '-b', board, '--name', 'late']);
      for (const title of ['one', 'two']) await here.ok(['task', 'create', '-b', board, '-t', `${board} ${title}`]);
    }
  });
  after(() => here.close());

  it('and lists say that a column or tag is on more boards than a filter takes', async () => {
    const crowded = await acmeDirectory();
    const espalier = createEspalier({ store: await openStore(`file:${join(crowded.path, 'here.db')}`) });
    const [ada] = (await espalier.users.list()).items;
    const session = espalier.as(ada!);
    const workspaceId = (await session.workspaces.list())[0]!.id;
    for (let i = 0; i <= 100; i += 1) {
      const { id: boardId } = await session.boards.create({ workspaceId, name: `Board ${i}` });
      const { id: statusId } = await session.statuses.create({ workspaceId, boardId, name: 'Todo' });
      const { id: tagId } = await session.tags.create({ workspaceId, boardId, name: 'late' });
      if (i === 7) await session.tasks.create({ workspaceId, boardId, statusId, tags: [tagId], title: 'Seven' });
    }
    await espalier.close();
    for (const [flag, name] of [
      ['status', 'Todo'],
      ['tag', 'late'],
    ] as const) {
      for (const args of [
        ['task', 'list', `--${flag}`, name],
        ['task', 'list', `--exclude-${flag}`, name],
        ['task', 'edit', '--where', `${flag}=${name}`, '--priority', 'low', '--yes'],
      ]) {
        const { code, stderr } = await crowded.run(args);
        expect(code, args.join(' ')).to.equal(2);
        expect(stderr).to.include('101 boards').and.include('--board');
      }
      const one = await crowded.ok(['task', 'list', `--${flag}`, name, '--board', 'Board 7', '--json']);
      expect(one.json<Task[]>()).to.have.length(1);
    }
    await crowded.close();
  });

  interface Task {
    readonly num: number;
    readonly priority: number;
    readonly complete: boolean;
    readonly tags: readonly string[];
  }
  const tasks = async () => (await here.ok(['task', 'list', '--json'])).json<Task[]>();
  const edit = (...args: string[]) => here.run(['task', 'edit', ...args, '--json']);

  it('--dry-run shows the tasks as they would be, and changes nothing', async () => {
    const before = await tasks();
    const args = ['--where', 'board=Dev', '--status', 'Done', '--priority', 'high', '--add-tag', 'late'];
    const shown = (await here.ok(['task', 'edit', ...args, '--dry-run', '--json'])).json<Task[]>();
    expect(shown.map(({ num, priority, complete }) => [num, priority, complete])).to.deep.equal([
      [1, 300, true],
      [2, 300, true],
    ]);
    const said = await here.ok(['task', 'edit', ...args, '--dry-run']);
    expect(said.stdout)
      .to.match(/Todo -> Done/)
      .and.to.match(/none -> high/);
    expect(said.stderr).to.include('2 tasks would be changed');
    const same = ['--where', 'board=Dev', '--priority', 'none', '--dry-run'];
    const already = await here.ok(['task', 'edit', ...same]);
    expect(already.stderr).to.include('0 tasks would be changed, 2 would not');
    const done = await here.ok(['task', 'edit', ...same.slice(0, -1), '--yes']);
    expect(done.stdout)
      .to.include('2 tasks')
      .and.not.match(/changed/i);
    const gone = await here.ok(['task', 'delete', '--where', 'text=one', '--dry-run', '--json']);
    expect(gone.json<Task[]>().map(({ num }) => num)).to.deep.equal([1, 3]);
    expect(await tasks()).to.deep.equal(before);
  });

  it('changes all that the filters find, in the words of task list', async () => {
    expect((await edit('--where', 'num=1,3', '--priority', 'urgent')).json()).to.deep.equal({ count: 2 });
    expect((await edit('--where', 'board=Dev', '--where', 'no-complete', '--status', 'Done')).json()).to.deep.equal({
      count: 2,
    });
    expect((await edit('--where', 'complete', '--where', 'exclude-num=2', '--end', 'none')).json()).to.deep.equal({
      count: 1,
    });
    expect((await edit('--where', 'text=nowhere', '--complete')).json()).to.deep.equal({ count: 0 });
    expect((await tasks()).map(({ priority, complete }) => [priority, complete])).to.deep.equal([
      [400, true],
      [0, true],
      [400, false],
      [0, false],
    ]);
  });

  it('needs the number that is told, and names that mean one thing', async () => {
    const before = await tasks();
    expect((await edit('--where', 'board=Dev', '--count', '3', '--complete')).code).to.equal(5);
    expect((await edit('--where', 'priority=none', '--status', 'Done')).code).to.equal(2);
    expect(await tasks()).to.deep.equal(before);
  });

  for (const [name, args] of [
    ['an unknown filter', ['--where', 'bord=Dev', '--complete']],
    ['a filter without its value', ['--where', 'board', '--complete']],
    ['a filter with a list of nothing', ['--where', 'board=Dev', '--where', 'exclude-status=', '--complete']],
    ['a value of a filter that has none', ['--where', 'overdue=yes', '--complete']],
    ['a title, which is of one task', ['--where', 'board=Dev', '--title', 'x']],
    ['nothing to change', ['--where', 'board=Dev']],
    ['nothing to change where nothing is found', ['--where', 'text=nowhere']],
    ['a value that is none where nothing is found', ['--where', 'text=nowhere', '--end', 'someday']],
    ['a confirmation without it', ['1', '--complete', '--yes']],
    ['tasks beside it', ['1', '--where', 'board=Dev', '--complete']],
    ['a file beside it', ['--from', 'x.jsonl', '--where', 'board=Dev']],
    ['a count without it', ['1', '--complete', '--count', '1']],
  ] as const) {
    it(`refuses ${name}`, async () => {
      expect((await edit(...args)).code).to.equal(2);
    });
  }

  it('says why it is refused, and for which task', async () => {
    await here.ok(['tag', 'create', '-b', 'Dev', '--name', 'soon']);
    await here.ok(['quota', 'set', 'taskTags=1', '--as', 'operator']);
    const { code, stderr } = await here.run([
      'task',
      'edit',
      '--where',
      'board=Dev',
      '--add-tag',
      'late,soon',
      '--yes',
    ]);
    expect(code).to.equal(5);
    expect(stderr).to.match(
      /may have 1 tag.*\(quota-exceeded\)\n +--where finds task #1 \(.{36}\), which this error is about/,
    );
    await here.ok(['quota', 'set', 'taskTags=none', '--as', 'operator']);
  });

  it('asks at a terminal before it changes tasks, unless it is told how many', async () => {
    const answered = (answer: string, ...more: string[]) =>
      here.run(['task', 'edit', '--where', 'board=Ops', '--priority', 'low', ...more], {
        terminal: 80,
        typed: [['[y/N]', answer]],
      });
    const low = async () => (await tasks()).filter(({ priority }) => priority === 100).length;
    expect((await answered('n')).code).to.equal(1);
    expect(await low()).to.equal(0);
    expect((await answered('y')).code).to.equal(0);
    expect(await low()).to.equal(2);
    expect((await answered('n', '--count', '2')).code).to.equal(0);
    expect((await answered('n', '--yes')).code).to.equal(0);
    expect((await answered('n', '--dry-run')).code).to.equal(0);
  });

  it('moves all that is found, in one call', async () => {
    const move = (...args: string[]) => here.run(['task', 'move', ...args, '--json']);
    const placed = async () =>
      (await here.ok(['task', 'list', '--sort', 'position', '--jsonl', '--jq', PLACE])).stdout.trim().split('\n');
    const PLACE = '"\\(.expanded.board.name) \\(.expanded.status.name) \\(.num)"';
    expect((await move('--where', 'board=Ops', '--status', 'Done')).json()).to.deep.equal({ count: 2 });
    expect(await placed()).to.include.members(['Ops Done 3', 'Ops Done 4']);
    expect((await move('--where', 'num=3,4', '--board', 'Dev', '--status', 'Done', '--after', 'start')).code).to.equal(
      0,
    );
    expect(await placed()).to.deep.equal(['Dev Done 3', 'Dev Done 4', 'Dev Done 1', 'Dev Done 2']);
    await move('4', '3', '--before', 'end');
    expect(await placed()).to.deep.equal(['Dev Done 1', 'Dev Done 2', 'Dev Done 4', 'Dev Done 3']);
    // They keep their order.
    await move('--where', 'num=3,4', '--after', 'start');
    expect(await placed()).to.deep.equal(['Dev Done 4', 'Dev Done 3', 'Dev Done 1', 'Dev Done 2']);
    const told = await move('--where', 'num=2,3,4', '--status', 'Todo', '--dry-run');
    expect(told.json<Task[]>().map(({ num }) => num)).to.deep.equal([4, 3, 2]);
    expect((await move('--where', 'num=3,4', '--board', 'Ops', '--status', 'Todo')).json()).to.deep.equal({ count: 2 });
    expect((await move('--where', 'text=nowhere', '--status', 'Done')).json()).to.deep.equal({ count: 0 });
    expect((await move('--where', 'board=Ops', '--count', '3', '--status', 'Done')).code).to.equal(5);
    for (const words of [
      ['--where', 'board=Ops'],
      ['--where', 'num=1,3', '--status', 'Done'],
      ['--where', 'num=1', '--at', '5'],
      ['1', '--where', 'num=1', '--status', 'Done'],
      ['--status', 'Done'],
      ['1', '--status', 'Done', '--count', '1'],
    ]) {
      expect((await move(...words)).code, words.join(' ')).to.equal(2);
    }
    expect(await placed()).to.include.members(['Ops Todo 3', 'Ops Todo 4']);
  });

  it('deletes what is found, once that is confirmed', async () => {
    const remove = (...args: string[]) => here.run(['task', 'delete', ...args, '--json']);
    expect((await remove('--where', 'board=Ops')).code).to.equal(2);
    expect((await remove()).code).to.equal(2);
    expect((await remove('1', '--where', 'board=Ops', '--yes')).code).to.equal(2);
    expect((await remove('1', '--count', '1')).code).to.equal(2);
    expect((await remove('--where', 'board=Ops', '--yes')).json()).to.deep.equal({ count: 2 });
    expect((await remove('--where', 'board=Ops', '--yes')).json()).to.deep.equal({ count: 0 });
    expect((await tasks()).map(({ num }) => num)).to.deep.equal([1, 2]);
  });
});
