import { expect } from 'chai';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

const NO_TASK = '018f6a3e-0000-7000-8000-000000000000';

describe('A command that writes several times', () => {
  let here: CliDirectory;
  before(async () => {
    here = await acmeDirectory();
    await here.ok(['board', 'create', '--name', 'Dev']);
    await here.ok(['tag', 'create', '-b', 'Dev', '--name', 'bug']);
    for (const title of ['one', 'two', 'three']) await here.ok(['task', 'create', '-b', 'Dev', '-t', title]);
    await here.ok(['user', 'create', '--name', 'Dan', '--email', 'dan@example.org', '--as', 'operator']);
    const { id } = (await here.ok(['invitation', 'create', '--role', 'guest', '--json'])).json<{ id: string }>();
    await here.ok(['invitation', 'accept', id, '--as', 'dan@example.org']);
  });
  after(() => here.close());

  for (const [words, code, told] of [
    [['link', '1', '--blocks', '2', '--duplicates', NO_TASK], 2, '1 of 2'],
    [['unlink', '1', '--blocks', '2', '--relates', '3'], 3, '1 of 2'],
    [['edit', '1', '--title', 'uno', '--add-tag', 'bug', '--add-assignee', 'dan@example.org'], 2, '1 of 2'],
  ] as const) {
    it(`tells how much is done where the rest is refused: task ${words.join(' ')}`, async () => {
      const ran = await here.run(['task', ...words]);
      expect(ran.code, ran.stderr).to.equal(code);
      expect(ran.stderr).to.include(told);
    });
  }

  it('tells of which task it is', async () => {
    const ran = await here.run(['task', 'edit', '1', '--description', 'x', '--add-assignee', 'dan@example.org']);
    expect(ran.code).to.equal(2);
    expect(ran.stderr).to.match(/#1.*1 of 2/);
  });

  it('changes a task once, or not at all, but for what belongs to it alone', async () => {
    const edit = ['--status', 'Done', '--tag', 'bug', '--priority', 'low', '--end', '2027-01-01'];
    const before = (await here.ok(['task', 'show', '3', '--json'])).json<{ version: number }>();
    const refused = await here.run(['task', 'edit', '1', '3', ...edit.slice(4), '--add-assignee', 'dan@example.org']);
    expect(refused.code).to.equal(2);
    expect(refused.stderr).not.to.include('of 2;');
    expect((await here.ok(['task', 'show', '3', '--json'])).json()).to.deep.equal(before);
    const made = await here.ok(['task', 'edit', '3', ...edit, '--add-assignee', 'me', '--json']);
    expect(made.json<{ version: number }>().version).to.equal(before.version + 1);
  });

  it('changes nothing where what is added contradicts the rest', async () => {
    const before = (await here.ok(['task', 'show', '1', '--json'])).json();
    for (const words of [
      ['--tag', 'bug', '--add-tag', 'bug'],
      ['--add-tag', 'bug', '--remove-tag', 'bug'],
      ['--add-assignee', 'me', '--start', '2027-01-02', '--end', '2027-01-01'],
    ]) {
      expect((await here.run(['task', 'edit', '1', '--title', 'eins', ...words])).code, words.join(' ')).to.equal(2);
      expect((await here.ok(['task', 'show', '1', '--json'])).json(), words.join(' ')).to.deep.equal(before);
    }
  });

  describe('counts once what is named twice', () => {
    interface Numbered {
      readonly num: number;
    }
    before(async () => {
      for (const title of ['four', 'five']) await here.ok(['task', 'create', '-b', 'Dev', '-t', title]);
      for (const text of ['first', 'second']) await here.ok(['checklist', 'create', '4', text]);
    });
    const nums = async (...words: string[]) =>
      (await here.ok(['task', ...words, '--json'])).json<Numbered[]>().map(({ num }) => num);

    for (const words of [
      ['edit', '4', '5', '#4', '--priority', 'low', '--dry-run'],
      ['edit', '4', '5', '#4', '--priority', 'low'],
      ['move', '4', '5', 'four', '--after', 'start', '--dry-run'],
      ['move', '4', '5', 'four', '--after', 'start'],
      ['done', '4', '5', '4'],
      ['assign', '4', '5', '4', 'me'],
      ['assign', '4', '5', '4', 'me', '--remove'],
      ['delete', '4', '5', '4', '--dry-run'],
    ]) {
      it(`task ${words.join(' ')}`, async () => {
        expect(await nums(...words)).to.deep.equal([4, 5]);
      });
    }

    it('as links, items of a checklist, and what is deleted', async () => {
      await here.ok(['task', 'link', '4', '--blocks', '5,#5']);
      await here.ok(['task', 'unlink', '4', '--blocks', '5,#5']);
      const items = (await here.ok(['checklist', 'done', '4', '1', 'first', '2', '--json'])).json<unknown[]>();
      expect(items).to.have.lengthOf(2);
      await here.ok(['task', 'delete', '4', '5', '#4', '--yes']);
    });
  });

  it('names the options, and no fields of the engine, where tasks are refused', async () => {
    const dates = ['--start', '2027-01-02', '--end', '2027-01-01'];
    for (const words of [
      ['1', ...dates],
      ['1', '3', ...dates],
      ['1', '3', ...dates, '--add-tag', 'bug'],
      ['--where', 'num=1', '--count', '1', ...dates],
    ]) {
      const { code, stderr } = await here.run(['task', 'edit', ...words]);
      expect(code).to.equal(2);
      expect(stderr)
        .to.match(/--end .*--start/)
        .and.not.to.match(/planned|taskIds/);
    }
  });

  it('tells nothing of the kind where nothing is done', async () => {
    const ran = await here.run(['task', 'link', '1', '--duplicates', '1', '--parent', '1']);
    expect(ran.code).to.equal(2);
    expect(ran.stderr).not.to.include('of 2');
  });

  it('prints the task as it is after the last', async () => {
    const edit = ['task', 'edit', '2', '--priority', 'high', '--add-tag', 'bug', '--add-assignee', 'me', '--json'];
    interface Edited {
      readonly priority: number;
      readonly tags: readonly string[];
      readonly assignees: readonly string[];
    }
    const added = (await here.ok(edit)).json<Edited>();
    expect([added.priority > 0, added.tags.length, added.assignees.length]).to.deep.equal([true, 1, 1]);
    const removed = (
      await here.ok(['task', 'edit', '2', '--remove-tag', 'bug', '--remove-assignee', 'me', '--json'])
    ).json<Edited>();
    expect([removed.tags, removed.assignees]).to.deep.equal([[], []]);
  });
});
