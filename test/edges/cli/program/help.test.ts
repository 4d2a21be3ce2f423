import { expect } from 'chai';
import { NOUNS } from '../../../../cli/nouns.ts';
import { nearest } from '../../../../cli/refs/near.ts';
import { OTHER_COMMANDS } from '../../../../cli/refs/other-words.ts';
import { aliasesOf } from '../../../../cli/verb.ts';
import { cli } from '../in-process.ts';

const shown = NOUNS.filter(({ hidden }) => !hidden);

describe('Help', () => {
  it('of a verb is about the verb, however it is asked for', async () => {
    const { stdout } = await cli(['task', 'list', '--help']);
    expect(stdout).to.match(/^Usage: espalier task list/);
    for (const words of [
      ['help', 'task', 'list'],
      ['--json', 'help', 'task', 'list'],
      ['help', 'task', 'ls'],
    ]) {
      expect((await cli(words)).stdout, words.join(' ')).to.equal(stdout);
    }
    expect((await cli(['help', 'task'])).stdout).to.equal((await cli(['task', '--help'])).stdout);
    expect((await cli(['help'])).stdout).to.equal((await cli(['--help'])).stdout);
  });

  it('of a noun begins with a sentence about it', async () => {
    for (const entry of shown) {
      const { verbs, summary } = await entry.load();
      const sentence = verbs.length === 1 ? verbs[0]!.summary : summary;
      expect(sentence, entry.name).to.match(/^[A-Z].{15,}\.?$/);
    }
  });

  it('of a noun names the arguments of each verb as its own help does', async () => {
    for (const entry of shown) {
      const { name, verbs } = await entry.load();
      if (verbs.length === 1) continue;
      const { stdout } = await cli([name, '--help']);
      for (const { name: verb, args = [] } of verbs) {
        const line = stdout.split('\n').find((text) => new RegExp(`^  ${verb}\\b`).test(text));
        expect(line, `${name} ${verb}`).to.include(` ${args.map(({ spec }) => spec).join(' ')}`);
      }
    }
  });

  it('is what a mistake points to, with what may have been meant', async () => {
    const told = async (...words: string[]) => {
      const { code, stderr } = await cli(words);
      expect(code, words.join(' ')).to.equal(2);
      return stderr;
    };
    expect(await told('taks', 'list'))
      .to.include('Did you mean task?')
      .and.include('espalier --help');
    expect(await told('task', 'lsit'))
      .to.include('list')
      .and.include('espalier task --help');
    for (const words of [
      ['help', 'tsk'],
      ['tsk', '--help'],
      ['tsk', '-h'],
    ]) {
      expect(await told(...words)).to.include('Did you mean task?');
    }
    for (const words of [
      ['help', 'task', 'lst'],
      ['task', 'lst', '--help'],
    ]) {
      expect(await told(...words)).to.include('Did you mean one of list, ls?');
    }
    expect(await told('comment', 'create', '1', '-hello')).to.include('Put -- before');
    expect(await told('comment', 'create', '1', 'hello', '--bogus')).not.to.include('Put -- before');
    expect(await told('task', 'list', '--bord', 'x'))
      .to.include('--board')
      .and.include('espalier task list --help');
    expect(await told('task', 'create', 'Write it down')).to.include('--title');
    expect(await told('board', 'create', 'Launch')).to.include('Did you mean --name Launch?');
    expect(await told('task', 'create', "Don't panic")).to.include(String.raw`--title 'Don'\''t panic'`);
    expect(await told('status', 'create', '-b', 'Dev', '--name', 'x', '--before', 'Done')).to.include(
      'Did you mean --order-key?',
    );
    expect(await told('board', 'create')).not.to.include('Did you mean');
    expect(await told('task', 'list', '--sort', 'prio')).to.include('Did you mean priority?');
    expect(await told('task', 'list', '--fields', 'titel')).to.include('Did you mean title?');
    expect(await told('config', 'get', 'worksapce')).to.include('Did you mean workspace?');
  });
});

describe('The words of other programs', () => {
  it('point to those of this one', async () => {
    for (const [line, meant, help] of [
      ['task edit 12 --due fri', '--end', 'task edit'],
      ['task list --due fri', '--end-to', 'task list'],
      ['task create --name x', '--title', 'task create'],
      ['task create --label=x', '--tag', 'task create'],
      ['task untag 12 bug', 'tag --remove', 'task'],
      ['task unassign 12 me', 'assign --remove', 'task'],
      ['task close 12', 'done', 'task'],
      ['task remove 12', 'delete', 'task'],
      ['board rename Dev', 'edit', 'board'],
      ['checklist tick 12 1', 'done', 'checklist'],
      ['trash purge', 'empty', 'trash'],
      ['task subtask 12', 'link --parent', 'task'],
      ['task due 12', 'edit --end', 'task'],
      ['board clone Dev', 'copy', 'board'],
      ['member invite ben@example.org', 'invitation create', 'member'],
    ] as const) {
      const { code, stderr } = await cli(line.split(' '));
      expect(code, line).to.equal(2);
      expect(stderr, line).to.include(`(Did you mean ${meant}?)\n  See espalier ${help} --help`);
    }
  });
});

describe('A command without its noun, or with that of another program', () => {
  it('points to the command of this one', async () => {
    for (const [line, meant] of [
      ['history', 'task history'],
      ['cards', 'task'],
      ['columns', 'status'],
      ['search spec', 'task list --text'],
      ['undo', 'trash restore'],
      ['version', '--version'],
      ['constructor', undefined],
    ] as const) {
      const { code, stderr } = await cli(line.split(' '));
      expect(code, line).to.equal(2);
      if (meant === undefined) expect(stderr, line).not.to.include('Did you mean');
      else expect(stderr, line).to.include(`(Did you mean ${meant}?)\n  See espalier --help`);
    }
  });

  it('is one that there is', async () => {
    for (const path of new Set(Object.values(OTHER_COMMANDS))) {
      const words = path.split(' ');
      const { code, stdout } = await cli([...words.filter((word) => !word.startsWith('--')), '--help']);
      expect(code, path).to.equal(0);
      for (const option of words.filter((word) => word.startsWith('--'))) expect(stdout, path).to.include(option);
    }
  });
});

describe('Other names of verbs', () => {
  it('are those of other programs, and of one verb each', async () => {
    for (const entry of shown) {
      const { verbs } = await entry.load();
      const names = verbs.flatMap((verb) => [verb.name, ...aliasesOf(verb)]);
      expect(new Set(names).size, `${entry.name}: ${names.join(' ')}`).to.equal(names.length);
    }
    for (const [alias, name] of [
      ['ls', 'list'],
      ['view', 'show'],
      ['new', 'create'],
      ['rm', 'delete'],
    ]) {
      const { stdout } = await cli(['board', alias!, '--help']);
      expect(stdout, alias).to.match(new RegExp(`^Usage: espalier board ${name}\\|`));
    }
  });
});

describe('The nearest words', () => {
  it('are few, near, and the nearest first', () => {
    const words = ['title', 'subtitle', 'tag', 'status', 'constructor'];
    expect(nearest('titel', words)).to.deep.equal(['title']);
    expect(nearest('tit', words)).to.deep.equal(['title']);
    expect(nearest('zzz', words)).to.deep.equal([]);
    expect(nearest('', words)).to.deep.equal([]);
  });
});
