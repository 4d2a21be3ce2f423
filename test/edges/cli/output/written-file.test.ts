import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { loadSettings } from '../../../../cli/config/settings.ts';
import { Failure } from '../../../../cli/io/failure.ts';
import { safeIo } from '../../../../cli/io/io.ts';
import { writeFileOrStdout } from '../../../../cli/io/written-file.ts';
import { needs } from '../../../fixtures/available.ts';

describe('A file that is written line by line', () => {
  it('is reported as unwritable where it fails between two lines', async function () {
    needs(this, '/dev/full', existsSync('/dev/full'));
    const { stdout, stderr, stdin } = process;
    const io = safeIo({ stdout, stderr, stdin, env: {}, cwd: '/', stop: new AbortController().signal });
    const call = { io, settings: await loadSettings({}, {}) };
    const error: unknown = await writeFileOrStdout(call, '/dev/full', async (out) => {
      out.write('{}\n');
      await new Promise((done) => out.once('close', done));
    }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Failure).with.property('exit', 'failed');
  });
});
