import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { build } from 'esbuild';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const run = promisify(execFile);
const MODULE = join(import.meta.dirname, '../../../adapters/http/packaged.js');

describe('a program that bundles the service, and runs where the package is not', () => {
  const folder = temporaryFolder();

  it('is told that files of the package are not there, and goes on', async () => {
    const outfile = join(folder, 'program.mjs');
    const contents = `import { packagedFile, packageVersion } from ${JSON.stringify(MODULE)};
      console.log(packageVersion());
      try { packagedFile('package.json'); } catch ({ code }) { console.log(code); }`;
    await build({
      stdin: { contents, resolveDir: folder },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
    });
    const { stdout } = await run(process.execPath, [outfile], { timeout: 10_000 });
    expect(stdout.trim().split('\n')).to.deep.equal(['unknown', 'not-found']);
  });
});
