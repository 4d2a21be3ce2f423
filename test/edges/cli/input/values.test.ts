import { expect } from 'chai';
import type { Comment, Task } from '../../../../core/index.ts';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

describe('The value of an option', () => {
  let here: CliDirectory;
  before(async () => {
    here = await acmeDirectory();
    await here.ok(['board', 'create', '--name', 'Dev']);
    await here.ok(['status', 'create', '--board', 'Dev', '--name', 'Open']);
  });
  after(() => here.close());

  const titleOf = async (...given: string[]) =>
    (await here.ok(['task', 'create', '--board', 'Dev', ...given, '--json'])).json<Task>().title;

  it('may begin with a dash, whatever options the program has', async () => {
    for (const title of ['-Very slow', '-w acme', '-h', '-y', '-jam', '--jsonlike', '-1', '--json=x']) {
      for (const flag of ['--title', '-t']) expect(await titleOf(flag, title), flag).to.equal(title);
    }
    const { code } = await here.run(['changes', '--since', '-Vabcdefghij.2.1', '--json']);
    expect(code, 'a cursor of another store').to.equal(5);
  });

  it('is missing where another option follows', async () => {
    for (const given of [['--title', '--json'], ['--title', '-w', 'acme'], ['-t', '--board', 'Dev'], ['--title']]) {
      const { code, stdout } = await here.run(['task', 'create', '--board', 'Dev', ...given]);
      expect([code, stdout], given.join(' ')).to.deep.equal([2, '']);
    }
  });

  it('is a text that begins with @ from the standard input, as a missing file tells', async () => {
    await titleOf('--title', 'talked about');
    const ran = await here.run(['comment', 'add', '1', '@ben see above']);
    expect(ran.code).to.equal(3);
    expect(ran.stderr).to.include('standard input');
    const added = await here.ok(['comment', 'add', '1', '-', '--json'], { stdin: '@ben see above' });
    expect(added.json<Comment>().content).to.equal('@ben see above');
  });

  it('is a user that is told to be disabled, to whomever the store belongs', async () => {
    const [email, operator] = ['cleo@example.org', ['--as', 'operator']];
    await here.ok(['user', 'create', '--name', 'Cleo', '--email', email, ...operator]);
    await here.ok(['user', 'edit', email, '--disabled', ...operator]);
    const refused = await here.run(['whoami', '--as', email]);
    expect(refused.code).to.equal(4);
    const [, remedy] = /espalier (user edit .*)$/m.exec(refused.stderr)!;
    await here.ok(remedy!.split(' '));
    await here.ok(['whoami', '--as', email]);
  });

  it('is an id that names nothing, as is told', async () => {
    for (const words of [
      ['task', 'show'],
      ['invitation', 'revoke'],
    ]) {
      const { code, stderr } = await here.run([...words, '018f6a3e-0000-7000-8000-000000000000']);
      expect(code, words.join(' ')).to.equal(3);
      expect(stderr).to.include('id names nothing');
    }
  });

  it('is not looked for behind a double dash', async () => {
    await titleOf('--title', 'first');
    const { content } = (await here.ok(['comment', 'add', '1', '--json', '--', '-Very slow'])).json<Comment>();
    expect(content).to.equal('-Very slow');
    const dashes = await here.ok(['task', 'create', '-b', 'Dev', '--title', '--', '--json']);
    expect(dashes.json()).to.include({ title: '--' });
    const { code } = await here.run(['comment', 'add', '--', '--title', '-Very slow']);
    expect(code, 'of a task "--title" that is not there').to.equal(3);
  });
});
