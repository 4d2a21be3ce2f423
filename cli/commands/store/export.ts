import { workspaceOwner } from '../../../adapters/service/look-ups.ts';
import type { TransferCount, TransferRecord } from '../../../core/model/transfer-record.ts';
import type { CommandCall } from '../../call.ts';
import { isOperator } from '../../config/connection.ts';
import { FILE_MODE } from '../../config/file-mode-option.ts';
import { Failure, missing, usage } from '../../io/failure.ts';
import { stopped } from '../../io/io.ts';
import { progressOf } from '../../io/progress.ts';
import { writeFileOrStdout } from '../../io/written-file.ts';
import { count } from '../../output/table/count.ts';
import { workspaceId } from '../../refs/workspace-lookup.ts';
import { type Noun, verb } from '../../verb.ts';

export const exporting: Noun = {
  name: 'export',
  summary: 'export a whole workspace',
  verbs: [
    verb({
      name: '',
      summary:
        'Export a whole workspace at one point in time as JSON Lines, for backups and espalier import. For its owners and the operator of the store.',
      uses: ['exports.workspace'],
      args: [{ spec: '<file>', summary: 'output file; - for standard output' }],
      examples: ['export acme.jsonl --workspace acme', 'export - --workspace acme | gzip > acme.jsonl.gz'],
      options: [FILE_MODE],
      stopsItself: true,
      run,
    }),
  ],
};

async function run(call: CommandCall): Promise<void> {
  call.out.requireUnformatted();
  const { session } = await call.connection();
  const file = call.arg(0);
  const id = await workspaceFor(call, call.settings.value('workspace'));
  const { linesTo } = await import('../../../adapters/formats/jsonl/index.ts');
  const progress = progressOf(call.io, 'records');
  let of: TransferCount | undefined;
  let alias = '';
  await writeFileOrStdout(call, file, async (out) => {
    const lines = linesTo(out);
    const sink = (record: TransferRecord): Promise<void> => {
      if (call.io.stop.aborted) throw new Failure('interrupted', 'Interrupted: nothing was exported.');
      progress.step();
      if (record.kind === 'workspace') alias = record.record.alias;
      return lines.write(record);
    };
    // An interrupt must also end the wait for the next record of a service.
    of = await Promise.race([session.exports.workspace({ workspaceId: id, sink }), stopped(call.io)]);
    await lines.end();
    progress.end();
  });
  const { page, task, comment } = of!;
  const to = file === '-' ? '' : ` to ${file}`;
  const counts = `${count(page, 'page')}, ${count(task, 'task')}, ${count(comment, 'comment')}`;
  call.out.note(`Exported workspace ${alias}${to}: ${counts}.`);
}

/** The operator is a member of no workspace, so they cannot name one by a name that several may have. */
async function workspaceFor(call: CommandCall, ref: string | undefined): Promise<string> {
  const { session, local } = await call.connection();
  if (local === null || !isOperator(call)) return Promise.race([workspaceId(session, ref), stopped(call.io)]);
  if (ref === undefined) throw usage('No workspace given: use --workspace with an alias or id.');
  if ((await workspaceOwner(local, ref)) === null) {
    throw missing(`There is no workspace ${JSON.stringify(ref)}.`, 'The operator uses the alias or id of a workspace.');
  }
  return ref;
}
