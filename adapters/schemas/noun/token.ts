import { body, record } from '../components.ts';
import { EXAMPLE_IDS } from '../examples.ts';
import { cursor, exactly, id, limit, name, nullable, optional, text, time, versioned } from '../fields.ts';
import { operation } from '../operation.ts';

const own = {
  name: name(100, { description: 'What it is for.', examples: ['nightly sync'] }),
  expiresAt: nullable(time(), { description: 'When it stops working. Null: never.' }),
};

const shown = {
  id: id({ description: 'Of the token. It is no secret.' }),
  userId: id({ description: 'Who it signs in.' }),
  ...own,
  createdById: nullable(id(), { description: 'The user who made it; null when the operator did.' }),
  ...versioned,
  lastUsedAt: nullable(time(), { description: 'To the minute.' }),
};

export const Token = record('Token', 'An API token without its secret.', exactly(shown));

export const NewToken = record(
  'NewToken',
  'An API token with its secret, this one time.',
  exactly({
    ...shown,
    token: text(200, { minLength: 1, description: 'The secret. Only here, and never again.' }),
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
    summary: 'List the own API tokens',
    description:
      'Without their secrets, oldest first. Those that an administrator made to act as the caller are among them.',
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
    summary: 'Make an API token',
    description: 'The secret stands in this answer only.',
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
    exampleNeeds: 'Takes a token that was made before.',
  }),
  operation('tokens.createFor', {
    method: 'POST',
    path: '/api/user/{userId}/token',
    tag: 'Users',
    summary: 'Make a token to act as another user',
    description: 'For service administrators. It stands in the list of tokens of that user.',
    input: CreateTokenFor,
    output: NewToken,
    status: 201,
    location: '/api/me/token',
    secret: 'once',
    example: { userId: EXAMPLE_IDS.benAsUser, name: 'support' },
  }),
];
