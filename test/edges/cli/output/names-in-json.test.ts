import { expect } from 'chai';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7/;

describe('Names beside ids, and numbers in their place', () => {
  let here: CliDirectory;
  let cursor = '';
  before(async () => {
    here = await acmeDirectory();
    await here.ok(['board', 'create', '--name', 'Dev']);
    cursor = (await here.ok(['changes'])).stdout.trim();
    await here.ok(['task', 'create', '-b', 'Dev', '-t', 'Write it down']);
    await here.ok(['checklist', 'create', '1', 'First', '--assignee', 'me']);
    await here.ok(['checklist', 'create', '1', 'Second']);
    await here.ok(['comment', 'create', '1', 'Looks good.']);
  });
  after(() => here.close());

  interface Named {
    readonly [field: string]: unknown;
    readonly expanded: Readonly<Record<string, { readonly id: string; readonly name: string } | null>>;
  }

  for (const [field, args, more] of [
    ['authorId', ['comment', 'list', '1']],
    ['authorId', ['comment', 'create', '1', 'Looks very good.']],
    ['assigneeId', ['checklist', 'list', '1']],
    ['assigneeId', ['checklist', 'edit', '1', '1', '--text', 'First of all']],
    ['assigneeId', ['checklist', 'done', '1', '1', '2']],
    ['byId', ['task', 'history', '1']],
    ['byId', ['board', 'history', 'Dev']],
    ['byId', ['page', 'history', 'Dev']],
    ['byId', ['changes', '--kind', 'task,comment'], () => ['--since', cursor]],
  ] as const) {
    it(`are of members in the JSON of ${args.slice(0, 2).join(' ')}`, async () => {
      const { stdout } = await here.ok([...args, ...(more?.() ?? []), '--json']);
      const records = [JSON.parse(stdout) as Named | readonly Named[]].flat() as readonly Named[];
      const told = records.filter((record) => record[field] !== null);
      expect(told).not.to.deep.equal([]);
      for (const { expanded, ...record } of told) {
        expect(expanded[field.slice(0, -2)]).to.deep.equal({ id: record[field], name: 'Ada' });
      }
      for (const { expanded, ...record } of records) {
        if (record[field] === null) expect(expanded[field.slice(0, -2)]).to.equal(null);
      }
      if (args[1] === 'list') {
        const bare = (await here.ok([...args, '--json', '--fields', 'id'])).json<object[]>();
        expect(bare.map((record) => Object.keys(record))).to.deep.equal(records.map(() => ['id']));
      }
    });
  }

  it('are of the column in the JSON of whatever changes a task', async () => {
    await here.ok(['tag', 'create', '-b', 'Dev', '--name', 'bug']);
    await here.ok(['task', 'create', '-b', 'Dev', '-t', 'Another']);
    for (const words of [
      ['done', '2'],
      ['done', '2'],
      ['reopen', '2'],
      ['tag', '2', 'bug'],
      ['tag', '2', 'bug', '--remove'],
      ['assign', '2', 'me'],
      ['assign', '2', 'me', '--remove'],
      ['link', '2', '--blocks', '1'],
      ['unlink', '2', '--blocks', '1'],
      ['move', '2', '--status', 'Doing'],
      ['edit', '2', '--priority', 'high'],
    ]) {
      const { statusId, expanded } = (await here.ok(['task', ...words, '--json'])).json<Named>();
      expect(expanded?.['status']?.id, words.join(' ')).to.equal(statusId);
    }
    await here.ok(['task', 'delete', '2', '--permanently', '--yes']);
  });

  it('are completed where they are typed', async () => {
    await here.ok(['board', 'create', '--name', 'Old']);
    await here.ok(['board', 'delete', 'Old', '--yes']);
    const complete = async (...words: string[]) =>
      (await here.ok(['complete', '--', ...words])).stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
    expect(await complete('checklist', 'done', '1', '')).to.deep.equal(['1', '2']);
    expect(await complete('checklist', 'done', '1', '1', '2')).to.deep.equal(['2']);
    expect(await complete('checklist', 'edit', 'Write it down', '1')).to.deep.equal(['1']);
    expect(await complete('trash', 'restore', 'o')).to.deep.equal(['Old']);
    expect(await complete('trash', 'empty', '')).to.deep.equal(['Old']);
    // The word of a verb may be that of a noun, too.
    expect(await complete('task', 'tag', '')).not.to.include('list');
    expect(await complete('task', 'edit', '--where', 'bo')).to.deep.equal(['board=']);
    expect(await complete('task', 'edit', '--where', 'board=')).to.deep.equal(['board=Dev']);
    expect(await complete('task', 'delete', '--where', 'status=Todo,d')).to.deep.equal([
      'status=Todo,Doing',
      'status=Todo,Done',
    ]);
    expect(await complete('task', 'edit', '--where', 'over')).to.deep.equal(['overdue']);
    expect(await complete('changes', '--kind', 'task,co')).to.deep.equal(['task,comment']);
  });

  it('items of a checklist have the numbers that commands take, and ids only when asked', async () => {
    const { stdout } = await here.ok(['checklist', 'list', '1']);
    expect(stdout).to.match(/^NUM /).and.not.to.match(ID);
    expect((await here.ok(['checklist', 'list', '1', '--wide'])).stdout).to.match(ID);
    expect((await here.ok(['checklist', 'done', '1', '2'])).stdout).to.match(/^ +2 /m);
  });
});
