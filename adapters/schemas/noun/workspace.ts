import { Type } from 'typebox';
import { METADATA } from '../../../core/model/metadata.ts';
import { INDEXED_KEYS } from '../../../core/model/workspace/workspace.ts';
import { body, record } from '../components.ts';
import { acme } from '../examples.ts';
import {
  exactly,
  id,
  inWorkspace,
  level,
  list,
  metadata,
  metadataChanges,
  name,
  optional,
  put,
  shownRole,
  text,
  versioned,
} from '../fields.ts';
import { operation } from '../operation.ts';

const alias = (description: string) =>
  Type.String({
    minLength: 2,
    maxLength: 63,
    pattern: '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])$',
    description: `Short identifier, unique in the service, never changed.${description}`,
    examples: ['acme'],
  });

const own = {
  name: name(200, { description: 'Display name.', examples: ['Acme'] }),
  description: text(10_000, { description: 'Free text.' }),
  defaultAccess: level({ description: 'The level of role Member where no page says otherwise.' }),
};

const indexedMetadata = list(
  Type.String({ pattern: METADATA.key, minLength: 1, maxLength: METADATA.longestKey }),
  INDEXED_KEYS,
  {
    uniqueItems: true,
    description:
      'Keys of the metadata of tasks that have an index: lists are filtered by them without looking at every task. A new one is built in the background; answers are right meanwhile.',
  },
);

export const Workspace = record(
  'Workspace',
  'Members, pages, boards and tasks that belong together, as one member of it sees it.',
  exactly({
    id: id({ description: 'Of the workspace.' }),
    alias: alias(''),
    ...own,
    metadata,
    indexedMetadata,
    role: shownRole({ description: 'Role of the caller: 40 Owner, 30 Admin, 20 Member, 10 Guest.' }),
    memberId: id({ description: 'The caller as a member.' }),
    ...versioned,
  }),
);

export const CreateWorkspace = body(
  'CreateWorkspace',
  exactly({
    name: own.name,
    alias: optional(
      alias(
        ' Derived from the name when absent. It goes wherever the id of the workspace goes; so it must not have the form of a UUID, and not be a word that stands in its place in a path.',
      ),
    ),
    description: optional({ ...own.description, default: '' }),
    defaultAccess: optional({ ...own.defaultAccess, default: 300 }),
    metadata: metadataChanges,
    indexedMetadata: optional({ ...indexedMetadata, default: [] }),
  }),
);

const WorkspaceAddress = exactly(inWorkspace);

export const UpdateWorkspace = body(
  'UpdateWorkspace',
  put(
    inWorkspace,
    {
      name: optional(own.name),
      description: optional(own.description),
      defaultAccess: optional(own.defaultAccess),
      metadata: metadataChanges,
      indexedMetadata: optional(indexedMetadata),
    },
    Workspace,
  ),
);

export const workspaceOperations = [
  operation('workspaces.list', {
    method: 'GET',
    path: '/api/workspace',
    tag: 'Workspaces',
    summary: 'List the workspaces that the caller belongs to',
    description: 'With the role of the caller in each, by id. All of them: the list is not paged.',
    input: exactly({}),
    output: Type.Array(Workspace),
    forEverybody: true,
    example: {},
  }),
  operation('workspaces.create', {
    method: 'POST',
    path: '/api/workspace',
    tag: 'Workspaces',
    summary: 'Create a workspace',
    description: 'The caller becomes its owner.',
    input: CreateWorkspace,
    output: Workspace,
    codes: ['alias-taken', 'replay-hidden'],
    status: 201,
    location: '/api/workspace/{id}',
    forEverybody: true,
    example: { name: 'Beta', alias: 'beta', description: 'What comes next.', defaultAccess: 200 },
  }),
  operation('workspaces.get', {
    method: 'GET',
    path: '/api/workspace/{id}',
    tag: 'Workspaces',
    summary: 'Read a workspace',
    description: 'For its members. To everybody else it does not exist.',
    input: WorkspaceAddress,
    output: Workspace,
    forEverybody: true,
    example: acme,
  }),
  operation('workspaces.update', {
    method: 'PUT',
    path: '/api/workspace/{id}',
    tag: 'Workspaces',
    summary: 'Change a workspace',
    description: 'For role Admin and above. The alias never changes.',
    input: UpdateWorkspace,
    output: Workspace,
    conditional: true,
    example: { ...acme, description: 'Makers of rocket skates.' },
  }),
  operation('workspaces.delete', {
    method: 'DELETE',
    path: '/api/workspace/{id}',
    tag: 'Workspaces',
    summary: 'Delete a workspace',
    description: 'Irreversible: all its pages, boards and tasks go with it.',
    input: WorkspaceAddress,
    output: null,
    conditional: true,
    example: acme,
  }),
];
