import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SCRIPT = join(ROOT, 'scripts', 'publish', 'require-origin.js');

describe('npm publish', () => {
  const folder = temporaryFolder();
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, stdio: 'ignore' });

  /** Whether a clone with such a remote may be published. */
  function mayPublish(remote: string | null): boolean {
    if (remote !== null) git('remote', 'add', 'origin', remote);
    try {
      execFileSync(process.execPath, [SCRIPT], { cwd: folder, stdio: 'ignore' });
      return true;
    } catch {
      return false;
    } finally {
      if (remote !== null) git('remote', 'remove', 'origin');
    }
  }

  it('is refused outside of a clean clone of the repository that the package names', async () => {
    const url = 'git+https://code.example.org/ada/espalier.git';
    await writeFile(join(folder, 'package.json'), JSON.stringify({ repository: { type: 'git', url } }));
    git('init');
    git('add', '.');
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--message', 'Begin');
    for (const remote of [
      'https://code.example.org/ada/espalier.git',
      'https://code.example.org/Ada/espalier',
      'git@code.example.org:ada/espalier.git',
      'ssh://git@code.example.org/ada/espalier.git',
    ]) {
      expect(mayPublish(remote), remote).to.equal(true);
    }
    for (const remote of [
      null,
      'https://code.example.org/ben/espalier.git',
      'https://other.example.org/ada/espalier',
    ]) {
      expect(mayPublish(remote), String(remote)).to.equal(false);
    }
    await writeFile(join(folder, 'new.ts'), '');
    expect(mayPublish(url.slice('git+'.length))).to.equal(false);
  });

  it('asks for that first, and the package names where it comes from', async () => {
    const { scripts, repository, homepage } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      readonly [part: string]: Readonly<Record<string, string>>;
    };
    expect(scripts!['prepublishOnly']).to.match(/^node scripts\/publish\/require-origin\.js && /);
    expect(repository).to.have.keys('type', 'url');
    expect(repository!['url']).to.match(/^git\+https:\/\/\S+\.git$/);
    expect(homepage).to.match(/^https:\/\//);
  });
});
