import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

interface Report {
  readonly line: number;
  readonly num: number | null;
  readonly changed: boolean;
  readonly error: { readonly code: string; readonly detail: string } | null;
}

const outcome = ({ line, changed, error }: Report) => `${line} ${error?.code ?? (changed ? 'done' : 'same')}`;

describe('A file of tasks', () => {
  let here: CliDirectory;
  beforeEach(async () => {
    here = await acmeDirectory();
    for (const name of ['Old', 'New']) {
      await here.ok(['board', 'create', '--name', name]);
      await here.ok(['tag', 'create', '-b', name, '--name', 'bug, or not', '--color', 'red']);
    }
    await here.ok(['tag', 'create', '-b', 'Old', '--name', 'only here']);
    await here.ok(['status', 'create', '-b', 'Old', '--name', 'Review']);
    const all = [
      '--tag',
      'only here',
      '--assignee',
      'me',
      '--start',
      '2026-01-02',
      '--end',
      '2026-03-04',
      '--priority',
      '250',
    ];
    const description = 'Two\nlines, "quoted"';
    await here.ok(['task', 'create', '-b', 'Old', '-t', '=One', '-s', 'Doing', '--description', description, ...all]);
    const { id } = (await here.ok(['tag', 'list', '-b', 'Old', '--json'])).json<{ id: string }[]>()[0]!;
    await here.ok(['task', 'tag', '1', id]);
    await here.ok(['task', 'create', '-b', 'Old', '-t', 'Two', '-s', 'Review', '--complete']);
  });
  afterEach(() => here.close());

  const fields = 'num,title,description,priority,complete,dateStart,dateEnd,tags,assignees,expanded';
  const tasksOn = async (board: string) => {
    const tasks = (await here.ok(['task', 'list', '-b', board, '--json', '--fields', fields])).json<
      (Record<string, unknown> & { expanded: { status: { name: string }; tags: { name: string }[] } })[]
    >();
    return tasks.map(({ num: _, tags: __, expanded, ...task }) => ({
      ...task,
      status: expanded.status.name,
      tags: expanded.tags.map(({ name }) => name),
    }));
  };

  it('that a list has printed as JSON Lines becomes tasks like them, on another board by the names of things', async () => {
    const { stdout } = await here.ok(['task', 'list', '-b', 'Old', '--jsonl']);
    await here.ok(['task', 'create', '--board', 'New', '--from', '-'], { stdin: stdout });
    const [one, two] = await tasksOn('Old');
    expect(await tasksOn('New')).to.deep.equal([
      { ...one, tags: ['bug, or not'] },
      { ...two, status: 'Todo' },
    ]);
    await here.ok(['task', 'create', '--from', '-'], { stdin: stdout });
    expect((await tasksOn('Old')).slice(2)).to.deep.equal([one, two]);
  });

  it('that a list has printed as CSV becomes tasks like them too', async () => {
    const { stdout } = await here.ok(['task', 'list', '-b', 'Old', '--csv']);
    await writeFile(join(here.path, 'old.csv'), stdout);
    await here.ok(['task', 'create', '--from', 'old.csv']);
    await here.ok(['task', 'create', '--from', '-'], { stdin: stdout });
    const [one, two, ...copies] = await tasksOn('Old');
    expect(copies).to.deep.equal([one, two, one, two]);
  });

  it('changes nothing when it is given back as it is, and what is different in it otherwise', async () => {
    for (const format of ['--jsonl', '--csv']) {
      const { stdout } = await here.ok(['task', 'list', '-b', 'Old', format]);
      const same = await here.ok(['task', 'edit', '--from', '-', '--json'], { stdin: stdout });
      expect(
        same.json<Report[]>().map(({ changed }) => changed),
        format,
      ).to.deep.equal([false, false]);
    }
    const stdin = 'num,status,tags,end,priority\n1,Done,"""bug, or not""",,urgent\n#2,Todo,,tomorrow,\n';
    const checked = (await here.ok(['task', 'edit', '--from', '-', '--json', '--dry-run'], { stdin })).json<Report[]>();
    expect(checked.map(outcome)).to.deep.equal(['2 done', '3 done']);
    expect((await tasksOn('Old'))[0]).to.include({ status: 'Doing' });
    await here.ok(['task', 'edit', '--from', '-'], { stdin });
    const [one, two] = await tasksOn('Old');
    expect(one).to.deep.include({
      status: 'Done',
      complete: true,
      tags: ['bug, or not'],
      dateEnd: null,
      priority: 400,
    });
    expect(two).to.deep.include({ status: 'Todo', tags: [], priority: 0 });
  });

  it('changes nothing when it is given back as it is, whatever the tasks and the names on them are', async () => {
    const names = ['a\u202Eb', 'two  spaces', 'a,"b"', '=x', "'=x", 'line\nbreak', 'two  spaces\u200E', 'tab\tin'];
    const idOf = async (...args: readonly string[]) => (await here.ok([...args, '--json'])).json<{ id: string }>().id;
    const tags: string[] = [];
    for (const name of names) {
      tags.push(await idOf('tag', 'create', '-b', 'New', '--name', name, '--color', 'red'));
    }
    const statuses: string[] = [];
    for (const name of ['same', 'same', ...names]) {
      statuses.push(await idOf('status', 'create', '-b', 'New', '--name', name));
    }
    const special = fc.constantFrom(...' \t\r\n\'"=-+@,;a\u2028\u202E\u0001\u0085\uFEFF'.split(''));
    const text = (most: number) =>
      fc
        .oneof(fc.string({ unit: 'binary', maxLength: most }), fc.string({ unit: special, maxLength: most }))
        .map((one) => one.replaceAll('\0', ''));
    const present = (most: number) => text(most).filter((one) => one.trim() !== '');
    const metadata = fc.oneof(text(30), fc.double({ noNaN: true, min: -1e15, max: 1e15 }), fc.boolean());
    const draft = fc.record(
      {
        title: present(30),
        description: text(60),
        externalId: text(20),
        metadata: fc.dictionary(fc.constantFrom('k', 'x.y', '-'), metadata),
        tags: fc.subarray(tags),
        status: fc.constantFrom(...statuses),
        priority: fc.nat(1_000),
        complete: fc.boolean(),
      },
      { requiredKeys: ['title'] },
    );
    let count = 0;
    const property = fc.asyncProperty(fc.array(draft, { minLength: 1, maxLength: 50 }), async (drafts) => {
      const unique = drafts.map(({ externalId: id, ...more }) =>
        id === undefined ? more : { ...more, externalId: `${id}${(count += 1)}${id}` },
      );
      const stdin = unique.map((one) => JSON.stringify(one)).join('\n');
      await here.ok(['task', 'create', '-b', 'New', '--from', '-'], { stdin });
      const printed = await here.ok(['task', 'list', '-b', 'New', '--csv', '--all']);
      const given = { stdin: printed.stdout };
      const reports = (await here.ok(['task', 'edit', '--from', '-', '--json'], given)).json<Report[]>();
      expect(reports).to.have.length.of.at.least(drafts.length);
      expect(reports.filter(({ changed }) => changed)).to.deep.equal([]);
    });
    await fc.assert(property, { numRuns: 10 });
  });

  it('refuses line by line, with the codes of the engine, and tells how many', async () => {
    const { stdout } = await here.ok(['task', 'list', '-b', 'Old', '--jsonl']);
    await here.ok(['task', 'edit', '1', '--priority', 'low']);
    const lines = [
      ...stdout
        .trim()
        .split('\n')
        .map((line) => JSON.stringify({ ...(JSON.parse(line) as object), title: 'Both' })),
      '{"title":"nobody"}',
      '{"num":99,"title":"x"}',
      '{"num":2,"status":"nowhere"}',
      '{"num":2,"end":"2026-02-30"}',
      '{"num":2,"colour":"red"}',
      '{"num":2,"constructor":1}',
      'nonsense',
    ];
    const ran = await here.run(['task', 'edit', '--from', '-', '--json'], { stdin: lines.join('\n') });
    expect(ran.code).to.equal(1);
    expect(ran.json<Report[]>().map(outcome)).to.deep.equal([
      '1 version-mismatch',
      '2 done',
      '3 invalid-input',
      '4 not-found',
      '5 not-found',
      '6 invalid-input',
      '7 invalid-input',
      '8 invalid-input',
      '9 invalid-input',
    ]);
    expect(ran.json<Report[]>()[7]!.error!.detail).to.match(/^constructor /);
    expect(ran.json<Report[]>()[5]!.error!.detail).to.match(/^end must/);
    expect(ran.stderr).to.include('1 task changed').and.include('8 lines refused');
  });

  it('that is one for all or none names the line, and says why', async () => {
    const lines = ['One', 'Two', 'Three'].map((title, i) =>
      JSON.stringify({ title, board: 'Old', externalId: `x${i === 2 ? 0 : i}` }),
    );
    const stdin = lines.join('\n');
    const { code, stderr } = await here.run(['task', 'create', '--from', '-', '--atomic'], { stdin });
    expect(code).to.equal(5);
    expect(stderr).to.include('Line 3: Another task of the workspace has this externalId. (external-id-taken)');
  });

  it('goes on where it was told to, with --skip', async () => {
    const stdin = '{"title":"a"}\n{"title":"b"}\n\n{"title":"c"}\n';
    const args = ['task', 'create', '-b', 'New', '--from', '-', '--json'];
    const ran = await here.ok([...args, '--skip', '1'], { stdin });
    expect(ran.json<Report[]>().map(({ line }) => line)).to.deep.equal([2, 4]);
    expect((await here.run([...args, '--skip', 'x'], { stdin })).code).to.equal(2);
    for (const alone of [
      ['task', 'create', '-b', 'New', '-t', 'x'],
      ['task', 'edit', '1'],
    ]) {
      expect((await here.run([...alone, '--skip', '1'])).code).to.equal(2);
    }
    expect((await here.run(['task', 'edit', '1', '--from', '-'], { stdin })).code).to.equal(2);
    expect((await here.run(['task', 'edit'])).code).to.equal(2);
  });

  it('with headings that are no fields, or that is no CSV, is refused as a whole', async () => {
    for (const [stdin, told] of [
      ['titel,board\nx,Old\n', 'Did you mean title?'],
      ['title,board\n"x,Old\n', 'Not valid CSV'],
      ['title,board\nx\n', 'Not valid CSV'],
      ['title,board,Title\nx,Old,y\n', 'more than one column'],
      ['title,board,metadata.a,metadata.a\nx,Old,1,2\n', 'more than one column'],
    ] as const) {
      const ran = await here.run(['task', 'create', '--from', '-'], { stdin });
      expect(ran.code, stdin).to.equal(2);
      expect(ran.stderr).to.include(told);
    }
    expect((await tasksOn('Old')).length).to.equal(2);
  });

  it('that is JSON over several lines is refused as a whole', async () => {
    const listed = await here.ok(['task', 'list', '--json', '--all']);
    for (const stdin of [listed.stdout, '\n{\n  "num": 1,\n  "title": "x"\n}\n']) {
      for (const verb of ['create', 'edit']) {
        expect((await here.run(['task', verb, '--from', '-'], { stdin })).code, stdin).to.equal(2);
      }
    }
    expect((await here.ok(['task', 'list', '--json', '--all'])).stdout).to.equal(listed.stdout);
  });

  it('has its format in the help and in the docs', async () => {
    const { stdout } = await here.ok(['task', 'create', '--help']);
    const text = (whole: string) => whole.replace(/\s+/g, ' ');
    expect(text(stdout)).to.include('Each line of JSON Lines is an object').and.include('task list --csv prints it');
    // Seen from `dist/test/edges/cli/input`.
    const docs = await readFile(new URL('../../../../../docs/cli.md', import.meta.url), 'utf8');
    expect(text(docs)).to.include('Each line of JSON Lines is an object');
  });
});
