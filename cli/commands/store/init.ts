import { EspalierError } from '../../../core/kernel/errors.ts';
import type { CommandCall } from '../../call.ts';
import { storeFile, userByEmail } from '../../config/connection.ts';
import { FILE_MODE } from '../../config/file-mode-option.ts';
import { loadSettings, overriddenNote } from '../../config/settings.ts';
import { usage } from '../../io/failure.ts';
import {
  changeProfiles,
  DEFAULT_PROFILE,
  profileName,
  requireChangeableProfiles,
  withTarget,
} from '../../config/profile.ts';
import { option } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';
import { lines } from '../../io/safe-text.ts';

/** Whether the next command uses the store as the user. */
async function isInUse({ io }: CommandCall, path: string, email: string): Promise<boolean> {
  const next = await loadSettings({}, io.env);
  const isStore = next.get('url') === undefined && storeFile(next.value('store')!, io.cwd) === path;
  return isStore && next.value('as') === email;
}

export const init: Noun = {
  name: 'init',
  summary: 'create a store, its first user and a profile',
  verbs: [
    verb({
      name: '',
      summary:
        'Create a store, its first user (a service administrator) and a profile for both. Existing ones are kept.',
      options: [
        option('--name <name>', 'name of the user', { required: true }),
        option('--email <email>', 'e-mail address of the user', { required: true }),
        FILE_MODE,
        option('--save-as <profile>', `name of the profile (default: ${DEFAULT_PROFILE})`),
      ],
      examples: [
        'init --name Ada --email ada@example.org',
        'init --store file:team.db --name Ada --email ada@example.org',
      ],
      moreFields: ['store', 'user', 'email', 'profile'],
      makesStore: true,
      asOperator: true,
      async run(call) {
        const target = call.settings.target();
        const path = target.kind === 'store' ? storeFile(target.url, call.io.cwd) : null;
        if (path === null) throw usage('init creates only file stores.', 'Use --store file:PATH');
        const profile = profileName(call.options.saveAs ?? DEFAULT_PROFILE, '--save-as');
        await requireChangeableProfiles(call.settings.profilePath);
        const { session, local } = await call.connection();
        const [name, email] = [call.options.name, call.options.email];
        const user = await session.users.create({ name, email, administrator: true }).catch((error: unknown) => {
          if (local === null || !(error instanceof EspalierError) || error.code !== 'email-taken') throw error;
          return userByEmail(local, email);
        });
        const store = `file:${path}`;
        await changeProfiles(call.settings.profilePath, (file) => withTarget(file, profile, { store, as: email }));
        const inUse = await isInUse(call, path, email);
        call.out.show({ store, user: user.id, email, profile }, () =>
          lines([
            `Store    ${store}`,
            `User     ${name} <${email}>${inUse ? ', the user you now act as' : ''}`,
            `Profile  ${profile} (${call.settings.profilePath})`,
            ...(inUse ? ['Next: espalier workspace create --name NAME'] : []),
          ]),
        );
        if (!inUse) call.out.note(overriddenNote(call.io.env, ['store', 'url', 'as']));
      },
    }),
  ],
};
