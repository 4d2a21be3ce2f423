import type { Call } from '../call.ts';
import { importHost } from '../import/host.ts';
import { peopleMap } from '../import/people-map.ts';
import { option, type Noun } from '../verb.ts';

export const imports: Noun = {
  name: 'import',
  summary: 'bring boards and workspaces in',
  verbs: [
    {
      name: 'trello',
      summary:
        'Bring a board in from Trello: the JSON of "Print, export, and share". A second import adds what is not there yet.',
      uses: ['imports.board'],
      args: [{ spec: '<file>', summary: 'the export; - reads the standard input' }],
      options: [
        option('--map <people>', 'username=email, or a JSON file of them: who is who (may be repeated)', {
          many: true,
        }),
        option('--include-archived', 'bring archived lists and cards in too'),
        option('--dry-run', 'only tell what would come in'),
      ],
      examples: [
        'import trello board.json --workspace acme',
        'import trello board.json --map people.json --map ada=ada@example.org',
        'import trello board.json --dry-run',
      ],
      run: trello,
    },
  ],
};

async function trello(call: Call): Promise<void> {
  const { readTrelloBoard } = await import('../../adapters/trello/index.ts');
  const { importTrello, tryTrello } = await import('../import/trello.ts');
  const { trelloReport } = await import('../import/report.ts');
  const board = readTrelloBoard(await call.read(call.args[0]!));
  const options = {
    workspace: call.settings.value('workspace'),
    map: await peopleMap(call),
    includeArchived: call.flag('includeArchived'),
  };
  const isTrial = call.flag('dryRun');
  const result = isTrial
    ? tryTrello(board, options)
    : await importTrello(await importHost(await call.connection(), call.settings), board, options);
  call.out.show(result, (style) => trelloReport(result, isTrial, style, call.out.width));
}
