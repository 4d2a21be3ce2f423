import { expect } from 'chai';
import type { AccessSettings } from '../../../../core/index.ts';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

describe('A command that changes something', () => {
  let here: CliDirectory;
  before(async () => {
    here = await acmeDirectory();
    await here.ok(['board', 'create', '--name', 'Dev']);
    await here.ok(['tag', 'create', '--board', 'Dev', '--name', 'bug']);
    await here.ok(['page', 'create', '--type', 'folder', '--name', 'Payroll']);
    await here.ok(['task', 'create', '--board', 'Dev', '--title', 'One']);
    await here.ok(['checklist', 'create', '1', 'Item']);
  });
  after(() => here.close());

  it('leaves the access to a page as it is without an option that says what to set', async () => {
    const settings = async () => (await here.ok(['access', 'show', 'Payroll', '--json'])).json<AccessSettings>();
    await here.ok(['access', 'set', 'Payroll', '--default', 'none']);
    const before = await settings();
    for (const given of [[], ['--inherit', '--default', 'view']]) {
      expect((await here.run(['access', 'set', 'Payroll', ...given])).code, given.join(' ')).to.equal(2);
    }
    expect(await settings()).to.deep.equal(before);
  });

  it('leaves a task as it is for an option whose list is empty, as of a variable that is not set', async () => {
    await here.ok(['task', 'edit', '1', '--tag', 'bug', '--assignee', 'me']);
    const task = async () => (await here.ok(['task', 'show', '1', '--json'])).json();
    const before = await task();
    for (const option of ['--tag', '--assignee', '--add-tag', '--remove-assignee']) {
      for (const nothing of ['', ',', ' ']) {
        const { code } = await here.run(['task', 'edit', '1', '--priority', 'high', option, nothing]);
        expect(code, `${option} "${nothing}"`).to.equal(2);
      }
    }
    expect(await task()).to.deep.equal(before);
    expect((await here.run(['invitation', 'create', '--grant', ''])).code).to.equal(2);
    expect((await here.run(['task', 'list', '--exclude-tag', ''])).code).to.equal(2);
  });

  for (const line of [
    ['board', 'edit', 'Dev'],
    ['checklist', 'edit', '1', '1'],
    ['comment', 'edit', '1', '018f6a3e-0000-7000-8000-000000000000'],
    ['me', 'edit'],
    ['member', 'edit', 'me'],
    ['page', 'edit', 'Dev'],
    ['page', 'move', 'Dev'],
    ['status', 'edit', 'Todo', '--board', 'Dev'],
    ['tag', 'edit', 'bug', '--board', 'Dev'],
    ['task', 'edit', '1'],
    ['task', 'move', '1'],
    ['user', 'edit', 'ada@example.org'],
    ['workspace', 'edit', 'acme'],
  ]) {
    it(`is told that nothing is to change: ${line.join(' ')}`, async () => {
      const { code, stdout } = await here.run(line);
      expect([code, stdout]).to.deep.equal([2, '']);
    });
  }
});
