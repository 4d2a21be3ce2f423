import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { build } from 'esbuild';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const run = promisify(execFile);
const MODULE = join(import.meta.dirname, '../../../adapters/http/public/packaged.js');

describe('a program that bundles the service, and runs where the package is not', () => {
  const folder = temporaryFolder();

  const bundled = async (format: 'esm' | 'cjs') => {
    const outfile = join(folder, format === 'esm' ? 'program.mjs' : 'program.cjs');
    const contents = `import { packagedFile, packageVersion } from ${JSON.stringify(MODULE)};
      console.log(packageVersion());
      try { packagedFile('package.json'); } catch ({ code }) { console.log(code); }`;
    await build({
      stdin: { contents, resolveDir: folder },
      outfile,
      bundle: true,
      format,
      platform: 'node',
      logLevel: 'silent',
    });
    const { stdout } = await run(process.execPath, [outfile], { timeout: 10_000 });
    return stdout.trim().split('\n');
  };

  for (const format of ['esm', 'cjs'] as const) {
    it(`is told that files of the package are not there, and goes on, in format ${format}`, async () => {
      expect(await bundled(format)).to.deep.equal(['unknown', 'not-found']);
    });
  }

  it('finds them where the package is installed above it, in format cjs', async () => {
    const installed = join(folder, 'node_modules/espalier');
    await mkdir(join(installed, 'dist/adapters/http'), { recursive: true });
    await writeFile(join(installed, 'package.json'), JSON.stringify({ version: '1.2.3' }));
    expect(await bundled('cjs')).to.deep.equal(['1.2.3']);
  });
});
