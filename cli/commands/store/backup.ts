import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { OpenedStore } from '../../../adapters/service/index.ts';
import type { CommandCall } from '../../call.ts';
import { FILE_MODE } from '../../config/file-mode-option.ts';
import { fileModeOf } from '../../config/file-mode.ts';
import { usage } from '../../io/failure.ts';
import { safe } from '../../io/safe-text.ts';
import { type Noun, verb } from '../../verb.ts';

export const backup: Noun = {
  name: 'backup',
  summary: 'copy a whole store to a new file',
  verbs: [
    verb({
      name: '',
      summary:
        'Copy an embedded store, with everything in it at one point in time, to a new file. Services on the store go on meanwhile. The copy is a store itself.',
      args: [{ spec: '<file>', summary: 'new file; nothing may be there', field: 'path' }],
      options: [FILE_MODE],
      moreFields: ['file', 'bytes'],
      examples: ['backup copy.db --store file:espalier.db', 'backup copy.db --store file:espalier.db --json'],
      asOperator: true,
      run,
    }),
  ],
};

async function run(call: CommandCall): Promise<void> {
  const { local } = await call.connection();
  if (local === null) throw usage('backup needs direct access to the store: run it there with --store.');
  const store: OpenedStore = local.store;
  if (store.backup === undefined) {
    throw usage(
      'Only an embedded store is a file.',
      'Copy a MongoDB database with the tools of MongoDB; espalier export copies a workspace of any store.',
    );
  }
  const file = resolve(call.io.cwd, call.arg(0));
  await store.backup(file, fileModeOf(call.settings));
  const { size: bytes } = await stat(file);
  call.out.show({ file, bytes }, () => safe`Copied the store to ${file}: ${bytes.toLocaleString('en')} bytes.\n`);
}
