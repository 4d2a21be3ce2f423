import { InvalidArgumentError, Option } from 'commander';
import { SETTINGS, type SettingName } from './config/settings.ts';
import { listed } from './listed.ts';

interface More {
  /** May be repeated, and takes one or more values joined by commas; a value with a comma must be quoted. */
  readonly many?: true;
  /** May be repeated; a comma is part of the value. */
  readonly repeats?: true;
  readonly required?: true;
  readonly choices?: readonly string[];
  /** The field of the engine's input, if its name differs. */
  readonly field?: string;
}

export interface OptionSpec extends More {
  /** In the syntax of commander: `-n, --name <text>`. */
  readonly flags: string;
  readonly summary: string;
  /** The setting that it sets: see `Settings`. */
  readonly setting?: SettingName;
}

/** An option of a verb. Its name and type in {@link OptionValues} follow from the flags. */
export function option<const F extends string, const M extends More = object>(
  flags: F,
  summary: string,
  more?: M,
): { readonly flags: F; readonly summary: string } & M {
  return { flags, summary, ...(more as M) };
}

/**
 * An option that is the flag of a setting, which may also come from the environment or a profile. Its value is read
 * from `call.settings`.
 *
 * @param value the name of its value, like `<address>`; empty for a switch
 */
export function settingOption(
  name: SettingName,
  value: string,
  summary: string,
  { short, ...more }: More & { readonly short?: string } = {},
): OptionSpec {
  const { flag } = SETTINGS[name];
  return {
    flags: `${short === undefined ? '' : `${short}, `}${flag} ${value}`.trim(),
    summary,
    setting: name,
    ...more,
  };
}

/** The option as an object of commander, with the variable and default of a setting in its help. */
export function commanderOption({ flags, summary, setting, many, repeats, required, choices }: OptionSpec): Option {
  const made = new Option(flags, summary);
  if (required === true) made.makeOptionMandatory();
  if (many === true) made.argParser(collect);
  if (repeats === true) made.argParser((value, before: readonly string[] | undefined) => [...(before ?? []), value]);
  if (setting === undefined) return choices === undefined ? made : made.choices(choices);
  // The value of a setting is checked when it is used, wherever it comes from. Commander only shows the choices; an
  // empty variable counts as not set.
  if (choices !== undefined) made.argChoices = [...choices];
  const { env, default: value }: { readonly env: string; readonly default?: string } = SETTINGS[setting];
  return (value === undefined ? made : made.default(value, value)).env(env);
}

/** The name of the option in {@link OptionValues}. */
export function attributeName(flags: string): string {
  return new Option(flags).attributeName();
}

/** @throws for a list of nothing, such as of a variable that is not set: it does not mean that nothing is wanted */
function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  const values = listed(value);
  if (values.length === 0) throw new InvalidArgumentError('It has no value.');
  return [...(before ?? []), ...values];
}

type Camel<Text extends string> = Text extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Text;

/** `-e, --end-from <date>` and `--no-end-from` are `endFrom`. Settings are left out. */
type OptionName<Flags extends string> = string extends Flags
  ? never
  : Flags extends `${string}--${infer Long}`
    ? Camel<Positive<Long extends `${infer Name} ${string}` ? Name : Long>>
    : never;

type Positive<Name extends string> = Name extends `no-${infer Other}` ? Other : Name;

type OptionValue<Spec extends OptionSpec> = Spec extends { readonly many: true } | { readonly repeats: true }
  ? readonly string[]
  : Spec extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Spec['flags'] extends `${string}<${string}`
      ? string
      : Spec['flags'] extends `${string}--no-${string}`
        ? false
        : true;

/** The values of options by name: a string, a list of strings, or whether a flag is set. */
export type OptionValues<Options extends readonly OptionSpec[]> = {
  readonly [Spec in Options[number] as OptionName<Spec['flags']>]:
    | OptionValue<Spec>
    | (Spec extends { readonly required: true } ? never : undefined);
};

/** A positional argument. */
export interface ArgSpec {
  /** `<required>`, `[optional]` or `<several...>`; one more argument may follow several. */
  readonly spec: string;
  readonly summary: string;
  /** The field of the engine's input, if its name differs. */
  readonly field?: string;
}

/** The arguments and options of a command. */
export interface Syntax {
  readonly args?: readonly ArgSpec[];
  readonly options?: readonly OptionSpec[];
}
