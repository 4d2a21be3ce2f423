import { expect } from 'chai';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

describe('task move --dry-run', () => {
  interface Moved {
    readonly num: number;
    /** Null where only the move decides it. */
    readonly statusOrderKey: number | null;
  }
  const MOVED = 'num,boardId,statusId,statusOrderKey,complete,tags,title';
  const fields = ['--json', '--fields', MOVED];
  let here: CliDirectory;
  before(async () => {
    here = await acmeDirectory();
    await here.ok(['user', 'create', '--name', 'Ben', '--email', 'ben@example.org', '--as', 'operator']);
    const { id } = (await here.ok(['invitation', 'create', '--json'])).json<{ id: string }>();
    await here.ok(['invitation', 'accept', id, '--as', 'ben@example.org']);
    for (const [board, columns] of [
      ['From', 'Todo,Doing,Done*'],
      ['To', 'Inbox,Shipped*'],
    ] as const) {
      await here.ok(['board', 'create', '--name', board, '--columns', columns]);
      await here.ok(['tag', 'create', '-b', board, '--name', 'both']);
    }
    await here.ok(['tag', 'create', '-b', 'From', '--name', 'only here']);
    for (const title of ['red', 'blue']) {
      await here.ok(['task', 'create', '-b', 'From', '-t', title, '--tag', 'both,only here']);
    }
    await here.ok(['task', 'create', '-b', 'From', '-t', 'green', '-s', 'Done']);
    await here.ok(['task', 'create', '-b', 'To', '-t', 'far']);
  });

  after(() => here.close());
  const list = async () => (await here.ok(['task', 'list', '--json'])).json();

  const [red, green] = ['red', 'green'];
  for (const words of [
    [red, 'blue', '--status', 'Done'],
    [green, '--status', 'Todo'],
    [green, red, '--board', 'To'],
    ['--where', 'board=From', '--board', 'To', '--status', 'Shipped'],
    ['--where', 'board=From', '--status', 'Doing', '--after', 'start'],
    [red, '--board', 'To', '--after', 'far'],
    [red, 'blue', '--after', 'blue'],
    [red, '--at', '-5'],
  ]) {
    it(`tells what becomes of each task: ${words.join(' ')}`, async () => {
      const before = await list();
      const told = [(await here.ok(['task', 'move', ...words, '--dry-run', ...fields])).json<Moved | Moved[]>()].flat();
      expect(await list()).to.deep.equal(before);
      const copy = await acmeCopy();
      await copy.ok(['task', 'move', ...words]);
      const nums = told.map(({ num }) => String(num)).join();
      const is = (await copy.ok(['task', 'list', '--num', nums, ...fields])).json<Moved[]>();
      const known = told.map((task) => ({ ...task, statusOrderKey: task.statusOrderKey ?? keyIn(is, task.num) }));
      expect(known.toSorted((a, b) => a.num - b.num)).to.deep.equal(is);
    });
  }

  const keyIn = (tasks: readonly Moved[], num: number) => tasks.find((task) => task.num === num)!.statusOrderKey;

  it('has the form of the move: a record for one named task, and a list for several', async () => {
    const shape = async (...words: string[]) =>
      Array.isArray((await here.ok(['task', 'move', ...words, '--status', 'Todo', ...fields])).json());
    for (const words of [[red], [red, 'blue']]) {
      expect(await shape(...words, '--dry-run')).to.equal(await shape(...words));
    }
  });

  it('lists the tasks that would be moved although others are refused', async () => {
    const ran = await here.run([
      'task',
      'move',
      'blue',
      red,
      '--before',
      red,
      '--dry-run',
      '--json',
      '--fields',
      'num',
    ]);
    expect(ran.code).to.equal(2);
    expect(ran.json()).to.deep.equal([{ num: 2 }]);
  });

  it('tells how many tasks would stay where they are', async () => {
    const line = ['task', 'move', '--where', 'board=From', '--status', 'Done', '--dry-run'];
    expect((await here.ok(line)).stderr).to.include('2 tasks would be moved, 1 would not');
    for (const place of ['--after=start', '--before=end']) {
      expect((await here.ok([...line, place])).stderr).to.include('3 tasks would be moved.');
    }
    const { statusOrderKey } = (await here.ok(['task', 'show', red, '--json'])).json<{ statusOrderKey: number }>();
    const stays = await here.ok(['task', 'move', red, '--at', String(statusOrderKey), '--dry-run']);
    expect(stays.stderr).to.include('0 tasks would be moved, 1 would not');
  });

  for (const words of [
    [red, '--before', red],
    [red, '--status', 'Done', '--before', 'blue'],
    ['--where', 'board=From', '--status', 'Todo', '--before', 'blue'],
    [red, '--board', 'To', '--status', 'Todo'],
    [red, '--at', '99999999999999999'],
    [red, '--before', 'end', '--after', 'start'],
    ['--where', 'board=From', '--count', '9', '--status', 'Done'],
    ['--where', 'board=From', '--status', 'Done', '--as', 'ben@example.org'],
    [red, '--status', 'Done', '--as', 'ben@example.org'],
  ]) {
    it(`is refused where the move is: ${words.join(' ')}`, async () => {
      await here.ok(['access', 'grant', 'From', 'ben@example.org', 'view']);
      const [trial, move] = [
        await here.run(['task', 'move', ...words, '--dry-run']),
        await here.run(['task', 'move', ...words]),
      ];
      expect(trial.code, trial.stderr).to.equal(move.code).and.not.equal(0);
    });
  }

  describe('of a task whose page is shared, but not its board', () => {
    const asBen = ['--as', 'ben@example.org'];
    const absent = '01a00000-0000-7000-8000-000000000000';
    before(async () => {
      await here.ok(['task', 'create', '-b', 'From', '-t', 'shared']);
      const page = ['--type', 'task', '--parent', 'From', '--name', 'shared', '--task', 'shared'];
      const { id } = (await here.ok(['page', 'create', ...page, '--json'])).json<{ id: string }>();
      await here.ok(['access', 'grant', id, 'ben@example.org', 'edit']);
      await here.ok(['access', 'grant', 'To', 'ben@example.org', 'edit']);
    });

    for (const onBoard of ['view', 'none']) {
      for (const words of [
        ['move', 'shared', '--board', 'To'],
        ['move', 'shared', '--board', 'From', '--status', 'Doing'],
        ['move', 'shared', '--status', 'Doing'],
        ['move', 'shared', '--after', 'start'],
        ['move', '--where', 'q=shared', '--board', 'To', '--yes'],
        ['edit', 'shared', '--tag', 'none'],
        ['edit', '--where', 'q=shared', '--tag', 'none', '--yes'],
        ['edit', 'shared', '--add-tag', 'ABSENT'],
        ['edit', 'shared', '--remove-tag', 'ABSENT'],
        ['edit', 'shared', '--tag', 'ABSENT'],
        ['move', 'shared', '--board', 'ABSENT'],
      ]) {
        it(`ends as the change, with ${onBoard} on the board: task ${words.join(' ')}`, async () => {
          await here.ok(['access', 'grant', 'From', 'ben@example.org', onBoard]);
          const line = ['task', ...words.map((word) => (word === 'ABSENT' ? absent : word)), ...asBen];
          const trial = await here.run([...line, '--dry-run']);
          const change = await here.run(line);
          expect(trial.code, trial.stderr).to.equal(change.code);
          expect(codeIn(trial.stderr)).to.equal(codeIn(change.stderr));
        });
      }
    }
  });

  const codeIn = (text: string) => /\(([a-z-]+)\)$/m.exec(text)?.[1];

  /** The same store, to which a change may be made. */
  async function acmeCopy(): Promise<Pick<CliDirectory, 'ok'>> {
    const file = `copy-${copies++}.db`;
    await here.ok(['backup', file]);
    const on = (args: readonly string[]) => [...args, '--store', `file:${file}`, '--as', 'ada@example.org'];
    return { ok: (args, around) => here.ok(on(args), around) };
  }
  let copies = 0;
});
