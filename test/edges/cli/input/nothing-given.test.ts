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
});
