import { withoutUndefined } from '../config/without-undefined.ts';
import { option } from '../option.ts';
import { type Noun, verb } from '../verb.ts';
import { profile, USER_COLUMNS } from './user.ts';

export const me: Noun = {
  name: 'me',
  summary: 'the user you act as',
  verbs: [
    verb({
      name: 'show',
      summary: 'show who you are',
      uses: ['me.get'],
      examples: ['me show --as ada@example.org'],
      async run(call) {
        call.out.record(await (await call.session()).me.get(), USER_COLUMNS);
      },
    }),
    verb({
      name: 'edit',
      summary: 'change your profile',
      uses: ['me.update'],
      options: [
        option('--name <name>', 'a new name'),
        option('--avatar <url>', 'address of a picture; none takes it away'),
        option('--phone <number>', 'telephone number; none takes it away'),
      ],
      examples: ['me edit --phone "+44 20 7946 0000"'],
      async run(call) {
        const changes = withoutUndefined({ name: call.options.name, ...profile(call) });
        call.out.record(await (await call.session()).me.update(changes), USER_COLUMNS);
      },
    }),
  ],
};
