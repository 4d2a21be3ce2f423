import { expect } from 'chai';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

describe('A new board', () => {
  let here: CliDirectory;
  before(async () => {
    here = await acmeDirectory();
  });
  after(() => here.close());

  const made = async (...args: string[]) => {
    const { statuses } = (await here.ok(['board', 'create', '--json', '--name', ...args])).json<{
      statuses: { name: string; done: boolean }[];
    }>();
    return statuses.map(({ name, done }) => (done ? `${name}*` : name));
  };

  it('has the columns that are asked for, a set of them, or none', async () => {
    expect(await made('A')).to.deep.equal(['Todo', 'Doing', 'Done*']);
    expect(await made('B', '--columns', ' To do ,In work,Sent *,Dropped*')).to.deep.equal([
      'To do',
      'In work',
      'Sent*',
      'Dropped*',
    ]);
    expect(await made('C', '--no-columns')).to.deep.equal([]);
  });

  it('has the same columns when it is made as a page', async () => {
    const page = async (name: string, ...args: string[]) => {
      await here.ok(['page', 'create', '--name', name, '--type', 'board', ...args]);
      const { statuses } = (await here.ok(['board', 'show', name, '--json'])).json<{ statuses: { name: string }[] }>();
      return statuses.map((status) => status.name);
    };
    expect(await page('E')).to.deep.equal(['Todo', 'Doing', 'Done']);
    expect(await page('F', '--columns', 'In,Out*')).to.deep.equal(['In', 'Out']);
    expect(await page('G', '--no-columns')).to.deep.equal([]);
    const folder = ['page', 'create', '--name', 'H', '--type', 'folder', '--columns', 'In'];
    expect((await here.run(folder)).code).to.equal(2);
  });

  it('is not made where one of its columns cannot be', async () => {
    expect((await here.run(['board', 'create', '--name', 'D', '--columns', 'Todo,,Done'])).code).to.equal(2);
    expect((await here.run(['board', 'create', '--name', 'D', '--columns', `Todo,${'x'.repeat(101)}`])).code).to.equal(
      2,
    );
    const boards = (await here.ok(['board', 'list', '--json'])).json<{ name: string }[]>();
    expect(boards.map(({ name }) => name)).not.to.include('D');
  });
});
