import type { UseCases } from '../core/use-cases.ts';
import type { Call } from './call.ts';

/** `noun.verb` of the engine. */
export type UseCaseName = {
  [Noun in keyof UseCases]: `${Noun & string}.${keyof UseCases[Noun] & string}`;
}[keyof UseCases];

export interface OptionSpec {
  /** As commander takes them: `-n, --name <text>`. */
  readonly flags: string;
  readonly summary: string;
  /** May be repeated, and takes several values joined by commas. */
  readonly many?: true;
  readonly required?: true;
  readonly choices?: readonly string[];
}

/** One command. It parses, calls, prints; the rules are the engine's. */
export interface Verb {
  readonly name: string;
  readonly summary: string;
  /** The use cases that it makes reachable. */
  readonly uses?: readonly UseCaseName[];
  /** Positional arguments, `<required>` or `[optional]`. */
  readonly args?: readonly { readonly spec: string; readonly summary: string }[];
  readonly options?: readonly OptionSpec[];
  /** Without the program's name. */
  readonly examples?: readonly string[];
  /** Another name that it goes by. */
  readonly alias?: string;
  /** What the noun does when no verb of it is named. */
  readonly isDefault?: true;
  /** Fields of what it prints beside those of the records that its use cases give. */
  readonly moreFields?: readonly string[];
  /** Makes a store where there is none; every other command is refused there. */
  readonly makesStore?: true;
  /** Ends by itself, in order, when the program is asked to stop. */
  readonly stopsItself?: true | ((call: Call) => boolean);
  run(call: Call): Promise<void>;
}

export interface Noun {
  readonly name: string;
  readonly summary: string;
  /** A noun that is a command of its own has one verb without a name. */
  readonly verbs: readonly Verb[];
}

export function option(flags: string, summary: string, more: Omit<OptionSpec, 'flags' | 'summary'> = {}): OptionSpec {
  return { flags, summary, ...more };
}

/** A noun as the top-level help shows it; its commands load when it is used. */
export interface NounEntry {
  readonly name: string;
  readonly summary: string;
  /** Hidden from help. */
  readonly hidden?: true;
  load(): Promise<Noun>;
}
