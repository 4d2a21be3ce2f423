import type { Call } from '../../call.ts';
import { missing, usage } from '../../io/failure.ts';
import { changeProfiles, profileName, readProfiles, type Profile } from '../../config/profile.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from '../../config/settings.ts';
import { withoutPassword } from '../../../adapters/service/store-url.ts';
import { safe } from '../../io/safe-text.ts';
import { didYouMean } from '../../refs/near.ts';
import { option, type Given } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

const IN = option('--in <profile>', 'in this profile; default: the one in use');
const SETTING = { spec: '<setting>', summary: SETTING_NAMES.join(', ') };

export const config: Noun = {
  name: 'config',
  summary:
    'Settings come from a flag, the environment, a profile or a default; profiles keep those that belong together.',
  verbs: [
    verb({
      name: 'list',
      aliases: ['show'],
      summary: 'list every setting, and where it comes from',
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
      summary: 'print the value of a setting, from wherever it comes',
      args: [SETTING],
      examples: ['config get store'],
      run(call) {
        const name = settingName(call.arg(0));
        if (isSecret(name)) throw usage(`The setting ${name} is a secret, and is not shown.`);
        const setting = call.settings.get(name);
        if (setting === undefined) throw missing(`The setting ${name} is not set.`);
        const value = withoutPassword(setting.value);
        call.out.show({ name, value, source: setting.source, from: setting.from }, () => safe`${value}\n`);
        return Promise.resolve();
      },
    }),
    verb({
      name: 'path',
      summary: 'print where the file of profiles is',
      examples: ['config path'],
      run(call) {
        const { profilePath } = call.settings;
        if (profilePath === null) throw missing('There is no place for profiles: set HOME or XDG_CONFIG_HOME.');
        call.out.show({ path: profilePath }, () => safe`${profilePath}\n`);
        return Promise.resolve();
      },
    }),
    verb({
      name: 'set',
      summary: 'keep a setting in a profile, which is made when it is missing',
      args: [
        SETTING,
        { spec: '<value>', summary: 'the value; - reads the standard input. A secret only comes from there' },
      ],
      options: [IN],
      examples: ['config set store file:/srv/team.db', 'config set token - --in work < token.txt'],
      async run(call) {
        const name = settingName(call.arg(0));
        if (isSecret(name) && call.arg(1) !== '-') {
          throw usage(
            `The setting ${name} is a secret: it is not taken from the command line.`,
            `Use: espalier config set ${name} -`,
          );
        }
        const value = call.arg(1) === '-' ? (await call.read('-')).trim() : call.arg(1);
        if (value === '') throw usage('The value is empty; use config unset to take a setting away.');
        const { checkedSetting } = await import('../../service/check-setting.ts');
        const kept = checkedSetting(name, value, call.io.cwd);
        await change(call, (profile) => ({ ...profile, [name]: kept }));
        call.out.note(isSecret(name) ? `Set ${name}.` : `Set ${name} to ${withoutPassword(kept)}.`);
      },
    }),
    verb({
      name: 'unset',
      summary: 'take a setting out of a profile',
      args: [SETTING],
      options: [IN],
      examples: ['config unset workspace'],
      async run(call) {
        const name = settingName(call.arg(0));
        await change(call, ({ [name]: _, ...profile }) => profile);
        call.out.note(`Took ${name} away.`);
      },
    }),
    verb({
      name: 'use',
      summary: 'use a profile from now on',
      args: [{ spec: '<profile>', summary: 'its name' }],
      examples: ['config use work'],
      async run(call) {
        const { profilePath } = call.settings;
        const name = call.arg(0);
        await changeProfiles(profilePath, (file) => {
          if (!Object.hasOwn(file.profiles, name)) {
            throw missing(
              `There is no profile ${JSON.stringify(name)}.`,
              `Known: ${Object.keys(file.profiles).join(', ') || 'none'}.`,
            );
          }
          return { ...file, current: name };
        });
        call.out.note(`Using profile ${name}.`);
      },
    }),
    verb({
      name: 'profiles',
      summary: 'list the profiles',
      examples: ['config profiles'],
      async run(call) {
        const file = await readProfiles(call.settings.profilePath);
        const rows = Object.keys(file.profiles).map((name) => ({ name, current: name === file.current }));
        await call.out.list(rows, [
          { title: 'profile', text: ({ name }) => name },
          { title: 'in use', text: ({ current }) => (current ? 'yes' : '') },
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
    throw usage(`There is no setting ${JSON.stringify(text)}.`, ...near, `There are: ${SETTING_NAMES.join(', ')}.`);
  }
  return name;
}

async function change(call: Call<Given<[typeof IN]>>, work: (profile: Profile) => Profile): Promise<void> {
  const { profilePath, profile: current } = call.settings;
  const name = profileName(call.options.in ?? current, '--in');
  await changeProfiles(profilePath, (file) => {
    const before = Object.hasOwn(file.profiles, name) ? file.profiles[name]! : {};
    return { ...file, profiles: { ...file.profiles, [name]: work(before) } };
  });
}
