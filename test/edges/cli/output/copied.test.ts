import { expect } from 'chai';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

describe('A copy on the command line', () => {
  let here: CliDirectory;

  before(async () => {
    here = await acmeDirectory();
    await here.ok(['board', 'create', '--name', 'Dev']);
  });
  after(() => here.close());

  it('says that it lacks the access settings of the original, where that has any', async () => {
    const copy = (noun: string) => here.ok([noun, 'copy', 'Dev', '--name', 'Dev 2', '--json']);
    for (const noun of ['page', 'board']) expect((await copy(noun)).stderr).to.equal('');
    await here.ok(['access', 'set', 'Dev', '--default', 'none']);
    for (const noun of ['page', 'board']) expect((await copy(noun)).stderr).not.to.equal('');
  });
});
