import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { EspalierError } from '../core/kernel/errors.ts';
import { CommandCall } from './call.ts';
import type { GlobalOptions } from './config/global-options.ts';
import { loadSettings, type Settings } from './config/settings.ts';
import { Failure, NAMES_NOTHING } from './io/failure.ts';
import { stopped, type Io } from './io/io.ts';
import type { PagedScreens } from './io/pager.ts';
import { formattingOf } from './output/format/formatting.ts';
import { expectFields } from './output/format/expect-fields.ts';
import { Output, type Format } from './output/output.ts';
import { styleFor } from './output/table/style.ts';
import type { Verb } from './verb.ts';

/** How long a command that is asked to stop may take to close its store, in milliseconds. */
const ENDS_WITHIN = 1_000;

/** Runs a verb with the parsed options of a command line. @throws the error with which it fails */
export async function execute(verb: Verb, command: Command, io: Io): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const settings = await loadSettings(givenIn(command), io.env);
  const style = await styleFor(io.stdout, io.env, !options.colours);
  const format = {
    json: options.json === true,
    jsonLines: options.jsonl === true,
    wide: options.wide === true,
    ...(await fieldsFor(verb, options.fields)),
    formatting: await formattingOf(options, () => knownFieldsOf(verb)),
  };
  const isPaged = PAGED.includes(verb.name) || verb.pages === true;
  const paged = isPaged && !isEndless(options) ? await pagedFor(io, options) : undefined;
  const out = new Output(paged === undefined ? io : { ...io, ...paged }, format, style);
  const call = new CommandCall(io, settings, out, command.args, options, verb);
  const running = runAndClose(verb, call);
  // Every write is atomic, so there is nothing to undo.
  const stopsItself = typeof verb.stopsItself === 'function' ? verb.stopsItself(call) : verb.stopsItself === true;
  try {
    await (stopsItself ? running : Promise.race([running, stopped(io)]));
  } catch (error) {
    // Exiting while a write begins has the effect of a kill.
    if (io.stop.aborted && (await isUnderWay(running)) && (await writes(verb))) throw unknownOutcome();
    throw error;
  } finally {
    await paged?.show();
  }
}

/** Whether a command that was asked to stop has not ended in time. */
async function isUnderWay(running: Promise<void>): Promise<boolean> {
  const ended = running.then(
    () => false,
    () => false,
  );
  return Promise.race([ended, setTimeout(ENDS_WITHIN, true)]);
}

async function writes({ uses = [] }: Verb): Promise<boolean> {
  const { ROUTES } = await import('../adapters/client/routes.ts');
  return ROUTES.some(({ useCase, method }) => method !== 'GET' && (uses as readonly string[]).includes(useCase));
}

function unknownOutcome(): Failure {
  return new Failure('interrupted', 'Interrupted. It is not known whether the change was made.');
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
  const known = await knownFieldsOf(verb);
  if (known.length > 0) expectFields(fields, known);
  return { fields, areFieldsKnown: known.length > 0 };
}

/** The fields of the records that a verb prints, if they are known. */
async function knownFieldsOf({ uses = [], moreFields = [] }: Verb): Promise<readonly string[]> {
  const { fieldsOfUseCases } = await import('./output/format/known-fields.ts');
  return [...fieldsOfUseCases(uses), ...moreFields];
}

async function runAndClose(verb: Verb, call: CommandCall): Promise<void> {
  try {
    await verb.run(call);
  } catch (error) {
    throw withServiceHints(call.named(error), call.settings);
  } finally {
    await call.close();
  }
}

/** Hints for a service that rejects the token, or has nothing at an address. */
function withServiceHints(error: unknown, settings: Settings): unknown {
  if (!(error instanceof EspalierError) || (error.code !== 'unauthenticated' && error.code !== 'not-found'))
    return error;
  const [target, token] = [settings.target(), settings.get('token')];
  if (target.kind !== 'service' || token === undefined) return error;
  if (error.code === 'not-found') {
    const hint = `The service at ${target.url} may also be older than this program, and lack this command.`;
    return new Failure('notFound', `${error.detail} (${error.code})`, [NAMES_NOTHING, hint], { cause: error });
  }
  return new Failure(
    'denied',
    `${target.url} refuses the token from ${token.from}: it is unknown, expired or revoked. (${error.code})`,
    [
      token.source === 'environment'
        ? `Set another token there, or unset ${token.from} and sign in: espalier login ${target.url}`
        : `Sign in again: espalier login ${target.url}`,
    ],
    { cause: error },
  );
}
