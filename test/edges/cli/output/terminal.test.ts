import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { MAIN } from '../child.ts';
import { acmeDirectory, type CliDirectory } from '../in-process.ts';

/** Says nothing itself of not being there. */
const MISSING = 'no-such-program 2> /dev/null';

describe('At a terminal', () => {
  let here: CliDirectory;
  before(async () => {
    here = await acmeDirectory();
    await here.ok(['board', 'create', '--name', 'Dev']);
    const stdin = Array.from({ length: 30 }, (_, i) => `{"title":"Task ${i + 1}"}\n`).join('');
    await here.ok(['task', 'create', '-b', 'Dev', '--from', '-'], { stdin });
  });
  after(() => here.close());

  async function program(name: string, script: string): Promise<string> {
    const path = join(here.path, name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  }

  describe('task edit', () => {
    const edit = async (script: string, more: Record<string, string> = {}) => {
      const EDITOR = await program('editor', script);
      return here.run(['task', 'edit', '1'], { terminal: 80, typed: [], env: { EDITOR, ...more } });
    };

    it('opens the title and the description in an editor', async () => {
      const ran = await edit(`cp "$1" '${here.path}/before'; printf 'Better\\n\\nLong\\ntext\\n\\n' > "$1"`);
      expect(ran.code, ran.stderr).to.equal(0);
      expect(await readFile(join(here.path, 'before'), 'utf8')).to.match(/^Task 1\n\n\n\n<!-- .* -->\n$/);
      expect(ran.stdout).to.include('title  Task 1 -> Better');
      const task = (await here.ok(['task', 'show', '1', '--json'])).json<object>();
      expect(task).to.include({ title: 'Better', description: 'Long\ntext' });
    });

    it('changes nothing when nothing is different, or the editor fails', async () => {
      const before = (await here.ok(['task', 'show', '1', '--json'])).json<object>();
      expect((await edit('exit 0')).stderr).to.include('Nothing was changed');
      expect((await edit('echo x > "$1"; exit 1')).code).to.equal(1);
      expect((await edit('', { EDITOR: MISSING })).code).to.equal(1);
      expect((await here.ok(['task', 'show', '1', '--json'])).json()).to.deep.equal(before);
    });

    it('leaves alone what was not edited, however it is written', async () => {
      const written = { title: 'Line\nbreak', description: '\nfoo\r\nbar' };
      const stdin = JSON.stringify(written);
      const [made] = (await here.ok(['task', 'create', '-b', 'Dev', '--from', '-', '--json'], { stdin })).json<
        { num: number }[]
      >();
      const num = String(made!.num);
      const edited = async (script: string) => {
        const EDITOR = await program('editor', script);
        await here.ok(['task', 'edit', num], { terminal: 80, typed: [], env: { EDITOR } });
        return (await here.ok(['task', 'show', num, '--json'])).json<object>();
      };
      expect(await edited('touch "$1"')).to.include({ ...written, version: 1 });
      expect(await edited(`sed -i 1s/.*/Other/ "$1"`)).to.include({ ...written, title: 'Other' });
      await here.ok(['task', 'edit', num, '--title', written.title]);
      const description = 'foo\nbaz';
      expect(await edited(`sed -i s/bar/baz/ "$1"`)).to.include({ ...written, description });
    });

    it('keeps what was written when the task has changed meanwhile, or cannot be so', async () => {
      const other = `'${process.execPath}' '${MAIN}' task edit 1 --priority low > /dev/null && echo Other > "$1"`;
      const store = { ESPALIER_STORE: `file:${join(here.path, 'here.db')}` };
      for (const [script, code] of [
        [`printf '%0600d' 1 > "$1"`, 2],
        [`echo > "$1"`, 2],
        [other, 5],
      ] as const) {
        const ran = await edit(script, store);
        expect(ran.code, ran.stderr).to.equal(code);
        const path = /saved in (\S+)/.exec(ran.stderr)![1]!;
        expect((await stat(path)).mode & 0o777).to.equal(0o600);
        await rm(dirname(path), { recursive: true });
      }
    });

    it('says that there is no folder for temporary files', async () => {
      const before = process.env['TMPDIR'];
      process.env['TMPDIR'] = join(here.path, 'nowhere');
      try {
        const { code, stderr } = await edit('exit 0');
        expect(code).to.equal(1);
        expect(stderr).to.include('TMPDIR').and.not.include('Unexpected');
      } finally {
        if (before === undefined) delete process.env['TMPDIR'];
        else process.env['TMPDIR'] = before;
      }
    });

    it('needs to be told what to change where nobody sits there', async () => {
      expect((await here.run(['task', 'edit', '1'])).code).to.equal(2);
      expect((await here.run(['task', 'edit', '1', '2'], { terminal: 80, typed: [] })).code).to.equal(2);
    });
  });

  it('of unknown size, a board is as wide as usual, and has all its lines', async () => {
    const usual = await here.ok(['board', 'show', 'Dev'], { terminal: 80 });
    const unknown = await here.ok(['board', 'show', 'Dev'], { terminal: 0, rows: 0, env: { PAGER: MISSING } });
    expect(unknown.stdout).to.equal(usual.stdout);
  });

  it('and elsewhere colours are as FORCE_COLOR and NO_COLOR say', async () => {
    for (const [env, are] of [
      [{ FORCE_COLOR: '1' }, true],
      [{ FORCE_COLOR: 'true' }, true],
      [{ FORCE_COLOR: '0' }, false],
      [{ FORCE_COLOR: 'false' }, false],
      [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    ] as const) {
      expect(
        (await here.ok(['whoami'], { env: { NO_COLOR: '', ...env } })).stdout.includes('\u001b'),
        JSON.stringify(env),
      ).to.equal(are);
    }
  });

  describe('a list that is longer than the terminal', () => {
    const list = async (env: Record<string, string>, ...more: string[]) => {
      const around = { terminal: 80, rows: 10, env: { ...env, PATH: process.env['PATH']! } };
      return here.ok(['task', 'list', '--limit', '20', ...more], around);
    };

    it('goes through a pager, and words about it stay on the terminal', async () => {
      const PAGER = await program('pager', `cat > '${here.path}/paged'`);
      const { stdout, stderr } = await list({ PAGER });
      expect(stdout).to.equal('');
      expect(stderr).to.include('There are more');
      const paged = await readFile(join(here.path, 'paged'), 'utf8');
      expect(paged.split('\n')).to.have.length(22);
      expect((await list({ PAGER }, '--no-pager')).stdout).to.equal(paged);
      expect((await list({ PAGER, ESPALIER_PAGER: 'cat' })).stdout).to.equal(paged);
      expect((await list({ PAGER: MISSING })).stdout).to.equal(paged);
    });

    it('does not where it fits, or nobody sits there', async () => {
      const PAGER = await program('pager', 'exit 1');
      expect((await list({ PAGER }, '--limit', '3')).stdout).to.include('Task 3');
      expect((await here.ok(['task', 'list'], { env: { PAGER } })).stdout).to.include('Task 30');
    });
  });
});
