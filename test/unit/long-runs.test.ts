import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TREE = fileURLToPath(new URL('../../..', import.meta.url));

/** What `scripts/test/long.js` exports. */
interface Runs {
  readonly RUNS: Readonly<Record<string, { readonly files: readonly string[] }>>;
}

describe('the long tests', () => {
  it('run files that are there', async () => {
    const { RUNS } = (await import(new URL('../../../scripts/test/long.js', import.meta.url).href)) as Runs;
    for (const [name, { files }] of Object.entries(RUNS)) {
      for (const file of files) expect(existsSync(`${TREE}test/${file}.test.ts`), `${name}: ${file}`).to.equal(true);
    }
  });
});
