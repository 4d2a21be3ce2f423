import { Command, CommanderError, Help, type Option } from 'commander';
import { execute } from './execute.ts';
import { EXIT } from './io/exit-codes.ts';
import { failureOf } from './io/failure.ts';
import { isInteractive, safeIo, type Io, type ProcessIo } from './io/io.ts';
import { OutputEnded } from './io/output-ended.ts';
import { lines, oneLine, safe } from './io/safe-text.ts';
import { mistakeIn } from './io/mistake.ts';
import { GLOBAL, nounIn, wordsIn } from './config/global-options.ts';
import { FIRST_STEPS, NOUNS } from './nouns.ts';
import { type ArgSpec, attributeName, commanderOption } from './option.ts';
import { aliasesOf, namesOf, type Noun, type NounEntry, type Verb } from './verb.ts';
import { version } from './version.ts';

/**
 * Runs one command line.
 *
 * @param args without the program's own name
 * @returns the exit code
 */
export async function run(args: readonly string[], processIo: ProcessIo): Promise<number> {
  const io = safeIo(processIo);
  const words = askingForHelp(args);
  let code: number = EXIT.ok;
  try {
    const program = await programFor(words, io);
    await program.parseAsync(withValuesJoined(await ofKnownCommand(words), program), { from: 'user' });
  } catch (error) {
    if (!(io.stop.reason instanceof OutputEnded)) code = report(error, io);
  }
  await io.stdout.flushed();
  return code;
}

/** `help task list` is `task list --help`. */
function askingForHelp(args: readonly string[]): readonly string[] {
  return wordsIn(args)[0] === 'help' ? [...args.filter((word) => word !== 'help'), '--help'] : args;
}

/** Leaves out `--help` for an unknown command: the parser would show the help of the command above it. */
async function ofKnownCommand(args: readonly string[]): Promise<readonly string[]> {
  return (await isKnown(args)) ? args : args.filter((word) => word !== '--help' && word !== '-h');
}

async function isKnown(args: readonly string[]): Promise<boolean> {
  const noun = nounIn(args);
  if (noun === undefined) return true;
  const named = verbAfter(args, noun);
  const entry = NOUNS.find(({ name }) => name === noun);
  if (entry === undefined || named === undefined || named.startsWith('-')) return entry !== undefined;
  const { verbs } = await entry.load();
  return verbs.some((verb) => verb.name === '' || verb.isDefault === true || namesOf(verb).includes(named));
}

/** The word after the noun. A later word may be the value of an option that is not known here. */
function verbAfter(args: readonly string[], noun: string): string | undefined {
  return args[args.indexOf(noun) + 1];
}

/**
 * `--title=-Very` for `--title -Very`: in the second, the program would take `-Very` for options of its own before the
 * command knows that it is a value. A known option is not joined: more likely, the value before it is missing.
 */
function withValuesJoined(args: readonly string[], program: Command): string[] {
  const options = optionsOf(program);
  const flagsOf = (some: readonly Option[]) => new Set(some.flatMap(({ short, long }) => [short, long]));
  const known = flagsOf(options);
  const takesValue = flagsOf(options.filter(({ required }) => required));
  const joined: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!;
    if (word === '--') return [...joined, ...args.slice(i)];
    const value = takesValue.has(word) && i + 1 < args.length ? args[++i]! : undefined;
    if (value === undefined) joined.push(word);
    else if (!value.startsWith('-') || known.has(value)) joined.push(word, value);
    else joined.push(word.startsWith('--') ? `${word}=${value}` : `${word}${value}`);
  }
  return joined;
}

function optionsOf(command: Command): readonly Option[] {
  return [...command.options, ...command.commands.flatMap(optionsOf)];
}

/** The program with the command in use, with those of its noun if none is named, or with all. */
export async function programFor(args: readonly string[] | 'all', io: Io): Promise<Command> {
  const program = configured(new Command('espalier'), io)
    .description('Workspaces, members, a page tree with inherited access, boards and tasks.')
    .version(version(), '--version', 'print the version')
    .helpCommand('help [command...]', 'show help for a command')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      `${examples(FIRST_STEPS)}\nSettings come from a flag, then the environment, then a profile (espalier config), then the default.` +
        '\nExit codes: 0 ok, 1 failed, 2 usage, 3 not found, 4 denied, 5 conflict; 129, 130 and 143 interrupted by a signal.',
    );
  for (const option of GLOBAL) program.addOption(option);
  const given = args === 'all' ? [] : args;
  const used = nounIn(given);
  const named = used === undefined ? undefined : verbAfter(given, used);
  for (const entry of NOUNS) {
    const loads = args === 'all' || entry.name === used;
    const command = loads ? commandOf(await entry.load(), named, io) : stub(entry, io);
    program.addCommand(command, { hidden: entry.hidden ?? false });
  }
  return program;
}

/** @param forText the option that a word without a flag is likely meant for */
function configured(command: Command, io: Io, forText?: string): Command {
  return command
    .exitOverride()
    .showHelpAfterError(false)
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
      outputError: (text) => io.stderr.write(lines(mistakeIn(text, command, forText))),
    });
}

function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ espalier ${line}\n`).join('')}`;
}

function stub(entry: NounEntry, io: Io): Command {
  return configured(new Command(entry.name), io).description(entry.summary);
}

function commandOf(noun: Noun, named: string | undefined, io: Io): Command {
  const [only] = noun.verbs;
  if (noun.verbs.length === 1 && only!.name === '') return verbCommand(noun, only!, io);
  const command = configured(new Command(noun.name), io).description(noun.summary);
  const spread = noun.verbs.filter(({ args = [] }) => isSpread(args)).map(({ name }) => name);
  const help = new Help();
  command.configureHelp({
    subcommandTerm: (verb) =>
      spread.includes(verb.name()) ? `${verb.name()} ${verb.usage()}` : help.subcommandTerm(verb),
  });
  for (const verb of verbsFor(noun, named)) {
    command.addCommand(verbCommand(noun, verb, io), { isDefault: verb.isDefault ?? false });
  }
  return command;
}

/** The verb of that name and the default verb; all verbs if none has the name. */
function verbsFor({ verbs }: Noun, named: string | undefined): readonly Verb[] {
  const isNamed = (verb: Verb): boolean => namesOf(verb).some((name) => name === named);
  return verbs.some(isNamed) ? verbs.filter((verb) => isNamed(verb) || verb.isDefault === true) : verbs;
}

/** Whether an argument with several values precedes the last. */
function isSpread(args: readonly ArgSpec[]): boolean {
  return args.slice(0, -1).some(({ spec }) => spec.includes('...'));
}

/** Declares the arguments of a command. If they are spread, the parser takes all their words as values of the last. */
function addArguments(command: Command, args: readonly ArgSpec[]): void {
  const areSpread = isSpread(args);
  for (const [i, { spec, summary }] of args.entries()) {
    const parsed = i === args.length - 1 ? spec.replace('>', '...>') : spec.replace('...', '');
    command.argument(areSpread ? parsed : spec, summary);
  }
  if (areSpread) command.usage(['[options]', ...args.map(({ spec }) => spec)].join(' '));
}

/** The option for text of a verb that takes no arguments, such as `--title`. */
function textOption({ args = [], options = [] }: Verb): string | undefined {
  if (args.length > 0) return undefined;
  return options.flatMap(({ flags }) => /--(?:title|name)\b/.exec(flags) ?? [])[0];
}

function verbCommand(noun: Noun, verb: Verb, io: Io): Command {
  const command = configured(new Command(verb.name || noun.name), io, textOption(verb))
    .description(verb.summary)
    .configureHelp({ showGlobalOptions: true });
  command.aliases([...aliasesOf(verb)]);
  addArguments(command, verb.args ?? []);
  for (const spec of verb.options ?? []) {
    const option = commanderOption(spec);
    // A user at a terminal is asked for it.
    if (isInteractive(io)) option.makeOptionMandatory(false);
    command.addOption(option);
  }
  for (const paragraph of verb.details ?? []) {
    command.addHelpText('after', `\n${command.createHelp().boxWrap(paragraph, io.stdout.columns ?? 80)}`);
  }
  if (verb.examples !== undefined) {
    command.addHelpText('after', examples(verb.examples));
  }
  return command.action(async () => {
    if (isInteractive(io)) await askForMissing(verb, command, io);
    await execute(verb, command, io);
  });
}

/** Asks for required options that were not given. @throws a usage failure for no answer */
async function askForMissing({ options = [] }: Verb, command: Command, io: Io): Promise<void> {
  for (const spec of options) {
    const name = attributeName(spec.flags);
    if (spec.required !== true || command.getOptionValue(name) !== undefined) continue;
    const { askFor } = await import('./io/ask.ts');
    command.setOptionValueWithSource(name, await askFor(io, spec), 'cli');
  }
}

/** The only place that handles errors. */
function report(error: unknown, io: Io): number {
  // Commander has printed what is wrong.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { message, hints, exit } = failureOf(error, io.env);
  io.stderr.write(safe`espalier: ${oneLine(message)}\n`);
  for (const hint of hints) io.stderr.write(safe`  ${oneLine(hint)}\n`);
  return EXIT[exit];
}
