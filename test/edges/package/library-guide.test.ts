import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { transform } from 'esbuild';

const run = promisify(execFile);
/** Pages whose pieces of code make one program. */
const GUIDES = ['library.md', 'extending.md'];
/** In the package, so that it imports it by its name. */
const PROGRAM = fileURLToPath(new URL('library-guide.mjs', import.meta.url));
const TYPED = fileURLToPath(new URL('library-guide.mts', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** As a host may have it. */
const STRICT = [
  '--strict',
  '--noEmit',
  '--skipLibCheck',
  '--module',
  'nodenext',
  '--target',
  'es2023',
  '--types',
  'node',
];

/** What the compiler says of a program on the published types. */
async function complaints(program: string): Promise<string> {
  await writeFile(TYPED, program);
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  return run(compiler, ['--ignoreConfig', ...STRICT, TYPED], { cwd: ROOT }).then(
    () => '',
    (error: { readonly stdout: string }) => error.stdout,
  );
}

for (const guide of GUIDES)
  describe(`docs/${guide}`, () => {
    after(() => Promise.all([PROGRAM, TYPED].map((file) => rm(file, { force: true }))));

    it('is one program, which compiles, and prints what its comments say', async () => {
      const path = fileURLToPath(new URL(`../../../../docs/${guide}`, import.meta.url));
      const text = await readFile(path, 'utf8');
      const code = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block!);
      const imports = code.flatMap((block) => block.match(/^import .*$/gm) ?? []);
      const rest = code.join('\n').replace(/^import .*$/gm, '');
      expect(await complaints([...imports, rest].join('\n'))).to.equal('');
      const { code: plain } = await transform([...imports, rest].join('\n'), { loader: 'ts', target: 'node20.19' });
      await writeFile(PROGRAM, plain);
      const { stdout } = await run(process.execPath, [PROGRAM], { env: { ...process.env, FORCE_COLOR: '0' } });
      const said = [...text.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, comment]) => comment!);
      expect(said.length).to.be.greaterThan(4);
      expect(stdout.trimEnd().split('\n')).to.deep.equal(said);
    });
  });
