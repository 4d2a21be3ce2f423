import type { UseCaseName } from '../core/use-cases.ts';
import type { Call } from './call.ts';
import type { Given, OptionSpec } from './option.ts';

/** A positional argument. */
export interface ArgSpec {
  /** `<required>`, `[optional]`, `<several...>`. */
  readonly spec: string;
  readonly summary: string;
  /** The field of the engine's input that it gives, where that has another name. */
  readonly field?: string;
}

interface VerbOf<Options extends readonly OptionSpec[], Values extends object> {
  readonly name: string;
  readonly summary: string;
  /** The use cases that it makes reachable. */
  readonly uses?: readonly UseCaseName[];
  readonly args?: readonly ArgSpec[];
  readonly options?: Options;
  /** Without the program's name. */
  readonly examples?: readonly string[];
  /** Paragraphs for its help, behind the options. */
  readonly details?: readonly string[];
  /** Other names that it goes by, beside those that every verb of its name has. */
  readonly aliases?: readonly string[];
  /** What the noun does when no verb of it is named. */
  readonly isDefault?: true;
  /** Fields of what it prints beside those of the records that its use cases give. */
  readonly moreFields?: readonly string[];
  /** What it prints may be long, and goes through a pager on a terminal. So does that of `list`, `show` and `tree`. */
  readonly pages?: true;
  /** Makes a store where there is none; every other command is refused there. */
  readonly makesStore?: true;
  /** Ends by itself, in order, when the program is asked to stop. */
  readonly stopsItself?: true | ((call: Call<Values>) => boolean);
  readonly run: (call: Call<Values>) => Promise<void>;
}

/** One command. It parses, calls, prints; the rules are the engine's. */
export type Verb = VerbOf<readonly OptionSpec[], object>;

/** A command whose `call.options` has exactly the options that it declares. */
export function verb<const Options extends readonly OptionSpec[] = readonly []>(
  declared: VerbOf<Options, Given<Options>>,
): Verb {
  // What it runs with is parsed by the options that it declares.
  return declared as unknown as Verb;
}

/** What each verb may also be called, whatever its noun. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  show: ['view'],
  create: ['new', 'add'],
  edit: ['update'],
  delete: ['rm'],
  remove: ['rm'],
};

/** Other names of a verb. */
export function aliasesOf({ name, aliases = [] }: Pick<Verb, 'name' | 'aliases'>): readonly string[] {
  return [...(Object.hasOwn(ALIASES, name) ? ALIASES[name]! : []), ...aliases];
}

export interface Noun {
  readonly name: string;
  /** A sentence. */
  readonly summary: string;
  /** A noun that is a command of its own has one verb without a name. */
  readonly verbs: readonly Verb[];
}

/** A noun as the top-level help shows it; its commands load when it is used. */
export interface NounEntry {
  readonly name: string;
  readonly summary: string;
  /** Hidden from help. */
  readonly hidden?: true;
  load(): Promise<Noun>;
}
