import { open, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { TransferRecord } from '../../../core/model/transfer-record.ts';
import type { Call } from '../../call.ts';
import { isOperator } from '../../config/connection.ts';
import { fileModeOf } from '../../config/file-mode.ts';
import { FILE_MODE } from '../../config/file-mode-option.ts';
import { Failure, usage } from '../../io/failure.ts';
import { escapedJson } from '../../io/safe-text.ts';
import { count } from '../../output/table/count.ts';
import { progressOf } from '../../io/progress.ts';
import { workspaceId } from '../../refs/workspace-lookup.ts';
import { type Noun, verb } from '../../verb.ts';
import { stopped } from '../../io/io.ts';

export const exporting: Noun = {
  name: 'export',
  summary: 'write a whole workspace out',
  verbs: [
    verb({
      name: '',
      summary:
        'Write a whole workspace out as JSON Lines, as it stands at one moment: for backups, and for espalier import. For its owners and the operator of the store.',
      uses: ['exports.workspace'],
      args: [{ spec: '<file>', summary: 'where to; - is the standard output' }],
      examples: ['export acme.jsonl --workspace acme', 'export - --workspace acme | gzip > acme.jsonl.gz'],
      options: [FILE_MODE],
      stopsItself: true,
      run,
    }),
  ],
};

async function run(call: Call): Promise<void> {
  const { session } = await call.connection();
  const id = await workspaceFor(call, call.settings.value('workspace'));
  const { linesTo } = await import('../../../adapters/formats/jsonl/index.ts');
  const file = call.arg(0);
  const target = file === '-' ? null : resolve(call.io.cwd, file);
  const progress = progressOf(call.io, 'records');
  const out = target === null ? toStdout(call) : await partOf(target, fileModeOf(call.settings));
  try {
    const lines = linesTo(out);
    const sink = (record: TransferRecord): Promise<void> => {
      if (call.io.stop.aborted) throw new Failure('interrupted', 'Interrupted: nothing was exported.');
      progress.step();
      return lines.write(record);
    };
    // An interrupt must also end the wait for the next record of a service.
    const of = await Promise.race([session.exports.workspace({ workspaceId: id, sink }), stopped(call.io)]);
    await lines.end();
    progress.end();
    out.end();
    await finished(out);
    if (target !== null) await rename(`${target}.part`, target);
    call.out.note(`Exported ${count(of.page, 'page')}, ${count(of.task, 'task')} and ${count(of.comment, 'comment')}.`);
  } catch (error) {
    out.destroy();
    if (target === null) throw error;
    await rm(`${target}.part`, { force: true });
    // A full disk, for example.
    if (error instanceof Error && 'syscall' in error) {
      throw new Failure('failed', `${target} cannot be written: ${error.message}`, [], { cause: error });
    }
    throw error;
  }
}

/**
 * Creates the temporary file next to the target, private until its permissions are set: those of the file it will
 * replace, or else `fileMode`.
 */
async function partOf(target: string, fileMode: number): Promise<Writable> {
  const before = await stat(target).catch(() => null);
  // A leftover file may have any permissions, or be a symbolic link.
  await rm(`${target}.part`, { force: true });
  const part = await open(`${target}.part`, 'wx', 0o600);
  await part.chmod(before === null ? fileMode : before.mode & 0o777);
  return part.createWriteStream();
}

function toStdout({ io }: Call): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      io.stdout.write(escapedJson(chunk));
      done();
    },
  });
}

/** The operator is a member of no workspace, so the name is resolved by the engine: an alias or id. */
async function workspaceFor(call: Call, ref: string | undefined): Promise<string> {
  const { session, local } = await call.connection();
  if (local === null || !isOperator(call)) return workspaceId(session, ref);
  if (ref === undefined) throw usage('Which workspace? Name it with --workspace, by its alias or id.');
  return ref;
}
