import { Option } from 'commander';
import { SETTINGS, type SettingName } from './config/settings.ts';

interface More {
  /** May be repeated, and takes several values joined by commas. */
  readonly many?: true;
  readonly required?: true;
  readonly choices?: readonly string[];
  /** The field of the engine's input that it gives, where that has another name. */
  readonly field?: string;
}

export interface OptionSpec extends More {
  /** As commander takes them: `-n, --name <text>`. */
  readonly flags: string;
  readonly summary: string;
  /** The setting that it is the flag of: see `Settings`. */
  readonly setting?: SettingName;
}

/** An option of a verb. Its name and type in {@link Given} follow from the flags. */
export function option<const F extends string, const M extends More = object>(
  flags: F,
  summary: string,
  more?: M,
): { readonly flags: F; readonly summary: string } & M {
  return { flags, summary, ...(more as M) };
}

/**
 * An option that is the flag of a setting, which also comes from the environment or a profile: it is read from
 * `call.settings`.
 *
 * @param value what its value is called, like `<address>`; empty: it switches something
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

/** The option as commander has it: its help tells the variable and the default of a setting. */
export function commanderOption({ flags, summary, setting, many, required, choices }: OptionSpec): Option {
  const made = new Option(flags, summary);
  if (required === true) made.makeOptionMandatory();
  if (many === true) made.argParser(collect);
  if (setting === undefined) return choices === undefined ? made : made.choices(choices);
  // Wherever its value comes from, it is checked when it is used; an empty variable is none.
  if (choices !== undefined) made.argChoices = [...choices];
  const { env, default: value }: { readonly env: string; readonly default?: string } = SETTINGS[setting];
  return (value === undefined ? made : made.default(value, value)).env(env);
}

/** The name of the option in {@link Given}. */
export function attributeName(flags: string): string {
  return new Option(flags).attributeName();
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  const parts = value.split(',').map((part) => part.trim());
  return [...(before ?? []), ...parts.filter((part) => part !== '')];
}

type Camel<Text extends string> = Text extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Text;

/** `-e, --end-from <date>` and `--no-end-from` are `endFrom`. Settings have no name here. */
type NameOf<Flags extends string> = string extends Flags
  ? never
  : Flags extends `${string}--${infer Long}`
    ? Camel<Positive<Long extends `${infer Name} ${string}` ? Name : Long>>
    : never;

type Positive<Name extends string> = Name extends `no-${infer Other}` ? Other : Name;

type ValueOf<Spec extends OptionSpec> = Spec extends { readonly many: true }
  ? readonly string[]
  : Spec extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Spec['flags'] extends `${string}<${string}`
      ? string
      : Spec['flags'] extends `${string}--no-${string}`
        ? false
        : true;

/** What the options give, by name: a text, a list of texts, or whether a flag is set. */
export type Given<Options extends readonly OptionSpec[]> = {
  readonly [Spec in Options[number] as NameOf<Spec['flags']>]:
    | ValueOf<Spec>
    | (Spec extends { readonly required: true } ? never : undefined);
};
