import { Help } from 'commander';
import { ENVIRONMENT } from './config/environment.ts';
import { GLOBAL } from './config/global-options.ts';
import { SETTING_NAMES, SETTINGS } from './config/settings.ts';
import { SWITCH_WORDS } from './config/switch.ts';
import { exitCodes } from './io/exit-codes.ts';
import { FIRST_STEPS, NOUNS } from './nouns.ts';
import { commanderOption } from './option.ts';
import { aliasesOf, sentenceOf, type Noun, type Verb } from './verb.ts';
import { version } from './version.ts';

const HELP = new Help();

/** Manual pages by file name, as roff(7): one of the program and one of each of its commands, from the commands themselves. */
export async function manPages(): Promise<ReadonlyMap<string, string>> {
  const entries = NOUNS.filter(({ hidden }) => hidden !== true);
  const nouns = await Promise.all(entries.map((entry) => entry.load()));
  const summaries = entries.map(({ name, summary }) => [name, summary] as const);
  return new Map([
    ['espalier.1', programPage(summaries)],
    ...nouns.map((noun, i) => [`espalier-${noun.name}.1`, nounPage(noun, summaries[i]![1])] as const),
  ]);
}

function programPage(nouns: readonly (readonly [name: string, summary: string])[]): string {
  return page('espalier', 'a headless work-management engine', [
    section('SYNOPSIS', [`.B espalier`, italic('command'), `[${italicInline('options')}]`]),
    section('DESCRIPTION', [text('Workspaces, members, a page tree with inherited access, boards and tasks.')]),
    section(
      'COMMANDS',
      nouns.map(([name, summary]) => item(`espalier-${name}(1)`, summary)),
    ),
    section(
      'OPTIONS',
      GLOBAL.map((option) => item(option.flags, HELP.optionDescription(option))),
    ),
    section('ENVIRONMENT', [
      text(`Precedence: flag, environment, profile, default. ${SWITCH_WORDS}`),
      ...SETTING_NAMES.map((name) => {
        const { env, flag }: { readonly env: string; readonly flag: string | null } = SETTINGS[name];
        return item(env, flag === null ? `setting ${name} (secret)` : `setting ${name} (${flag})`);
      }),
      ...ENVIRONMENT.map(([names, summary]) => item(names, summary)),
    ]),
    section('FILES', [item('~/.config/espalier/config.json', 'profiles, readable only by their owner')]),
    section(
      'EXIT STATUS',
      exitCodes().map(([code, words]) => item(code, words)),
    ),
    section('EXAMPLES', [example(FIRST_STEPS)]),
  ]);
}

function nounPage(noun: Noun, summary: string): string {
  const [only] = noun.verbs;
  const isAlone = noun.verbs.length === 1 && only!.name === '';
  return page(`espalier-${noun.name}`, summary, [
    section(
      'SYNOPSIS',
      noun.verbs.flatMap((verb, i) => [...(i === 0 ? [] : ['.br']), `.B ${synopsis(noun, verb)}`]),
    ),
    section('DESCRIPTION', [text(isAlone ? only!.summary : noun.summary)]),
    ...(isAlone
      ? [section('OPTIONS', verbBody(only!))]
      : [
          section(
            'COMMANDS',
            noun.verbs.flatMap((verb) => [
              `.SS ${escaped(synopsis(noun, verb))}`,
              ...verbText(noun, verb),
              ...verbBody(verb),
            ]),
          ),
        ]),
    section('SEE ALSO', [text('espalier(1), for the global options')]),
  ]);
}

function synopsis(noun: Noun, { name, args = [], options = [] }: Verb): string {
  const words = [
    'espalier',
    noun.name,
    name,
    ...(options.length === 0 ? [] : ['[options]']),
    ...args.map(({ spec }) => spec),
  ];
  return words.filter(Boolean).join(' ');
}

function verbText(noun: Noun, verb: Verb): readonly string[] {
  const also = aliasesOf(verb).map((alias) => `${noun.name} ${alias}`);
  return [text(sentenceOf(verb)), ...(also.length === 0 ? [] : ['.PP', text(`Also: ${also.join(', ')}.`)])];
}

function verbBody({ args = [], options = [], details = [], examples = [] }: Verb): readonly string[] {
  return [
    ...args.map(({ spec, summary }) => item(spec, summary)),
    ...options.map((spec) =>
      item(
        spec.flags,
        `${HELP.optionDescription(commanderOption(spec))}${spec.required === true ? ' (required)' : ''}`,
      ),
    ),
    ...details.flatMap((paragraph) => ['.PP', text(paragraph)]),
    ...(examples.length === 0 ? [] : [example(examples)]),
  ];
}

function page(name: string, summary: string, sections: readonly string[]): string {
  return [
    `.TH ${escaped(name.toUpperCase())} 1 "" "espalier ${version()}" "Espalier"`,
    section('NAME', [text(`${name} - ${summary}`)]),
    ...sections,
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string {
  return [`.SH ${title}`, ...lines].join('\n');
}

function item(term: string, about: string): string {
  return ['.TP', `.B ${escaped(term)}`, text(about)].join('\n');
}

function example(commands: readonly string[]): string {
  return [
    '.PP',
    'Examples:',
    '.PP',
    '.nf',
    '.RS 4',
    ...commands.map((line) => text(`espalier ${line}`)),
    '.RE',
    '.fi',
  ].join('\n');
}

function italic(word: string): string {
  return `.I ${escaped(word)}`;
}

function italicInline(word: string): string {
  return `\\fI${escaped(word)}\\fR`;
}

/** Escapes a line that starts like a roff request. */
function text(words: string): string {
  return escaped(words).replace(/^([.'])/, '\\&$1');
}

function escaped(words: string): string {
  return words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq').replaceAll('`', '\\(ga');
}
