import { body, record } from '../components.ts';
import { EXAMPLE_IDS } from '../examples.ts';
import { cursor, exactly, id, limit, name, nullable, optional, text, time, versioned } from '../fields.ts';
import { operation } from '../operation.ts';

const own = {
  name: name(100, { description: 'The purpose of the token.', examples: ['nightly sync'] }),
  expiresAt: nullable(time(), { description: 'The time when it expires. Null: never.' }),
};

const shown = {
  id: id({ description: 'The id of the token. It is not a secret.' }),
  userId: id({ description: 'The user whom the token signs in.' }),
  ...own,
  createdById: nullable(id(), { description: 'The user who created it. Null for the operator.' }),
  ...versioned,
  lastUsedAt: nullable(time(), { description: 'The time of the last use, to the minute. Null: never used.' }),
};

export const Token = record('Token', 'An API token without its secret.', exactly(shown));

export const NewToken = record(
  'NewToken',
  'A new API token with its secret.',
  exactly({
    ...shown,
    token: text(200, { minLength: 1, description: 'The secret. No other answer contains it.' }),
  }),
);

const ListTokens = exactly({ limit, cursor });

const given = { name: own.name, expiresAt: optional(own.expiresAt) };

export const CreateToken = body('CreateToken', exactly(given));

export const CreateTokenFor = body('CreateTokenFor', exactly({ ...given, userId: id({ description: 'The user.' }) }));

const TokenAddress = exactly({ tokenId: id({ description: 'The token.' }) });

export const tokenOperations = [
  operation('tokens.list', {
    method: 'GET',
    path: '/api/me/token',
    tag: 'Me',
    summary: 'List the API tokens of the caller',
    description:
      'Without their secrets, oldest first. Includes tokens that an administrator created to act as the caller.',
    input: ListTokens,
    output: Token,
    paged: true,
    forEverybody: true,
    example: {},
  }),
  operation('tokens.create', {
    method: 'POST',
    path: '/api/me/token',
    tag: 'Me',
    summary: 'Create an API token',
    description: 'Only this answer contains the secret.',
    input: CreateToken,
    output: NewToken,
    status: 201,
    location: '/api/me/token',
    forEverybody: true,
    secret: 'once',
    example: { name: 'nightly sync', expiresAt: '2030-01-01T00:00:00.000Z' },
  }),
  operation('tokens.revoke', {
    method: 'DELETE',
    path: '/api/me/token/{tokenId}',
    tag: 'Me',
    summary: 'Revoke an API token',
    input: TokenAddress,
    output: null,
    forEverybody: true,
    example: { tokenId: EXAMPLE_IDS.token },
    exampleNeeds: 'requires an existing token.',
  }),
  operation('tokens.createFor', {
    method: 'POST',
    path: '/api/user/{userId}/token',
    tag: 'Users',
    summary: 'Create a token to act as another user',
    description: 'For service administrators. The user sees it in the list of their tokens.',
    input: CreateTokenFor,
    output: NewToken,
    status: 201,
    location: '/api/me/token',
    secret: 'once',
    example: { userId: EXAMPLE_IDS.benAsUser, name: 'support' },
  }),
];
