import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { reference } from '../../../../cli/reference.ts';

/** Seen from `dist/test/edges/cli/program`. */
const FILE = fileURLToPath(new URL('../../../../../docs/cli.md', import.meta.url));

describe('docs/cli.md', () => {
  it('is what the program says; ESPALIER_UPDATE=1 writes it anew', async () => {
    const text = await reference();
    if (process.env['ESPALIER_UPDATE']) await writeFile(FILE, text);
    expect(await readFile(FILE, 'utf8')).to.equal(text);
  });
});
