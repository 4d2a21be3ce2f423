import type { CommandCall } from '../../call.ts';
import { missing, usage } from '../../io/failure.ts';
import { changeProfiles, profileName, readProfiles, type Profile } from '../../config/profile.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from '../../config/settings.ts';
import { withoutPassword } from '../../../adapters/service/store-url.ts';
import { safe } from '../../io/safe-text.ts';
import { didYouMean } from '../../refs/near.ts';
import { option, type OptionValues } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

const IN = option('--in <profile>', 'profile to change (default: the current one)');
const SETTING = { spec: '<setting>', summary: SETTING_NAMES.join(', ') };

export const config: Noun = {
  name: 'config',
  summary: 'Settings come from a flag, the environment, a profile or a default; a profile is a named set of settings.',
  verbs: [
    verb({
      name: 'list',
      aliases: ['show'],
      summary: 'list all settings and where they come from',
      examples: ['config list', 'config list --profile work --json'],
      async run(call) {
        const rows = SETTING_NAMES.map((name) => {
          const setting = call.settings.get(name);
          const shown = setting === undefined ? null : withoutPassword(setting.value);
          const value = isSecret(name) && setting !== undefined ? '(set)' : shown;
          return { name, value, source: setting?.source ?? null, from: setting?.from ?? SETTINGS[name].env };
        });
        await call.out.list(rows, [
          { title: 'setting', text: ({ name }) => name },
          { title: 'value', cut: true, text: ({ value }, style) => value ?? style.dim('not set') },
          { title: 'source', text: ({ source }) => source ?? '' },
          { title: 'from', cut: true, text: ({ from }) => from },
        ]);
      },
    }),
    verb({
      name: 'get',
      summary: 'print the value of a setting',
      args: [SETTING],
      examples: ['config get store'],
      run(call) {
        const name = settingName(call.arg(0));
        if (isSecret(name)) throw usage(`The setting ${name} is secret and is not shown.`);
        const setting = call.settings.get(name);
        if (setting === undefined) throw missing(`The setting ${name} is not set.`);
        const value = withoutPassword(setting.value);
        call.out.show({ name, value, source: setting.source, from: setting.from }, () => safe`${value}\n`);
        return Promise.resolve();
      },
    }),
    verb({
      name: 'path',
      summary: 'print the path of the profile file',
      examples: ['config path'],
      run(call) {
        const { profilePath } = call.settings;
        if (profilePath === null) throw missing('No folder for profiles: set HOME or XDG_CONFIG_HOME.');
        call.out.show({ path: profilePath }, () => safe`${profilePath}\n`);
        return Promise.resolve();
      },
    }),
    verb({
      name: 'set',
      summary: 'save a setting in a profile, creating it if needed',
      args: [SETTING, { spec: '<value>', summary: 'value; - for standard input, required for secrets' }],
      options: [IN],
      examples: ['config set store file:/srv/team.db', 'config set token - --in work < token.txt'],
      async run(call) {
        const name = settingName(call.arg(0));
        if (isSecret(name) && call.arg(1) !== '-') {
          throw usage(
            `The setting ${name} is secret and cannot be given on the command line.`,
            `Use: espalier config set ${name} -`,
          );
        }
        const value = call.arg(1) === '-' ? (await call.read('-')).trim() : call.arg(1);
        if (value === '') throw usage('The value is empty; use config unset to remove a setting.');
        const { checkedSetting } = await import('../../service/check-setting.ts');
        const kept = checkedSetting(name, value, call.io.cwd);
        await change(call, (profile) => ({ ...profile, [name]: kept }));
        call.out.note(isSecret(name) ? `Set ${name}.` : `Set ${name} to ${withoutPassword(kept)}.`);
      },
    }),
    verb({
      name: 'unset',
      summary: 'remove a setting from a profile',
      args: [SETTING],
      options: [IN],
      examples: ['config unset workspace'],
      async run(call) {
        const name = settingName(call.arg(0));
        await change(call, ({ [name]: _, ...profile }) => profile);
        call.out.note(`Removed ${name}.`);
      },
    }),
    verb({
      name: 'use',
      summary: 'switch to a profile',
      args: [{ spec: '<profile>', summary: 'name of the profile' }],
      examples: ['config use work'],
      async run(call) {
        const { profilePath } = call.settings;
        const name = call.arg(0);
        await changeProfiles(profilePath, (file) => {
          if (!Object.hasOwn(file.profiles, name)) {
            throw missing(
              `There is no profile ${JSON.stringify(name)}.`,
              `Known profiles: ${Object.keys(file.profiles).join(', ') || 'none yet'}.`,
            );
          }
          return { ...file, current: name };
        });
        call.out.note(`Using profile ${name}.`);
      },
    }),
    verb({
      name: 'profiles',
      summary: 'list profiles',
      examples: ['config profiles'],
      async run(call) {
        const file = await readProfiles(call.settings.profilePath);
        const rows = Object.keys(file.profiles).map((name) => ({ name, current: name === file.current }));
        await call.out.list(rows, [
          { title: 'profile', text: ({ name }) => name },
          { title: 'current', text: ({ current }) => (current ? 'yes' : '') },
        ]);
      },
    }),
  ],
};

function isSecret(name: SettingName): boolean {
  return SETTINGS[name].flag === null;
}

function settingName(text: string): SettingName {
  const name = SETTING_NAMES.find((known) => known === text);
  if (name === undefined) {
    const near = didYouMean(text, SETTING_NAMES);
    throw usage(`There is no setting ${JSON.stringify(text)}.`, ...near, `Settings: ${SETTING_NAMES.join(', ')}.`);
  }
  return name;
}

async function change(
  call: CommandCall<OptionValues<[typeof IN]>>,
  work: (profile: Profile) => Profile,
): Promise<void> {
  const { profilePath, profile: current } = call.settings;
  const name = profileName(call.options.in ?? current, '--in');
  await changeProfiles(profilePath, (file) => {
    const before = Object.hasOwn(file.profiles, name) ? file.profiles[name]! : {};
    return { ...file, profiles: { ...file.profiles, [name]: work(before) } };
  });
}
