import type { CommandCall } from '../../call.ts';
import { changesGiven } from '../../config/changes-given.ts';
import { option } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';
import { profile, USER_COLUMNS } from './user.ts';

async function showMe(call: CommandCall): Promise<void> {
  call.out.record(await (await call.session()).me.get(), USER_COLUMNS);
}

export const me: Noun = {
  name: 'me',
  summary: 'Your own profile on this store or service.',
  verbs: [
    verb({
      name: 'show',
      summary: 'show who you are',
      uses: ['me.get'],
      examples: ['me show --store file:espalier.db --as ben@example.org'],
      run: showMe,
    }),
    verb({
      name: 'edit',
      summary: 'edit your profile',
      uses: ['me.update'],
      options: [
        option('--name <name>', 'new name'),
        option('--avatar <url>', 'URL of a picture; none removes it'),
        option('--phone <number>', 'telephone number; none removes it'),
      ],
      examples: ['me edit --phone "+44 20 7946 0000"'],
      async run(call) {
        const changes = changesGiven({ name: call.options.name, ...profile(call) });
        call.out.record(await (await call.session()).me.update(changes), USER_COLUMNS);
      },
    }),
  ],
};

/** The same command under the name of the shell command. */
export const whoami: Noun = {
  name: 'whoami',
  summary: 'Show who you are.',
  verbs: [
    verb({
      name: '',
      summary: 'Show who you are.',
      uses: ['me.get'],
      examples: ['whoami'],
      run: showMe,
    }),
  ],
};
