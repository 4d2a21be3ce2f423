import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { STATUS } from '../../../../adapters/http/response/problem.ts';

const PAGE = fileURLToPath(new URL('../../../../../docs/http.md', import.meta.url));

describe('docs/http.md', () => {
  it('says of every error code its status and what it means', async () => {
    const text = await readFile(PAGE, 'utf8');
    const rows = [...text.matchAll(/^\| `([a-z-]+)` +\| (\d{3}) +\| \S/gm)];
    expect(Object.fromEntries(rows.map(([, code, status]) => [code, Number(status)]))).to.deep.equal(STATUS);
  });
});
