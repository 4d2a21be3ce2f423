import { expect } from 'chai';
import { rejects } from '../../fixtures/errors.ts';
import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const at = '2026-01-01T00:00:00.000Z';
const SUBJECT = '01890000-0000-7000-8000-000000000001';

describe('one file opened more than once in a process', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'shared.db');

  it('serves on after one holder has closed, and opens anew after the last', async () => {
    const first = embeddedStore({ path });
    const second = embeddedStore({ path });
    await first.close();
    await first.close();
    await rejects(
      first.read((tx) => tx.activity.of([SUBJECT])),
      (error: { code?: string }) => error.code === 'store-unavailable',
    );
    await second.write((tx) => tx.activity.touch(SUBJECT, at));
    await second.close();
    const third = embeddedStore({ path });
    expect((await third.read((tx) => tx.activity.of([SUBJECT]))).get(SUBJECT)).to.equal(at);
    await third.close();
  });
});
