import { EspalierError } from '../../../core/kernel/errors.ts';
import type { TransferRecord } from '../../../core/model/transfer-record.ts';
import type { ImportedWorkspace } from '../../../core/transfer/import.ts';
import type { CommandCall } from '../../call.ts';
import { FILE_MODE } from '../../config/file-mode-option.ts';
import { usage } from '../../io/failure.ts';
import { openFile, openPipe } from '../../io/open-file.ts';
import { importHost } from '../../import/host.ts';
import { startsOwnExport } from '../../import/own-export.ts';
import { untilStopped } from '../../import/until-stopped.ts';
import { MAP, peopleMap } from '../../import/people-map.ts';
import { count } from '../../output/table/count.ts';
import { progressOf, type Progress } from '../../io/progress.ts';
import { option, type OptionValues } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';
import { safe } from '../../io/safe-text.ts';

const TRELLO = [
  MAP,
  option('--include-archived', 'also import archived lists; their cards and archived cards go to the trash'),
  FILE_MODE,
  option('--dry-run', 'only report what would be imported'),
];

export const imports: Noun = {
  name: 'import',
  summary: 'Import boards from other systems, and exported workspaces.',
  verbs: [
    verb({
      name: 'trello',
      summary:
        'Import a Trello board: the JSON of "Print, export, and share". Importing again adds only what is missing.',
      uses: ['imports.board'],
      moreFields: ['board', 'workspace', 'inFile', 'joined', 'notes'],
      args: [{ spec: '<file>', summary: 'exported file; - for standard input' }],
      options: TRELLO,
      examples: [
        'import trello board.json --workspace acme',
        'import trello board.json --map people.json --map ada=admin@espalier.localhost',
        'import trello board.json --dry-run',
      ],
      makesStore: true,
      stopsItself: true,
      run: trello,
    }),
    verb({
      name: 'workspace',
      isDefault: true,
      summary:
        'Import a workspace written by espalier export, keeping all ids. For the operator and service administrators.',
      uses: ['imports.workspace'],
      moreFields: ['workspace', 'count'],
      args: [{ spec: '<file>', summary: 'exported file; - for standard input' }],
      options: [FILE_MODE],
      examples: [
        'import acme.jsonl --store file:other.db',
        'import workspace acme.jsonl --store file:other.db',
        'export - --workspace acme | espalier import - --store file:other.db',
      ],
      makesStore: true,
      stopsItself: true,
      run: workspace,
    }),
  ],
};

async function trello(call: CommandCall<OptionValues<typeof TRELLO>>): Promise<void> {
  const { readTrelloBoard } = await import('../../../adapters/formats/trello/index.ts');
  const { importTrello, dryRunTrello } = await import('../../import/trello.ts');
  const { trelloReport } = await import('../../import/report.ts');
  const text = await call.read(call.args[0]!);
  if (startsOwnExport(text)) {
    throw usage(
      'The file is an exported workspace, not a Trello board.',
      'To import it: espalier import workspace FILE',
    );
  }
  const board = readTrelloBoard(text);
  const options = {
    workspace: call.settings.value('workspace'),
    map: await peopleMap(call),
    includeArchived: call.options.includeArchived === true,
    stop: call.io.stop,
  };
  const isTrial = call.options.dryRun === true;
  const result = isTrial
    ? dryRunTrello(board, options)
    : await importTrello(await importHost(await call.connection(), call.settings), board, options);
  call.out.show(result, (style) => trelloReport(result, isTrial, style, call.out.width));
}

async function workspace(call: CommandCall): Promise<void> {
  const file = call.arg(0);
  if (file === '-') return workspaceFrom(call, call.io.stdin, progressOf(call.io, 'bytes'));
  const pipe = await openPipe(call.io.cwd, file);
  if (pipe !== null) return workspaceFrom(call, pipe, progressOf(call.io, 'bytes'));
  const opened = await openFile(call.io.cwd, file);
  try {
    const { size } = await opened.stat();
    // The size of a device is unknown.
    const progress = size === 0 ? progressOf(call.io, 'bytes') : progressOf(call.io, 'Importing', size);
    await workspaceFrom(call, opened.createReadStream(), progress);
  } finally {
    await opened.close();
  }
}

async function workspaceFrom(
  call: CommandCall,
  input: AsyncIterable<string | Uint8Array>,
  progress: Progress,
): Promise<void> {
  const { recordsFrom } = await import('../../../adapters/formats/jsonl/index.ts');
  const records = recordsFrom(untilStopped(counted(input, progress), call.io));
  const result = await importRecords(call, records).finally(() => progress.end());
  const { workspace: imported, count: of } = result;
  call.out.show(
    result,
    () =>
      safe`Imported workspace ${imported.alias}: ${count(of.page, 'page')}, ${count(of.task, 'task')}, ${count(of.comment, 'comment')}.\n`,
  );
}

async function importRecords(
  call: CommandCall,
  records: AsyncIterableIterator<TransferRecord>,
): Promise<ImportedWorkspace> {
  // The first record is read before there is a store: if the file is no export, none is created.
  const first = await records.next().catch((error: unknown) => {
    throw isAboutHead(error) ? usage(error.detail, 'To import a Trello board: espalier import trello FILE') : error;
  });
  const session = await call.session();
  return session.imports.workspace({ records: begun(first, records) }).catch(async (error: unknown) => {
    // Staged records would block another attempt until the background job has removed them.
    await (await call.connection()).local?.idle();
    throw error;
  });
}

/** Whether the first line of a file is not that of an exported workspace. */
function isAboutHead(error: unknown): error is EspalierError {
  return error instanceof EspalierError && error.code === 'invalid-input' && error.errors[0]?.pointer === '/1';
}

/** All that an iterator yields, of which the first result was read already. */
async function* begun<T>(first: IteratorResult<T, void>, rest: AsyncIterable<T>): AsyncIterableIterator<T> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

async function* counted<T extends string | Uint8Array>(
  parts: AsyncIterable<T>,
  progress: Progress,
): AsyncIterableIterator<T> {
  for await (const part of parts) {
    progress.step(part.length);
    yield part;
  }
}
