import { EspalierError } from '../../../core/kernel/errors.ts';
import type { User } from '../../../core/model/user/user.ts';
import type { CommandCall } from '../../call.ts';
import { requireServiceUrl } from '../../config/service-url.ts';
import { changeProfiles, profileName, withTarget } from '../../config/profile.ts';
import { loadSettings, overriddenNote } from '../../config/settings.ts';
import { ask } from '../../io/ask.ts';
import { Failure, usage } from '../../io/failure.ts';
import { isInteractive } from '../../io/io.ts';
import { lines } from '../../io/safe-text.ts';
import { option, type OptionValues } from '../../option.ts';
import { isLoopback } from '../../service/loopback.ts';
import { type Noun, verb } from '../../verb.ts';

const SAVE_AS = option('--save-as <profile>', 'name of the profile (default: host of the service, with its path)');

export const login: Noun = {
  name: 'login',
  summary: 'Sign in to a running service.',
  verbs: [
    verb({
      name: '',
      summary:
        'Sign in to a running service: ask for a token or read it from standard input, check it, and save it in a profile to use from now on.',
      args: [{ spec: '<url>', summary: 'address of the service' }],
      options: [SAVE_AS],
      examples: ['login https://tasks.example.org', 'login http://127.0.0.1:4800 --save-as local < token.txt'],
      moreFields: ['url', 'user', 'email', 'profile'],
      run,
    }),
  ],
};

async function run(call: CommandCall<OptionValues<[typeof SAVE_AS]>>): Promise<void> {
  const { io, out, settings } = call;
  requireServiceUrl('<url>', call.arg(0));
  const address = new URL(call.arg(0));
  const url = address.href.replace(/\/+$/, '');
  const profile = profileName(call.options.saveAs ?? url.replace(/^https?:\/\//, ''), '--save-as');
  if (address.protocol === 'http:' && !isLoopback(address.hostname.replace(/^\[|\]$/g, ''))) {
    out.note(`${url} is not encrypted: others on the network can read the token.`);
  }
  const token = isInteractive(io)
    ? await ask(io, `Token for ${url} (it is not shown):`, { isSecret: true })
    : (await call.read('-')).trim();
  if (token === '') {
    throw usage(
      'No token given. Create one on the service: espalier token create --name laptop',
      'or, with access to its store: espalier token create --store URL --user EMAIL --name laptop',
    );
  }
  const { name, email } = await userOf(url, token);
  // Any service may answer with JSON: one that is not Espalier must not get the token from now on.
  if (typeof email !== 'string') throw usage(`The service at ${url} is not Espalier.`, 'Nothing was saved.');
  await changeProfiles(settings.profilePath, (file) => withTarget(file, profile, { url, token }));
  out.show({ url, user: name, email, profile }, () =>
    lines([`Signed in to ${url} as ${name} <${email}>`, `Profile  ${profile} (${settings.profilePath})`]),
  );
  const next = await loadSettings({}, io.env);
  if (next.value('url') !== url || next.value('token') !== token) {
    out.note(overriddenNote(io.env, ['store', 'url', 'token']));
  }
}

/** The user of the token. @throws a failure if the service refuses it */
async function userOf(url: string, token: string): Promise<User> {
  const { createClient } = await import('../../../adapters/client/index.ts');
  try {
    return await createClient({ url, token }).me.get();
  } catch (error) {
    if (!(error instanceof EspalierError)) throw error;
    if (error.code === 'not-found') throw usage(`There is no service at ${url}: use its whole address, without /api.`);
    if (error.code !== 'unauthenticated') throw error;
    const message = `${url} refuses the token: it is unknown, expired or revoked. (${error.code})`;
    throw new Failure('denied', message, ['Nothing was saved.'], { cause: error });
  }
}
