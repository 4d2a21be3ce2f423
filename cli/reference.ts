import { Help } from 'commander';
import { EXIT, EXIT_OF, exitCodes } from './io/exit-codes.ts';
import { NOUNS } from './nouns.ts';
import { pad, textWidth } from './output/table/width.ts';
import { ENVIRONMENT } from './config/environment.ts';
import { GLOBAL } from './config/global-options.ts';
import { SETTING_NAMES, SETTINGS } from './config/settings.ts';
import { SWITCH_WORDS } from './config/switch.ts';
import { commanderOption } from './option.ts';
import { aliasesOf, sentenceOf, type Noun, type Verb } from './verb.ts';

const HELP = new Help();

/** The whole command line as a Markdown page, from the commands themselves. */
export async function commandReference(): Promise<string> {
  const nouns = await Promise.all(NOUNS.filter(({ hidden }) => hidden !== true).map((entry) => entry.load()));
  const parts = [
    '# The command line',
    'Generated from the program; `espalier help` shows the same.',
    '## Global options',
    table(
      ['Option', ''],
      GLOBAL.map((option) => [`\`${option.flags}\``, HELP.optionDescription(option)]),
    ),
    '## Settings',
    `Precedence: flag, environment, profile (\`espalier config\`), default. \`as\`, \`workspace\` and \`token\` of a profile do not apply where a flag or the environment names a store or service, even that of the profile. ${SWITCH_WORDS}`,
    table(
      ['Setting', 'Flag', 'Environment', 'Default'],
      SETTING_NAMES.map((name) => {
        const setting: { flag: string | null; env: string; default?: string } = SETTINGS[name];
        const flag = setting.flag === null ? 'none (secret)' : `\`${setting.flag}\``;
        return [
          `\`${name}\``,
          flag,
          `\`${setting.env}\``,
          setting.default === undefined ? '' : `\`${setting.default}\``,
        ];
      }),
    ),
    '## Environment',
    'In addition to the settings above. Profiles and their tokens are in `~/.config/espalier/config.json`, readable only by their owner.',
    table(
      ['Variable', ''],
      ENVIRONMENT.map(([names, summary]) => [
        names
          .split(', ')
          .map((name) => `\`${name}\``)
          .join(', '),
        summary,
      ]),
    ),
    '## Exit codes',
    table(['Code', ''], exitCodes()),
    '## Error codes',
    'The codes of the engine, as in messages and reports of `--from`, and the exit code for each; [http.md](http.md#errors) explains them. A 429 from a service is reported as `store-busy`; any other code that only a service has exits with 1.',
    table(
      ['Code', 'Exit'],
      Object.entries(EXIT_OF).map(([code, exit]) => [`\`${code}\``, String(EXIT[exit])]),
    ),
    ...nouns.flatMap(nounParts),
  ];
  return `${parts.join('\n\n')}\n`;
}

function nounParts(noun: Noun): string[] {
  const isAlone = noun.verbs.length === 1 && noun.verbs[0]!.name === '';
  return [
    `## ${noun.name}`,
    ...(isAlone ? [] : [noun.summary]),
    ...noun.verbs.flatMap((verb) => verbParts(noun, verb)),
  ];
}

function verbParts(noun: Noun, verb: Verb): string[] {
  const name = [noun.name, verb.name].filter(Boolean).join(' ');
  const usage = ['espalier', name, ...(verb.args ?? []).map(({ spec }) => spec)].join(' ');
  const rows = [
    ...(verb.args ?? []).map(({ spec, summary }) => [`\`${spec}\``, summary]),
    ...(verb.options ?? []).map((spec) => [
      `\`${spec.flags}\``,
      `${HELP.optionDescription(commanderOption(spec))}${spec.required === true ? ' (required)' : ''}`,
    ]),
  ];
  const aliases = aliasesOf(verb);
  return [
    `### \`${usage}\``,
    sentenceOf(verb),
    ...(aliases.length === 0 ? [] : [`Also: ${aliases.map((alias) => `\`${noun.name} ${alias}\``).join(', ')}.`]),
    ...(rows.length === 0 ? [] : [table(['', ''], rows)]),
    ...(verb.details ?? []),
    ...(verb.examples === undefined
      ? []
      : [['```sh', ...verb.examples.map((line) => `espalier ${line}`), '```'].join('\n')]),
  ];
}

/** Pads columns to their widest cell, as formatters do. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, i) => Math.max(3, ...cells.map((row) => textWidth(row[i]!))));
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => pad(cell, widths[i]!)).join(' | ')} |`;
  const [title, ...body] = cells;
  return [line(title!), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
