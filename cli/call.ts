import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Session } from '../core/session.ts';
import type { UseCaseName } from '../core/use-cases.ts';
import { openSession, type OpenedSession, type StoreUse } from './config/connection.ts';
import { Failure, missing, usage } from './io/failure.ts';
import { isInteractive, readAll, stopped, type Io } from './io/io.ts';
import { openPipe, unreadable } from './io/open-file.ts';
import type { Output } from './output/output.ts';
import { withOptionNames } from './io/with-option-names.ts';
import { openWorkspace, type WorkspaceLookup } from './refs/workspace-lookup.ts';
import type { Settings } from './config/settings.ts';
import type { Syntax } from './option.ts';

/** The parts of a command that a call needs. */
type CallingVerb = StoreUse & Syntax & { readonly uses?: readonly UseCaseName[] };

/**
 * One run of a command: its arguments and options, and what it works with.
 *
 * @typeParam Options the values of the options that the command declares, by name
 */
export class CommandCall<out Options extends object = object> {
  readonly io: Io;
  readonly settings: Settings;
  readonly out: Output;
  readonly args: readonly string[];
  readonly options: Options;
  readonly #verb: CallingVerb;
  #connection: Promise<OpenedSession> | undefined;

  /** @param verb the command that runs */
  constructor(io: Io, settings: Settings, out: Output, args: readonly string[], options: Options, verb: CallingVerb) {
    this.io = io;
    this.settings = settings;
    this.out = out;
    this.args = args;
    this.options = options;
    this.#verb = verb;
  }

  /** An error of the engine with its fields named as on the command line. */
  named(error: unknown): unknown {
    return withOptionNames(error, this.#verb);
  }

  connection(): Promise<OpenedSession> {
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  async #connect(): Promise<OpenedSession> {
    const connection = await openSession(this.settings, this.io.cwd, this.#verb);
    if (connection.made !== null) this.out.note(`Created a new store: ${connection.made}`);
    return connection;
  }

  async session(): Promise<Session> {
    const { session } = await this.connection();
    const { uses = [] } = this.#verb;
    if (!this.out.takesNames || uses.length === 0) return session;
    const { withNames } = await import('./output/record/names.ts');
    // Commands that read a file report by line, not by record.
    const isBulk = 'from' in this.options && this.options.from !== undefined;
    return isBulk ? session : withNames(session, uses);
  }

  /** The workspace that the command works in. @throws when the program is asked to stop before the service answers */
  async workspace(): Promise<WorkspaceLookup> {
    const opened = openWorkspace(await this.session(), this.settings.value('workspace'));
    return Promise.race([opened, stopped(this.io)]);
  }

  /**
   * The workspace of a command that follows changes; undefined if the program is asked to stop, which is no failure
   * there.
   */
  async workspaceUnlessStopped(): Promise<WorkspaceLookup | undefined> {
    return this.workspace().catch((error: unknown) => {
      if (this.io.stop.aborted) return undefined;
      throw error;
    });
  }

  /** A positional argument that the command requires. */
  arg(index: number): string {
    return this.args[index]!;
  }

  /** Closes what the command opened. */
  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  /** A text that may be long: `-` reads it from the standard input, `@FILE` from a file. */
  async longText(word: string): Promise<string>;
  async longText(word: string | undefined): Promise<string | undefined>;
  async longText(word: string | undefined): Promise<string | undefined> {
    if (word === undefined || word === '-') return word && this.read('-');
    if (!word.startsWith('@') || word.length === 1) return word;
    return this.read(word.slice(1)).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.exit !== 'notFound') throw error;
      const hint = '@FILE reads a file; for a text that begins with @, use - and standard input.';
      throw missing(error.message, ...error.hints, hint);
    });
  }

  /** The text of a file; `-` is the standard input. */
  async read(file: string): Promise<string> {
    if (file === '-') {
      if (isInteractive(this.io)) this.out.note('Reading standard input; press Ctrl-D to finish.');
      return Promise.race([textOf(this.io.stdin, 'The standard input'), stopped(this.io)]);
    }
    const pipe = await openPipe(this.io.cwd, file);
    if (pipe !== null) return Promise.race([textOf(pipe, file), stopped(this.io)]);
    const bytes = await readFile(resolve(this.io.cwd, file)).catch((error: unknown) => {
      throw unreadable(file, error);
    });
    return textOf([bytes], file);
  }
}

function textOf(parts: Parameters<typeof readAll>[0], name: string): Promise<string> {
  return readAll(parts).catch(() => {
    throw usage(`${name} is not UTF-8 text.`);
  });
}

/**
 * The number that an option gives.
 *
 * @param name name of the option, for the error
 * @throws a usage failure for anything but a whole number
 */
export function wholeNumber(name: string, value: string): number;
export function wholeNumber(name: string, value: string | undefined): number | undefined;
export function wholeNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[+-]?\d+$/.test(value) || !Number.isSafeInteger(Number(value))) {
    throw usage(`--${kebab(name)} takes a whole number, not ${JSON.stringify(value)}.`);
  }
  return Number(value);
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
