import type { NewToken, TokenView } from '../../../core/token/tokens.ts';
import { confirm, YES } from '../../io/confirm.ts';
import type { TableColumn } from '../../output/table/column.ts';
import { printPages, PAGING } from '../../output/paging.ts';
import { withoutUndefined } from '../../config/without-undefined.ts';
import { FUTURE_FORMS, timeOf } from '../../config/dates.ts';
import { relative } from '../../config/values.ts';
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
      uses: ['tokens.revoke'],
      args: [{ spec: '<token>', summary: 'id, not the token itself' }],
      options: [YES],
      examples: ['token revoke "$TOKEN_ID" --yes'],
      async run(call) {
        await confirm(call, 'Revoking the token');
        await (await call.session()).tokens.revoke({ tokenId: call.arg(0) });
        call.out.note('Revoked the token.');
      },
    }),
  ],
};
