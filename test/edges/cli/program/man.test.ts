import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { manPages } from '../../../../cli/man.ts';
import { needs, runs } from '../../../fixtures/available.ts';

interface Package {
  readonly man: readonly string[];
  readonly files: readonly string[];
}

/** Seen from `dist/test/edges/cli/program`. */
const ROOT = new URL('../../../../../', import.meta.url);

describe('The manual', () => {
  it('is in the package, with a page for each command', async () => {
    const names = [...(await manPages()).keys()];
    const { man, files } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8')) as Package;
    expect(man).to.deep.equal(names.map((name) => `./dist/man/${name}`));
    expect(files).to.include('dist/man');
    expect(names).to.include.members(['espalier.1', 'espalier-task.1', 'espalier-serve.1']);
  });

  it('is what the build has written', async () => {
    for (const [name, text] of await manPages()) {
      expect(await readFile(new URL(`dist/man/${name}`, ROOT), 'utf8'), name).to.equal(text);
    }
  });

  it('is taken by groff without a warning, and shows what was written', async function () {
    needs(this, 'groff', runs('groff', '--version'));
    for (const [name, text] of await manPages()) {
      const { stdout, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-P-c', '-rLL=100n'], {
        input: text,
        encoding: 'utf8',
      });
      expect(stderr, name).to.equal('');
      // Letters that are printed over each other are how groff has bold ones.
      // eslint-disable-next-line no-control-regex
      const shown = stdout.replace(/.\u0008/gu, '');
      expect(shown, name).to.include('SYNOPSIS').and.include(name.slice(0, -2));
      if (name === 'espalier-task.1') {
        expect(shown)
          .to.include('-b, --board <board>')
          .and.include('espalier task create --board Launch --title "Write the spec"');
      }
    }
  });
});
