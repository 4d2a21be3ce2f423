import { expect } from 'chai';
import type { CliDirectory } from '../in-process.ts';
import { devBoard, everythingIn, join } from './dev-board.ts';

describe('--dry-run', () => {
  let here: CliDirectory;
  before(async () => {
    here = await devBoard();
  });
  after(() => here.close());

  const everything = () => everythingIn(here);

  for (const [args, toll] of [
    [['page', 'delete', 'Engineering'], { pages: 3, boards: 1, tasks: 2 }],
    [['page', 'delete', 'Other'], { pages: 1, boards: 0, tasks: 0 }],
    [['page', 'delete', 'Engineering/Dev/one'], { pages: 1, boards: 0, tasks: 1 }],
    [['board', 'delete', 'Dev'], { pages: 2, boards: 1, tasks: 2 }],
    [['workspace', 'delete', 'acme'], { pages: 4, boards: 1, tasks: 2 }],
    [['status', 'delete', 'Todo', '-b', 'Dev', '--move-to', 'Done'], { tasks: 2 }],
  ] as const) {
    it(`${args.join(' ')} tells what would go, and deletes nothing`, async () => {
      const before = await everything();
      const told = await here.ok([...args, '--dry-run', '--json']);
      expect(told.json()).to.include(toll);
      const said = await here.ok([...args, '--dry-run']);
      expect(said.stdout).to.match(toll.tasks === 1 ? /\b1 task\b/ : /\d tasks\b/);
      expect(await everything()).to.deep.equal(before);
    });
  }

  it('task delete --where tells of the pages that would go too, and is refused for the levels on them', async () => {
    await here.ok(['page', 'create', '--type', 'folder', '--name', 'Notes', '--parent', 'Engineering/Dev/one']);
    await join(here, 'dan@example.org');
    const line = ['task', 'delete', '--where', 'board=Dev'];
    expect((await here.ok([...line, '--dry-run'])).stderr)
      .to.include('2 tasks')
      .and.include('2 pages');
    const dan = [...line, '--as', 'dan@example.org'];
    for (const more of ['--dry-run', '--yes']) expect((await here.run([...dan, more])).code, more).to.equal(4);
    await here.ok(['page', 'delete', 'Engineering/Dev/one/Notes', '--permanently', '--yes']);
  });

  it('task create --from reports each line, and makes nothing', async () => {
    const before = await everything();
    const stdin = '{"title":"three","status":"Done"}\n{"title":""}\n{"title":"four","status":"Nowhere"}\n';
    const ran = await here.run(['task', 'create', '-b', 'Dev', '--from', '-', '--dry-run', '--json'], { stdin });
    expect(ran.code).to.equal(1);
    const codes = ran.json<{ error: { code: string } | null }[]>().map(({ error }) => error?.code ?? 'ok');
    expect(codes).to.deep.equal(['ok', 'invalid-input', 'not-found']);
    expect(ran.stderr).to.include('1 task would be created, 2 lines refused; nothing was written.');
    expect(await everything()).to.deep.equal(before);
  });

  describe('of a file', () => {
    const outcomes = async (line: readonly string[], stdin: string) => {
      const ran = await here.run([...line, '--from', '-', '--json'], { stdin });
      return ran.json<{ error: { code: string } | null }[]>().map(({ error }) => error?.code ?? 'ok');
    };
    const NEW = [
      { title: '' },
      { title: 'late', start: '2027-03-02', end: '2027-03-01' },
      { title: 'in time', start: '2027-03-01', end: '2027-03-02' },
    ];
    const CHANGES = [
      { num: 1, title: '' },
      { num: 1, start: '2027-03-02', end: '2027-03-01' },
      { num: 1, colour: 'red' },
      { num: 1, title: 'seen before', version: 77 },
      { num: 1, priority: 'high' },
    ];

    it('finds what the run then refuses: form, dates, versions, references and the level of the caller', async () => {
      await here.ok(['board', 'create', '--name', 'Trial']);
      await here.ok(['board', 'create', '--name', 'Bare', '--no-columns']);
      const [status] = (await here.ok(['status', 'list', '-b', 'Dev', '--json'])).json<{ id: string }[]>();
      const tag = (await here.ok(['tag', 'create', '-b', 'Dev', '--name', 'far', '--json'])).json<{ id: string }>();
      await join(here, 'gil@example.org', 'guest');
      const foreign = [{ statusId: status!.id }, { tags: [tag.id] }, { assignees: ['gil@example.org'] }];
      await here.ok(['task', 'create', '-b', 'Trial', '-t', 'tried']);
      const [task] = (await here.ok(['task', 'list', '-b', 'Trial', '--json'])).json<
        { num: number; version: number }[]
      >();
      const changes = [...CHANGES, ...foreign, { board: 'Bare' }, { end: '2027-03-01' }].map((line) => ({
        ...line,
        num: task!.num,
      }));
      const drafts = [...NEW, ...foreign.map((more) => ({ title: 'foreign', ...more }))];
      await here.ok(['user', 'create', '--name', 'Cleo', '--email', 'cleo@example.org', '--as', 'operator']);
      const { id } = (await here.ok(['invitation', 'create', '--json'])).json<{ id: string }>();
      await here.ok(['invitation', 'accept', id, '--as', 'cleo@example.org']);
      await here.ok(['access', 'grant', 'Trial', 'cleo@example.org', 'view']);
      for (const as of ['cleo@example.org', 'ada@example.org']) {
        for (const [verb, records] of [
          ['create', drafts],
          ['edit', changes],
        ] as const) {
          const line = ['task', verb, ...(verb === 'create' ? ['-b', 'Trial'] : []), '--as', as];
          const stdin = records.map((record) => JSON.stringify(record)).join('\n');
          const trial = await outcomes([...line, '--dry-run'], stdin);
          expect(trial, `${verb} ${as}`).to.deep.equal(await outcomes(line, stdin));
          expect(trial.includes('ok')).to.equal(as === 'ada@example.org');
        }
      }
      const bare = ['task', 'create', '-b', 'Bare'];
      const line = '{"title":"x"}';
      expect(await outcomes([...bare, '--dry-run'], line)).to.deep.equal(await outcomes(bare, line));
      for (const board of ['Trial', 'Bare']) await here.ok(['board', 'delete', board, '--permanently', '--yes']);
    });
  });

  it('is refused where the call would be, for assignees who may not see the task', async () => {
    await join(here, 'gus@example.org', 'guest');
    const before = await everything();
    for (const line of [
      ['edit', 'two', '--assignee', 'gus@example.org'],
      ['edit', 'two', '--add-assignee', 'me,gus@example.org'],
      ['edit', '--where', 'board=Dev', '--add-assignee', 'gus@example.org'],
      ['create', '-b', 'Dev', '-t', 'x', '--assignee', 'gus@example.org'],
    ]) {
      const [trial, run] = [await here.run(['task', ...line, '--dry-run']), await here.run(['task', ...line])];
      expect(trial.code, line.join(' ')).to.equal(run.code).and.to.equal(2);
      expect(trial.stderr).to.include('(unusable-reference)');
    }
    await here.ok(['task', 'edit', 'two', '--add-assignee', 'me', '--dry-run']);
    expect(await everything()).to.deep.equal(before);
  });

  it('is refused where the call would be, for the level of the caller and the dates of the tasks', async () => {
    const before = await everything();
    await join(here, 'ben@example.org');
    const ben = ['--as', 'ben@example.org'];
    for (const [level, lines] of [
      [
        'view',
        [
          ['task', 'edit', '--where', 'board=Dev', '--priority', 'high'],
          ['task', 'delete', '--where', 'board=Dev'],
          ['status', 'delete', 'Done', '-b', 'Dev'],
          ['page', 'delete', 'Engineering'],
          ['board', 'delete', 'Dev'],
          ['workspace', 'delete', 'acme'],
        ],
      ],
      [
        'edit',
        [
          ['board', 'delete', 'Dev'],
          ['page', 'delete', 'Engineering/Dev/one', '--permanently'],
          // Somebody else made it.
          ['page', 'delete', 'Other'],
        ],
      ],
      [
        'full',
        [
          ['page', 'delete', 'Engineering'],
          ['board', 'delete', 'Dev'],
        ],
      ],
    ] as const) {
      if (level === 'full') await here.ok(['access', 'grant', 'Engineering/Dev/one', 'ben@example.org', 'view']);
      await here.ok(['access', 'grant', 'Engineering', 'ben@example.org', level]);
      for (const line of lines) {
        const trial = await here.run([...line, ...ben, '--dry-run']);
        expect(trial.code, line.join(' ')).to.equal(4);
        expect((await here.run([...line, ...ben, '--yes'])).code).to.equal(4);
      }
    }
    await here.ok(['access', 'revoke', 'Engineering/Dev/one', 'ben@example.org']);
    await here.ok(['task', 'edit', '--where', 'board=Dev', '--priority', 'low', '--dry-run', ...ben]);
    await here.ok(['page', 'delete', 'Engineering', '--dry-run', ...ben]);
    const dates = ['task', 'edit', '--where', 'board=Dev', '--start', '2027-03-02', '--end', '2027-03-01'];
    expect((await here.run([...dates, '--dry-run'])).code).to.equal(2);
    const unknown = ['page', 'delete', '018f6a3e-0000-7000-8000-000000000000', '--dry-run'];
    expect((await here.run(unknown)).code).to.equal(3);
    expect(await everything()).to.deep.equal(before);
  });

  it('status delete is refused where its tasks have nowhere to go', async () => {
    const line = ['status', 'delete', 'Todo', '-b', 'Dev'];
    for (const [more, code] of [
      [[], 5],
      [['--move-to', 'Todo'], 2],
    ] as const) {
      for (const how of ['--dry-run', '--yes'])
        expect((await here.run([...line, ...more, how])).code, how).to.equal(code);
    }
    expect((await here.run([...line, '--dry-run', '--json'])).json()).to.deep.equal({ tasks: 2, moveTo: null });
  });

  it('task edit tells what named tasks would become, and changes none', async () => {
    await here.ok(['access', 'grant', 'Engineering', 'ben@example.org', 'view']);
    const before = await everything();
    const line = [
      'task',
      'edit',
      'one',
      '--title',
      ' uno ',
      '--status',
      'Done',
      '--metadata',
      'sprint=12',
      '--dry-run',
    ];
    const [one] = (await here.ok(['task', 'list', '-q', 'one', '--json'])).json<{ statusId: string }[]>();
    const told = (await here.ok([...line, '--json'])).json<{ statusId: string }>();
    expect(told)
      .to.include({ title: 'uno' })
      .and.deep.include({ metadata: { sprint: 12 } });
    expect(told.statusId).to.not.equal(one!.statusId);
    const both = await here.ok(['task', 'edit', 'one', 'two', '--priority', 'low', '--dry-run', '--json']);
    expect(both.json<{ priority: number }[]>().map(({ priority }) => priority)).to.deep.equal([100, 100]);
    expect((await here.run(['task', 'edit', 'one', '--dry-run'])).code).to.equal(2);
    expect((await here.run(['task', 'edit', 'none', '--priority', 'low', '--dry-run'])).code).to.equal(3);
    const dates = ['task', 'edit', 'one', '--start', '2026-05-02', '--end', '2026-05-01'];
    for (const how of [[], ['--dry-run']]) expect((await here.run([...dates, ...how])).code).to.equal(2);
    const ben = ['task', 'edit', 'two', '--add-assignee', 'me', '--as', 'ben@example.org'];
    for (const how of [[], ['--dry-run']]) expect((await here.run([...ben, ...how])).code).to.equal(4);
    expect(await everything()).to.deep.equal(before);
  });

  it('task delete tells which named tasks would go, and deletes none', async () => {
    const before = await everything();
    const told = await here.ok(['task', 'delete', 'one', 'two', '--dry-run', '--json']);
    expect(told.json<{ title: string }[]>().map(({ title }) => title)).to.deep.equal(['one', 'two']);
    expect((await here.run(['task', 'delete', 'none', '--dry-run'])).code).to.equal(3);
    expect((await here.run(['task', 'delete', '--dry-run'])).code).to.equal(2);
    expect((await here.run(['task', 'delete', 'two', '--dry-run', '--as', 'ben@example.org'])).code).to.equal(4);
    expect(await everything()).to.deep.equal(before);
  });
});
