import { setTimeout } from 'node:timers/promises';
import { Command, CommanderError, type Option } from 'commander';
import { Call } from './call.ts';
import { EXIT } from './io/exit-codes.ts';
import { EspalierError } from '../core/kernel/errors.ts';
import { withOptionNames } from './io/with-option-names.ts';
import { Failure, failureOf } from './io/failure.ts';
import { isInteractive, safeIo, stopped, type Io, type ProcessIo } from './io/io.ts';
import { OutputEnded } from './io/output-ended.ts';
import type { PagedScreens } from './io/pager.ts';
import { lines, oneLine, safe } from './io/safe-text.ts';
import { mistakeIn } from './io/mistake.ts';
import { GLOBAL, nounIn, wordsIn, type GlobalOptions } from './config/global-options.ts';
import { NOUNS } from './nouns.ts';
import { expectFields, Output, type Format } from './output/output.ts';
import { formattingOf } from './output/format/formatting.ts';
import { styleFor } from './output/table/style.ts';
import { loadSettings, type Settings } from './config/settings.ts';
import { attributeName, commanderOption } from './option.ts';
import { aliasesOf, namesOf, type ArgSpec, type Noun, type NounEntry, type Verb } from './verb.ts';
import { version } from './version.ts';

/** The time in which a command that is asked to stop closes its store, in milliseconds. */
const ENDS_WITHIN = 1_000;

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

/** Without the wish for help where it is about a command that is not there: the parser would show that of what is above. */
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

/** The word behind the noun. Further on a word may be the value of an option that is not known here. */
function verbAfter(args: readonly string[], noun: string): string | undefined {
  return args[args.indexOf(noun) + 1];
}

/**
 * `--title=-Very` for `--title -Very`: in the second, the program would take `-Very` for options of its own before the
 * command knows that it is a value. What is an option as it stands stays apart: more likely a value is missing there.
 */
function withValuesJoined(args: readonly string[], program: Command): string[] {
  const options = optionsOf(program);
  const flagsOf = (some: readonly Option[]) => new Set(some.flatMap(({ short, long }) => [short, long]));
  const known = flagsOf(options);
  const takesValue = flagsOf(options.filter(({ required }) => required));
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const joined: string[] = [];
  for (let i = 0; i < end; i++) {
    const word = args[i]!;
    const value = takesValue.has(word) && i + 1 < end ? args[++i]! : undefined;
    if (value === undefined) joined.push(word);
    else if (!value.startsWith('-') || known.has(value)) joined.push(word, value);
    else joined.push(word.startsWith('--') ? `${word}=${value}` : `${word}${value}`);
  }
  return [...joined, ...args.slice(end)];
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
      '\nExamples:\n  $ espalier init --name Ada --email ada@example.org\n  $ espalier board create --name Dev\n  $ espalier task list --board Dev --assignee me' +
        '\n\nSettings come from a flag, then the environment, then a profile (espalier config), then the default.' +
        '\nExit codes: 0 ok, 1 failed, 2 usage, 3 not found, 4 denied, 5 conflict, 130 interrupted.',
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

function stub(entry: NounEntry, io: Io): Command {
  return configured(new Command(entry.name), io).description(entry.summary);
}

function commandOf(noun: Noun, named: string | undefined, io: Io): Command {
  const [only] = noun.verbs;
  if (noun.verbs.length === 1 && only!.name === '') return verbCommand(noun, only!, io);
  const command = configured(new Command(noun.name), io).description(noun.summary);
  for (const verb of verbsFor(noun, named)) {
    command.addCommand(verbCommand(noun, verb, io), { isDefault: verb.isDefault ?? false });
  }
  return command;
}

/** The verb of that name and the one that runs if none is named; all where none has it. */
function verbsFor({ verbs }: Noun, named: string | undefined): readonly Verb[] {
  const isNamed = (verb: Verb): boolean => namesOf(verb).some((name) => name === named);
  return verbs.some(isNamed) ? verbs.filter((verb) => isNamed(verb) || verb.isDefault === true) : verbs;
}

/** Several things may stand in front of the last argument, which the parser takes for the last of them. */
function addArguments(command: Command, args: readonly ArgSpec[]): void {
  const isSpread = args.slice(0, -1).some(({ spec }) => spec.includes('...'));
  for (const [i, { spec, summary }] of args.entries()) {
    const parsed = i === args.length - 1 ? spec.replace('>', '...>') : spec.replace('...', '');
    command.argument(isSpread ? parsed : spec, summary);
  }
  if (isSpread) command.usage(['[options]', ...args.map(({ spec }) => spec)].join(' '));
}

/** `--title`, say, of a verb that takes no words without a flag. */
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
    command.addHelpText('after', `\nExamples:\n${verb.examples.map((line) => `  $ espalier ${line}\n`).join('')}`);
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

async function execute(verb: Verb, command: Command, io: Io): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const settings = await loadSettings(givenIn(command), io.env);
  const style = await styleFor(io.stdout, io.env, !options.colours);
  const format = {
    json: options.json === true,
    jsonLines: options.jsonl === true,
    wide: options.wide === true,
    ...(await fieldsFor(verb, options.fields)),
    formatting: await formattingOf(options),
  };
  const isPaged = PAGED.includes(verb.name) || verb.pages === true;
  const paged = isPaged && !isEndless(options) ? await pagedFor(io, options) : undefined;
  const out = new Output(paged === undefined ? io : { ...io, ...paged }, format, style);
  const call = new Call(io, settings, out, command.args, options, verb);
  const running = runAndClose(verb, call);
  // Every write is atomic, so there is nothing to undo.
  const stopsItself = typeof verb.stopsItself === 'function' ? verb.stopsItself(call) : verb.stopsItself === true;
  try {
    await (stopsItself ? running : Promise.race([running, stopped(io)]));
  } catch (error) {
    // An exit while a write begins is a kill.
    if (io.stop.aborted) await Promise.race([running, setTimeout(ENDS_WITHIN)]).catch(() => {});
    throw error;
  } finally {
    await paged?.show();
  }
}

/** Whether the output has no end. */
function isEndless(options: GlobalOptions & { readonly watch?: true }): boolean {
  return options.watch === true;
}

const PAGED: readonly string[] = ['list', 'show', 'tree'];

async function pagedFor(io: Io, { pager }: GlobalOptions): Promise<PagedScreens | undefined> {
  if (!io.stdout.isTTY || pager === false) return undefined;
  const { pagedScreens } = await import('./io/pager.ts');
  return pagedScreens(io);
}

/**
 * The options from the command line only: commander would read the environment of the process, settings read that of
 * the call.
 */
function givenIn(command: Command): Readonly<Record<string, unknown>> {
  const options = Object.entries(command.optsWithGlobals());
  return Object.fromEntries(options.filter(([name]) => command.getOptionValueSourceWithGlobals(name) === 'cli'));
}

/** Checks `--fields` before the command runs, if its output fields are known. @throws a usage failure */
async function fieldsFor(
  verb: Verb,
  fields: readonly string[] | undefined,
): Promise<Pick<Format, 'fields' | 'areFieldsKnown'>> {
  if (fields === undefined) return { fields, areFieldsKnown: false };
  const { fieldsOfUseCases } = await import('./output/format/known-fields.ts');
  const known = [...fieldsOfUseCases(verb.uses ?? []), ...(verb.moreFields ?? [])];
  if (known.length > 0) expectFields(fields, known);
  return { fields, areFieldsKnown: known.length > 0 };
}

async function runAndClose(verb: Verb, call: Call): Promise<void> {
  try {
    await verb.run(call);
  } catch (error) {
    throw refusedToken(withOptionNames(error, verb), call.settings);
  } finally {
    await call.close();
  }
}

/** Hints for a service that rejects the token. */
function refusedToken(error: unknown, settings: Settings): unknown {
  if (!(error instanceof EspalierError) || error.code !== 'unauthenticated') return error;
  const [target, token] = [settings.target(), settings.get('token')];
  if (target.kind !== 'service' || token === undefined) return error;
  return new Failure(
    'denied',
    `${target.url} refuses the token of ${token.from}: it is unknown there, has expired or was revoked. (${error.code})`,
    [`Sign in with another: espalier login ${target.url}`],
    { cause: error },
  );
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
