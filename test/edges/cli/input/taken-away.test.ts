import { expect } from 'chai';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

const NO_TASK = '018f6a3e-0000-7000-8000-000000000000';

describe('What is taken away from a task', () => {
  let here: CliDirectory;
  before(async () => {
    here = await acmeDirectory();
    await here.ok(['board', 'create', '--name', 'Dev']);
    await here.ok(['tag', 'create', '-b', 'Dev', '--name', 'bug']);
    await here.ok(['task', 'create', '-b', 'Dev', '-t', 'One', '--tag', 'bug', '--assignee', 'me']);
    await here.ok(['task', 'create', '-b', 'Dev', '-t', 'Two']);
  });
  after(() => here.close());

  it('is all tags or assignees by none', async () => {
    const edit = async (...args: string[]) =>
      (await here.ok(['task', 'edit', ...args, '--json', '--fields', 'tags,assignees'])).json<object>();
    expect(await edit('1', '--tag', 'none', '--assignee', 'none')).to.deep.equal({ tags: [], assignees: [] });
    await here.ok(['task', 'edit', '1', '--tag', 'bug', '--assignee', 'me']);
    await here.ok(['task', 'edit', '--where', 'num=1', '--tag', 'none', '--assignee', 'none']);
    const without = await here.ok(['task', 'list', '--tag', 'none', '--assignee', 'none', '--num', '1', '--json']);
    expect(without.json()).to.have.length(1);
    expect((await here.run(['task', 'edit', '1', '--tag', 'bug,none'])).code).to.equal(3);
  });

  it('is refused, and named, if the task does not have it; and a link of a task to itself is', async () => {
    for (const [words, what] of [
      [['unlink', '1', '--blocks', '2'], '--blocks 2'],
      [['unlink', '1', '--parent'], 'parent'],
      [['tag', '1', 'bug', '--remove'], '"bug"'],
      [['assign', '1', 'me', '--remove'], '"me"'],
    ] as const) {
      const { code, stderr } = await here.run(['task', ...words]);
      expect(code, words.join(' ')).to.equal(3);
      expect(stderr).to.include('#1').and.include(what);
    }
    for (const option of ['--parent', '--blocks', '--relates', '--duplicates']) {
      const toNone = await here.run(['task', 'link', '1', option, NO_TASK]);
      expect(toNone.code, option).to.equal(2);
      expect(toNone.stderr).to.include(`${option} ${NO_TASK}`).and.not.include('taskId');
      const { code, stderr } = await here.run(['task', 'link', '1', option, '#1']);
      expect(code, option).to.equal(2);
      expect(stderr).to.include(`${option} #1`);
    }
  });
});
