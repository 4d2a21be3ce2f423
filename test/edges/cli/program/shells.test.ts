import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { needs, runs } from '../../../fixtures/available.ts';
import { MAIN } from '../child.ts';
import { cliDirectory, type CliDirectory } from '../in-process.ts';

/** Sources the script and prints what `espalier board show ` could become, one a line. */
const ASKS: Readonly<Record<string, string>> = {
  bash: `source ./script
COMP_WORDS=(espalier board show "")
COMP_CWORD=3
_espalier
printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `compdef() { :; }; compadd() { print -l -- "\${(@)\${(P)argv[-1]}}"; }
source ./script
words=(espalier board show "") CURRENT=4
_espalier`,
  fish: `source ./script
complete -C 'espalier board show '`,
};
/** The same where zsh loads it from a folder, at the first question. */
const AUTOLOADED = `compdef() { :; }; compadd() { print -l -- "\${(@)\${(P)argv[-1]}}"; }
cp ./script ./_espalier; fpath=(. $fpath); autoload -Uz _espalier
words=(espalier board show "") CURRENT=4
_espalier`;

describe('Completion', () => {
  let here: CliDirectory;
  before(async () => {
    here = await cliDirectory();
    here.env['ESPALIER_STORE'] = `file:${join(here.path, 'here.db')}`;
    await here.ok(['user', 'create', '--name', 'Ada', '--email', 'ada@example.org']);
    here.env['ESPALIER_AS'] = 'ada@example.org';
    await here.ok(['workspace', 'create', '--name', 'Acme']);
    await here.ok(['board', 'create', '--no-columns', '--name', 'Dev']);
    await here.ok(['board', 'create', '--name', 'Operations']);
    for (const name of ['In review', 'In $(id)']) await here.ok(['status', 'create', '-b', 'Dev', '--name', name]);
    const bin = join(here.path, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'espalier'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
    await chmod(join(bin, 'espalier'), 0o755);
    here.env['PATH'] = `${bin}:${process.env['PATH']}`;
    here.env['HOME'] = here.path;
  });
  after(() => here.close());

  for (const [words, found] of [
    [['task', 'list', '--sort', '=', '-pri'], '-priority'],
    [['task', 'assign', '1', 'ada', '@'], '@example.org'],
    [['task', 'assign', '1', 'ada', '@', 'exa'], '@example.org'],
    [['invitation', 'create', '--grant', 'Dev', '=', 'co'], 'comment'],
    [['invitation', 'create', '--grant', 'Dev', '='], 'full edit comment view none'],
    [['board', 'show', 'Op', ''], ''],
    [['board', 'show', '"Op'], 'Operations'],
    [['task', 'list', '--board', '"Dev"', '--status', 'In\\ r'], 'In\\ review'],
    [['task', 'list', '--board', 'De\\v', '--status', '"In '], 'In review'],
    [['task', 'list', '--board', '=', '"Op'], 'Operations'],
  ] as const) {
    it(`goes on in bash behind what it breaks words at: ${words.join('')}`, async function () {
      needs(this, 'bash', runs('bash', '-c', 'true'));
      await writeFile(join(here.path, 'script'), (await here.ok(['completion', 'bash'])).stdout);
      // Broken words stand next to each other on the line.
      const line = ['espalier', ...words].join(' ').replace(/ ?([@=]) ?/g, '$1');
      const ask = `source ./script
COMP_LINE='${line}' COMP_WORDS=(espalier ${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length}
_espalier
echo "\${COMPREPLY[*]}"`;
      const options = { cwd: here.path, env: here.env, encoding: 'utf8', timeout: 45_000 } as const;
      const { stdout, stderr } = spawnSync('bash', ['-c', ask], options);
      expect(stdout.trim().split('\n').join(' '), stderr).to.equal(found);
    });
  }

  for (const [shell, ask] of Object.entries({
    zsh: ASKS['zsh']!.replace('(espalier board show "") CURRENT=4', `(espalier board show '"Op') CURRENT=4`),
    fish: `source ./script\ncomplete -C 'espalier board show "Op'`,
  })) {
    it(`goes on inside an open quote in ${shell}`, async function () {
      needs(this, shell, runs(shell, '-c', 'true'));
      await writeFile(join(here.path, 'script'), (await here.ok(['completion', shell])).stdout);
      const options = { cwd: here.path, env: here.env, encoding: 'utf8', timeout: 45_000 } as const;
      const { stdout, stderr } = spawnSync(shell, ['-c', ask], options);
      expect(stdout.trim().replace(/^"/, ''), stderr).to.equal('Operations');
    });
  }

  for (const [shell, ask] of [...Object.entries(ASKS), ['zsh', AUTOLOADED] as const]) {
    it(`knows the boards in ${shell}${ask === AUTOLOADED ? ', from a folder' : ''}`, async function () {
      needs(this, shell, runs(shell, '-c', 'true'));
      await writeFile(join(here.path, 'script'), (await here.ok(['completion', shell])).stdout);
      const options = { cwd: here.path, env: here.env, encoding: 'utf8', timeout: 45_000 } as const;
      const { stdout, stderr } = spawnSync(shell, ['-c', ask], options);
      expect(stdout.trim().split('\n'), stderr).to.deep.equal(['Dev', 'Operations']);
    });
  }
});
