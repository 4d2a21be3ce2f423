import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { transform } from 'esbuild';

const run = promisify(execFile);
const GUIDE = fileURLToPath(new URL('../../../../docs/library.md', import.meta.url));
/** In the package, so that it imports it by its name. */
const PROGRAM = fileURLToPath(new URL('library-guide.mjs', import.meta.url));

describe('docs/library.md', () => {
  after(() => rm(PROGRAM, { force: true }));

  it('is one program, which prints what its comments say', async () => {
    const text = await readFile(GUIDE, 'utf8');
    const code = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block!);
    const imports = code.flatMap((block) => block.match(/^import .*$/gm) ?? []);
    const rest = code.join('\n').replace(/^import .*$/gm, '');
    const { code: plain } = await transform([...imports, rest].join('\n'), { loader: 'ts', target: 'node20.19' });
    await writeFile(PROGRAM, plain);
    const { stdout } = await run(process.execPath, [PROGRAM]);
    const said = [...text.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, comment]) => comment!);
    expect(said.length).to.be.greaterThan(4);
    expect(stdout.trimEnd().split('\n')).to.deep.equal(said);
  });
});
