import type { NewToken, TokenView } from '../../../core/token/tokens.ts';
import { isId } from '../../../core/kernel/id.ts';
import type { Session } from '../../../core/session.ts';
import { allItems } from '../../all-items.ts';
import { confirm, YES } from '../../io/confirm.ts';
import type { TableColumn } from '../../output/table/column.ts';
import { printPages, PAGING } from '../../output/paging.ts';
import { withoutUndefined } from '../../config/without-undefined.ts';
import { FUTURE_FORMS, timeOf } from '../../config/dates.ts';
import { relative } from '../../config/values.ts';
import { usage } from '../../io/failure.ts';
import { type NamedRecord, resolveName } from '../../refs/resolve-name.ts';
import { option } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';
import { userId } from './user.ts';

const COLUMNS: readonly TableColumn<TokenView>[] = [
  { title: 'name', cut: true, text: ({ name }) => name },
  { title: 'last used', text: ({ lastUsedAt }) => relative(lastUsedAt) },
  { title: 'expires', text: ({ expiresAt }) => (expiresAt === null ? 'never' : relative(expiresAt)) },
  { title: 'created', text: ({ createdAt }) => relative(createdAt) },
  { title: 'id', text: ({ id }) => id },
];

const NEW: readonly TableColumn<NewToken>[] = [
  ...COLUMNS,
  { title: 'token (shown this once)', text: ({ token }, style) => style.bold(token) },
];

/** By name or id. @throws a failure that does not repeat a token itself */
async function tokenNamed({ tokens }: Session, ref: string): Promise<string> {
  if (isId(ref)) return ref;
  if (ref.trimStart().startsWith('esp_')) throw usage('Use the name or id of the token, not the token itself.');
  const named: NamedRecord[] = [];
  for await (const { id, name } of allItems((part) => tokens.list(part)))
    named.push({ id, names: [name], shown: name });
  return resolveName('token', ref, named);
}

export const token: Noun = {
  name: 'token',
  summary: 'API tokens sign you in to a running service; each is shown once and can be revoked.',
  verbs: [
    verb({
      name: 'list',
      summary: 'list your tokens',
      uses: ['tokens.list'],
      options: PAGING,
      examples: ['token list'],
      async run(call) {
        const session = await call.session();
        await printPages(
          call,
          (part) => session.tokens.list(part),
          (items) => call.out.list(items, COLUMNS),
        );
      },
    }),
    verb({
      name: 'create',
      summary: 'create a token, shown only once',
      uses: ['tokens.create', 'tokens.createFor'],
      options: [
        option('--name <name>', 'name of the token', { required: true }),
        option('--user <user>', 'for this user (operator and service administrators)'),
        option('--expires <time>', `expiry: ${FUTURE_FORMS} (default: never)`, { field: 'expiresAt' }),
      ],
      examples: ['token create --name laptop', 'token create --user ben@example.org --name ci --expires 12w'],
      async run(call) {
        const session = await call.session();
        const [whose, expires] = [call.options.user, call.options.expires];
        const more = withoutUndefined({
          expiresAt: expires === undefined ? undefined : timeOf(expires, '--expires', 'ahead'),
        });
        const given = { name: call.options.name, ...more };
        const made =
          whose === undefined
            ? await session.tokens.create(given)
            : await session.tokens.createFor({ userId: await userId(call, whose), ...given });
        call.out.record(made, NEW);
      },
    }),
    verb({
      name: 'revoke',
      summary: 'revoke one of your tokens',
      uses: ['tokens.list', 'tokens.revoke'],
      args: [{ spec: '<token>', summary: 'name or id, not the token itself' }],
      options: [YES],
      examples: ['token revoke laptop --yes', 'token revoke "$TOKEN_ID" --yes'],
      async run(call) {
        const session = await call.session();
        const tokenId = await tokenNamed(session, call.arg(0));
        await confirm(call, 'Revoking the token');
        await session.tokens.revoke({ tokenId });
        call.out.note('Revoked the token.');
      },
    }),
  ],
};
