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
    settingOption('store', '<url>', 'open a store directly: file:PATH, memory: or mongodb://...'),
    settingOption('url', '<url>', 'use a running service, with the token in ESPALIER_TOKEN'),
    settingOption('as', '<email>', 'act as this user of the store, or as operator (the default)'),
    settingOption('workspace', '<workspace>', 'alias, name or id of the workspace', { short: '-w' }),
  ].map(commanderOption),
  new Option('--profile <profile>', 'use settings from this profile').env('ESPALIER_PROFILE'),
  new Option('--json', 'print JSON as the API returns it, with names for ids in `expanded`'),
  new Option('--jsonl', 'print JSON Lines, one record per line'),
  new Option('--fields <names>', 'print only these fields, comma-separated').argParser((value: string) =>
    value.split(',').map((name) => name.trim()),
  ),
  new Option('--wide', 'print all table columns, with ids'),
  new Option('--jq <query>', 'filter the JSON with a jq query; with --jsonl, each record'),
  new Option('--template <text>', "print each record with a Liquid template: '{{ num }} {{ title }}'"),
  noColor(),
  new Option('--no-pager', 'disable the pager (ESPALIER_PAGER, PAGER)'),
];

/** Named `colours`, as `tag` has an option `--color`. */
function noColor(): Option {
  const option = new Option('--no-color', 'disable colours (NO_COLOR)');
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
