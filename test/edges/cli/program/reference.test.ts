import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { commandReference } from '../../../../cli/reference.ts';

/** Seen from `dist/test/edges/cli/program`. */
const FILE = fileURLToPath(new URL('../../../../../docs/cli.md', import.meta.url));

/** The sources of the command line. */
const SOURCES = fileURLToPath(new URL('../../../../../cli/', import.meta.url));
/** Variables that a terminal, a desktop or a login sets. */
const OF_THE_SYSTEM: ReadonlySet<string> = new Set(['HOME', 'TERM', 'COLORTERM', 'DISPLAY', 'WAYLAND_DISPLAY']);

describe('docs/cli.md', () => {
  it('names every variable of the environment that the program reads', async () => {
    const files = (await readdir(SOURCES, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const texts = await Promise.all(files.map((name) => readFile(join(SOURCES, name), 'utf8')));
    const names = new Set(texts.flatMap((text) => [...text.matchAll(/\benv\['(\w+)'\]/g)].map(([, name]) => name!)));
    const page = await readFile(FILE, 'utf8');
    expect([...names].filter((name) => !OF_THE_SYSTEM.has(name) && !page.includes(`\`${name}\``))).to.deep.equal([]);
    expect(names.size).to.be.greaterThan(OF_THE_SYSTEM.size);
  });

  it('is what the program says; ESPALIER_UPDATE=1 writes it anew', async () => {
    const text = await commandReference();
    if (process.env['ESPALIER_UPDATE']) await writeFile(FILE, text);
    expect(await readFile(FILE, 'utf8')).to.equal(text);
  });
});
