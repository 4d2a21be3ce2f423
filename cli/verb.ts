import type { UseCaseName } from '../core/use-cases.ts';
import type { CommandCall } from './call.ts';
import type { ArgSpec, OptionValues, OptionSpec } from './option.ts';

interface VerbOf<Options extends readonly OptionSpec[], Values extends object> {
  readonly name: string;
  readonly summary: string;
  /** The use cases that it calls. */
  readonly uses?: readonly UseCaseName[];
  readonly args?: readonly ArgSpec[];
  readonly options?: Options;
  /** Examples, without the program's name. */
  readonly examples?: readonly string[];
  /** Paragraphs for its help, after the options. */
  readonly details?: readonly string[];
  /** Aliases, besides those that every verb of its name has. */
  readonly aliases?: readonly string[];
  /** The verb that runs if none is named. */
  readonly isDefault?: true;
  /** Output fields besides those of the records of its use cases. */
  readonly moreFields?: readonly string[];
  /** Its output goes through a pager on a terminal, like the output of `list`, `show` and `tree`. */
  readonly pages?: true;
  /** Creates a missing store; every other command fails without one. */
  readonly makesStore?: true;
  /** Runs as the operator, whichever user the settings name. */
  readonly asOperator?: true;
  /** Handles interruption itself. */
  readonly stopsItself?: true | ((call: CommandCall<Values>) => boolean);
  readonly run: (call: CommandCall<Values>) => Promise<void>;
}

/** A command: it parses, calls the engine and prints. */
export type Verb = VerbOf<readonly OptionSpec[], object>;

/** A command whose `call.options` is typed by its declared options. */
export function verb<const Options extends readonly OptionSpec[] = readonly []>(
  declared: VerbOf<Options, OptionValues<Options>>,
): Verb {
  // Its options are parsed by its own declarations.
  return declared as unknown as Verb;
}

/** Aliases of verbs, for every noun. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  show: ['view'],
  create: ['new', 'add'],
  edit: ['update'],
  delete: ['rm'],
  remove: ['rm'],
};

/** The aliases of a verb. */
export function aliasesOf({ name, aliases = [] }: Pick<Verb, 'name' | 'aliases'>): readonly string[] {
  return [...(Object.hasOwn(ALIASES, name) ? ALIASES[name]! : []), ...aliases];
}

/** The summary of a verb as a sentence. */
export function sentenceOf({ summary }: Pick<Verb, 'summary'>): string {
  return `${summary[0]!.toUpperCase()}${summary.slice(1)}${summary.endsWith('.') ? '' : '.'}`;
}

/** All names of a verb. */
export function namesOf(verb: Pick<Verb, 'name' | 'aliases'>): readonly string[] {
  return [verb.name, ...aliasesOf(verb)];
}

export interface Noun {
  readonly name: string;
  /** A sentence. */
  readonly summary: string;
  /** A noun that is itself a command has one verb with an empty name. */
  readonly verbs: readonly Verb[];
}

/** A noun in the top-level help; its commands are loaded on use. */
export interface NounEntry {
  readonly name: string;
  readonly summary: string;
  /** Hidden from help. */
  readonly hidden?: true;
  load(): Promise<Noun>;
}
