import type { User } from '../../../core/model/user/user.ts';
import { allItems } from '../../all-items.ts';
import type { CommandCall } from '../../call.ts';
import { isEmail } from '../../../adapters/schemas/formats.ts';
import { isOperator, userByEmail } from '../../config/connection.ts';
import type { TableColumn } from '../../output/table/column.ts';
import { printPages, PAGING } from '../../output/paging.ts';
import { changesGiven } from '../../config/changes-given.ts';
import { withoutUndefined } from '../../config/without-undefined.ts';
import { isId } from '../../../core/kernel/id.ts';
import { resolveName } from '../../refs/resolve-name.ts';
import { relative } from '../../config/values.ts';
import { option, type OptionValues } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

export const USER_COLUMNS: readonly TableColumn<User>[] = [
  { title: 'name', cut: true, text: ({ name }) => name },
  { title: 'e-mail', cut: true, text: ({ email }) => email },
  { title: 'administrator', text: ({ administrator }) => (administrator ? 'yes' : '') },
  { title: 'disabled', text: ({ disabled }, style) => (disabled ? style.red('yes') : '') },
  { title: 'created', text: ({ createdAt }) => relative(createdAt) },
  { title: 'id', wide: true, text: ({ id }) => id },
];

const USER = { spec: '<user>', summary: 'e-mail address or id' };
const PROFILE = [
  option('--avatar <url>', 'URL of a picture; none removes it'),
  option('--phone <number>', 'telephone number; none removes it'),
];

export const user: Noun = {
  name: 'user',
  summary: 'Users of the store, managed by its operator and administrators; members are users in a workspace.',
  verbs: [
    verb({
      name: 'list',
      summary: 'list users',
      uses: ['users.list'],
      options: PAGING,
      examples: ['user list --all --json --fields email'],
      async run(call) {
        const session = await call.session();
        await printPages(
          call,
          (part) => session.users.list(part),
          (items) => call.out.list(items, USER_COLUMNS),
        );
      },
    }),
    verb({
      name: 'create',
      summary: 'create a user',
      uses: ['users.create'],
      options: [
        option('--name <name>', 'name of the user', { required: true }),
        option('--email <email>', 'e-mail address, unique in the store', { required: true }),
        option('--administrator', 'allow managing users and importing'),
        ...PROFILE,
      ],
      examples: ['user create --name Ada --email ada@example.org'],
      makesStore: true,
      async run(call) {
        const given = { name: call.options.name, email: call.options.email };
        const more = withoutUndefined({ administrator: call.options.administrator, ...profile(call) });
        call.out.record(await (await call.session()).users.create({ ...given, ...more }), USER_COLUMNS);
      },
    }),
    verb({
      name: 'show',
      summary: 'show a user',
      uses: ['users.get'],
      args: [USER],
      examples: ['user show ben@example.org'],
      async run(call) {
        const session = await call.session();
        call.out.record(await session.users.get({ userId: await userId(call, call.arg(0)) }), USER_COLUMNS);
      },
    }),
    verb({
      name: 'edit',
      summary: 'edit a user',
      uses: ['users.update'],
      args: [USER],
      options: [
        option('--name <name>', 'new name'),
        option('--email <email>', 'new e-mail address'),
        option('--administrator', 'allow managing users and importing'),
        option('--no-administrator', 'do not allow it'),
        option('--disabled', 'block sign-in and all access'),
        option('--no-disabled', 'unblock them'),
        ...PROFILE,
      ],
      examples: ['user edit ben@example.org --administrator', 'user edit cleo@example.org --disabled'],
      async run(call) {
        const changes = changesGiven({
          name: call.options.name,
          email: call.options.email,
          administrator: call.options.administrator,
          disabled: call.options.disabled,
          ...profile(call),
        });
        const session = await call.session();
        const id = await userId(call, call.arg(0));
        call.out.record(await session.users.update({ userId: id, ...changes }), USER_COLUMNS);
      },
    }),
  ],
};

/** The profile fields, which users may also change themselves. */
export function profile({ options: { avatar, phone } }: CommandCall<OptionValues<typeof PROFILE>>) {
  return { avatar: avatar === 'none' ? null : avatar, phone: phone === 'none' ? null : phone };
}

/** Resolves an id, an e-mail address or a name. */
export async function userId(call: CommandCall, ref: string): Promise<string> {
  if (isId(ref)) return ref;
  const { local, session } = await call.connection();
  if ((local !== null && isOperator(call)) || isEmail(ref)) return (await userByEmail(session, ref)).id;
  const found: User[] = [];
  for await (const user of allItems((part) => session.users.list(part))) if (user.name === ref) found.push(user);
  return resolveName(
    'user',
    ref,
    found.map(({ id, email, name }) => ({ id, names: [email, name], shown: `${name} <${email}>` })),
  );
}
