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
    description: `The short name, unique in the service. It never changes.${description}`,
    examples: ['acme'],
  });

const own = {
  name: name(200, { description: 'The display name.', examples: ['Acme'] }),
  description: text(10_000, { description: 'The description.' }),
  defaultAccess: level({ description: 'The level of role Member on pages that set no other.' }),
};

const indexedMetadata = list(
  Type.String({ pattern: METADATA.key, minLength: 1, maxLength: METADATA.longestKey }),
  INDEXED_KEYS,
  {
    uniqueItems: true,
    description:
      'Keys of the metadata of tasks that have an index: lists filter by them without examining every task. A new index is built in the background; answers are correct meanwhile.',
  },
);

export const Workspace = record(
  'Workspace',
  'A workspace, as the calling member sees it.',
  exactly({
    id: id({ description: 'The id of the workspace.' }),
    alias: alias(''),
    ...own,
    metadata,
    indexedMetadata,
    role: shownRole({ description: 'The role of the caller: 40 Owner, 30 Admin, 20 Member, 10 Guest.' }),
    memberId: id({ description: 'The id of the caller as a member.' }),
    ...versioned,
  }),
);

export const CreateWorkspace = body(
  'CreateWorkspace',
  exactly({
    name: own.name,
    alias: optional(
      alias(
        ' Default: derived from the name. It can replace the id of the workspace in a path, so it must not have the form of a UUID, nor be a word that paths have in this place.',
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
    description: 'With the role of the caller in each, by id. The list is not paged.',
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
    description: 'For members. For everybody else it does not exist.',
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
    description: 'For owners. Also deletes all its pages, boards and tasks, and cannot be undone.',
    input: WorkspaceAddress,
    output: null,
    conditional: true,
    example: acme,
  }),
];
