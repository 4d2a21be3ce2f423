import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { CursorFile } from '../../../../cli/changes/cursor-file.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

describe('A file that keeps a cursor', () => {
  const folder = temporaryFolder();

  it('is whole at any time, also when two keep theirs in it at once', async () => {
    const path = join(folder, 'dev.cursor');
    const keep = async (letter: string) => {
      const file = new CursorFile(path, 0o600);
      for (let n = 0; n < 50; n += 1) {
        file.write(`${letter}.${n}.1`);
        await file.settled();
        expect(await readFile(path, 'utf8')).to.match(/^[ab]\.\d+\.1\n$/);
      }
    };
    await Promise.all([keep('a'), keep('b')]);
    expect(await readdir(folder)).to.deep.equal(['dev.cursor']);
  });
});
