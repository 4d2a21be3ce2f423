import { body, record } from '../components.ts';
import { EXAMPLE_IDS } from '../examples.ts';
import { cursor, email, exactly, flag, id, limit, name, nullable, optional, put, text, versioned } from '../fields.ts';
import { operation } from '../operation.ts';

const profile = {
  name: name(200, { description: 'The display name.', examples: ['Ada Lovelace'] }),
  avatar: nullable(text(2_000), { description: 'The address of a picture.' }),
  phone: nullable(text(50), { description: 'The phone number.' }),
};
const rights = {
  disabled: flag({ description: 'The user cannot sign in, and has no access.' }),
  administrator: flag({
    description: 'The user may manage the users of the service. This gives no access to workspaces.',
  }),
};

export const User = record(
  'User',
  'A user of the service.',
  exactly({
    id: id({ description: 'The id of the user.' }),
    ...profile,
    email: email({ description: 'The e-mail address, in lower case. Unique in the service.' }),
    emailVerified: flag({ description: 'An administrator or an issuer has verified the address.' }),
    ...rights,
    ...versioned,
  }),
);

const optionalProfile = {
  name: optional(profile.name),
  avatar: optional(profile.avatar),
  phone: optional(profile.phone),
};

const UpdateMe = body('UpdateMe', put({}, optionalProfile, User));

const ListUsers = exactly({
  email: optional(email({ description: 'Only the user with this e-mail address, ignoring case.' })),
  limit,
  cursor,
});

export const CreateUser = body(
  'CreateUser',
  exactly({
    ...optionalProfile,
    name: profile.name,
    email: email({ description: 'The e-mail address. It counts as verified.' }),
    administrator: optional(rights.administrator),
  }),
);

const onUser = { userId: id({ description: 'The user.' }) };

const UserAddress = exactly(onUser);

export const UpdateUser = body(
  'UpdateUser',
  put(
    onUser,
    {
      ...optionalProfile,
      email: optional(email({ description: 'The e-mail address. It counts as verified.' })),
      disabled: optional(rights.disabled),
      administrator: optional(rights.administrator),
    },
    User,
  ),
);

export const userOperations = [
  operation('me.get', {
    method: 'GET',
    path: '/api/me',
    tag: 'Me',
    summary: 'Read the user of the caller',
    description: 'The user whom the token signs in.',
    input: exactly({}),
    output: User,
    forEverybody: true,
    example: {},
  }),
  operation('me.update', {
    method: 'PUT',
    path: '/api/me',
    tag: 'Me',
    summary: 'Change the profile of the caller',
    description:
      'Members of the same workspaces see the change. Only a service administrator can change the e-mail address.',
    input: UpdateMe,
    output: User,
    conditional: true,
    forEverybody: true,
    example: { name: 'Ada', phone: '+44 20 7946 0123' },
  }),
  operation('users.list', {
    method: 'GET',
    path: '/api/user',
    tag: 'Users',
    summary: 'List the users of the service',
    description: 'For service administrators.',
    input: ListUsers,
    output: User,
    paged: true,
    example: { email: 'ben@example.org' },
  }),
  operation('users.create', {
    method: 'POST',
    path: '/api/user',
    tag: 'Users',
    summary: 'Create a user',
    description: 'For service administrators.',
    input: CreateUser,
    output: User,
    codes: ['email-taken'],
    status: 201,
    location: '/api/user/{id}',
    example: { name: 'Dora', email: 'dora@example.org' },
  }),
  operation('users.get', {
    method: 'GET',
    path: '/api/user/{userId}',
    tag: 'Users',
    summary: 'Read a user',
    description: 'For service administrators.',
    input: UserAddress,
    output: User,
    example: { userId: EXAMPLE_IDS.benAsUser },
  }),
  operation('users.update', {
    method: 'PUT',
    path: '/api/user/{userId}',
    tag: 'Users',
    summary: 'Change a user',
    description: 'For service administrators. The last administrator must remain one.',
    input: UpdateUser,
    output: User,
    codes: ['email-taken', 'last-administrator', 'last-owner'],
    conditional: true,
    example: { userId: EXAMPLE_IDS.benAsUser, name: 'Benjamin' },
  }),
];
