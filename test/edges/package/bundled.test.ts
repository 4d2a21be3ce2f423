import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { build } from 'esbuild';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const run = promisify(execFile);
const MODULE = join(import.meta.dirname, '../../../adapters/http/public/packaged.js');

describe('a program that bundles the package', () => {
  for (const name of ['service', 'client']) {
    it(`has no module of ${name} that it does not use`, async () => {
      const entry = join(import.meta.dirname, '../../../adapters', name, 'index.js');
      const { metafile } = await build({
        stdin: {
          contents: `import { Level } from ${JSON.stringify(entry)}; console.log(Level.Edit);`,
          resolveDir: '.',
        },
        bundle: true,
        format: 'esm',
        platform: 'node',
        external: ['lmdb'],
        metafile: true,
        write: false,
        logLevel: 'silent',
      });
      const [output] = Object.values(metafile.outputs);
      const used = Object.entries(output!.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
      const modules = used.map(([path]) => basename(path)).filter((path) => !['<stdin>', 'index.js'].includes(path));
      expect(modules).to.deep.equal(['level.js']);
    });
  }
});

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
