// Writes the manual pages of the package from the table of commands.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { manPages } from '../../dist/cli/man.js';

const outdir = 'dist/man';

rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });
for (const [name, text] of await manPages()) writeFileSync(`${outdir}/${name}`, text);
