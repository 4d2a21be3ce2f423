import { Option } from 'commander';
import { commanderOption, settingOption } from '../option.ts';

/** The values of global options that are not settings. */
export interface GlobalOptions {
  readonly json?: true;
  readonly jsonl?: true;
  readonly wide?: true;
  readonly fields?: readonly string[];
  readonly jq?: string;
  readonly template?: string;
  readonly colours: boolean;
  readonly pager?: false;
}

/** Options that every command takes, before or after its name. */
export const GLOBAL: readonly Option[] = [
  ...[
    settingOption('store', '<url>', 'work on a store in process: file:PATH, memory: or mongodb://...'),
    settingOption('url', '<url>', 'work on a running service, with the token in ESPALIER_TOKEN'),
    settingOption('as', '<email>', 'act as this user of the store; operator, the default: as its holder'),
    settingOption('workspace', '<workspace>', 'alias, name or id of the workspace', { short: '-w' }),
  ].map(commanderOption),
  new Option('--profile <name>', 'take settings from this profile').env('ESPALIER_PROFILE'),
  new Option('--json', 'print JSON as the API has it, with the names of what ids stand for in `expanded`'),
  new Option('--jsonl', 'print JSON Lines: one record a line'),
  new Option('--fields <names>', 'print only these fields, joined by commas').argParser((value: string) =>
    value.split(',').map((name) => name.trim()),
  ),
  new Option('--wide', 'print all columns of tables, ids too'),
  new Option('--jq <query>', 'print what a query of jq makes of the JSON; with --jsonl, of each record'),
  new Option('--template <text>', "print each record by a template in Liquid: '{{ num }} {{ title }}'"),
  noColor(),
  new Option('--no-pager', 'print long lists as they are (ESPALIER_PAGER, PAGER)'),
];

/** Named `colours`, as `tag` has an option `--color`. */
function noColor(): Option {
  const option = new Option('--no-color', 'print without colours (NO_COLOR)');
  option.attributeName = () => 'colours';
  return option;
}

/** The first word that is neither an option nor the value of one. */
export function nounIn(args: readonly string[]): string | undefined {
  return wordsIn(args).find((word) => word !== 'help');
}

/**
 * Words that are neither global options nor their values. Options of a command, and so their values, are not known
 * here.
 */
export function wordsIn(args: readonly string[]): readonly string[] {
  const takesValue = new Set(GLOBAL.filter((one) => one.required).flatMap((one) => [one.short, one.long]));
  const words: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!;
    if (takesValue.has(word)) i++;
    else if (!word.startsWith('-')) words.push(word);
  }
  return words;
}
