import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/** What `scripts/mutation/mutation.js` exports. */
interface Mutation {
  readonly AREAS: Readonly<Record<string, { readonly mutate: readonly string[]; readonly tests: readonly string[] }>>;
}

describe('the areas of the mutation tests', () => {
  it('name files that exist', async () => {
    const { AREAS } = (await import(
      new URL('../../../scripts/mutation/mutation.js', import.meta.url).href
    )) as Mutation;
    const files = Object.values(AREAS).flatMap(({ mutate, tests }) => [
      ...mutate.map((path) => `${path}.ts`),
      ...tests.map((name) => `test/${name}.test.ts`),
    ]);
    expect(files).not.to.deep.equal([]);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).to.deep.equal([]);
  });
});
