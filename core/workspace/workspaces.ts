import type { WorkspaceAddress } from '../model/address.ts';
import type { Level } from '../model/access/level.ts';
import { principalOf } from '../access/resolve.ts';
import { ADMIN, OWNER } from '../model/access/role.ts';
import { viewerOf, requireRole, type Viewer } from '../access/viewer.ts';
import { enqueueJob } from '../jobs/enqueue-job.ts';
import type { Context } from '../ports/context.ts';
import { conflict, invalid } from '../kernel/errors.ts';
import { newMember, type Member } from '../model/workspace/member.ts';
import { newMetadata, recordChanges, withMetadata, type WritesMetadata } from '../model/metadata.ts';
import { changed, created, expectVersion, timestamp } from '../kernel/record.ts';
import { visitItems } from '../kernel/stepwise.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Membership } from '../ports/structures.ts';
import { yielderOf } from '../ports/yielder.ts';
import { withNamedRecords } from '../write/idempotency/visible-answer.ts';
import { read, write } from '../write/transaction.ts';
import { requireUser } from '../access/identify.ts';
import { requireNotBeingDisabled } from '../user/owners.ts';
import { isId } from '../kernel/id.ts';
import { aliasFrom, isUsableAlias, suffixed } from './alias.ts';
import { indexesFor, enqueueReindexing } from './metadata-indexes.ts';
import {
  type MetadataIndex,
  shownWorkspace,
  type ShownWorkspace,
  type Workspace,
} from '../model/workspace/workspace.ts';

/** What `workspaces.create` takes: a new workspace. */
export interface CreateWorkspace extends WritesMetadata, IndexesMetadata {
  /** 1-200 characters, trimmed. */
  readonly name: string;
  /** Default: derived from the name. */
  readonly alias?: string;
  /** Up to 10,000 characters. Default empty. */
  readonly description?: string;
  /** The level of role Member where no page sets another. Default 300. */
  readonly defaultAccess?: Level;
}

interface IndexesMetadata {
  /** Up to 5 keys of the metadata of tasks to index for filters of lists. */
  readonly indexedMetadata?: readonly string[];
}

/** What `workspaces.update` takes: a workspace, and the fields to change. */
export interface UpdateWorkspace extends WorkspaceAddress, WritesMetadata, IndexesMetadata {
  /** 1-200 characters, trimmed. */
  readonly name?: string;
  /** Up to 10,000 characters. */
  readonly description?: string;
  /** The level of role Member where no page sets another. */
  readonly defaultAccess?: Level;
}

/** A workspace as a member reads it. */
export interface WorkspaceView extends ShownWorkspace {
  /** The role of the caller. */
  readonly role: number;
  /** The member id of the caller. */
  readonly memberId: string;
}

/** Creates a workspace with the caller as its owner. @throws `alias-taken` */
export function createWorkspace(context: Context, input: CreateWorkspace): Promise<WorkspaceView> {
  const answer = withNamedRecords(context, ({ id }: WorkspaceView) => ({ workspaceId: id }));
  return write(answer, async (tx) => {
    const user = await requireUser(tx, context);
    await requireNotBeingDisabled(tx, user.id);
    const at = timestamp(context);
    const workspace: Workspace = {
      id: context.ids.next(),
      name: input.name.trim(),
      alias: await freeAlias(tx, context, input),
      description: input.description ?? '',
      defaultAccess: input.defaultAccess ?? 300,
      ...newMetadata(input.metadata),
      ...(input.indexedMetadata?.length && { metadataIndexes: built(indexesFor(context, [], input.indexedMetadata)) }),
      ...created(at),
    };
    const owner = newMember(context.ids.next(), workspace.id, user.id, OWNER, at);
    await tx.structures.insert(workspace, owner);
    return workspaceView(workspace, owner);
  });
}

export function listWorkspaces(context: Context): Promise<readonly WorkspaceView[]> {
  return read(context, async (tx) => {
    const user = await requireUser(tx, context);
    const own = await tx.structures.ofUser(user.id);
    const views: WorkspaceView[] = [];
    const add = ({ workspace, member }: Membership): void => {
      if (principalOf(member, user) !== null) views.push(workspaceView(workspace, member));
    };
    await visitItems(own, yielderOf(context), add);
    return views;
  });
}

export function getWorkspace(context: Context, input: WorkspaceAddress): Promise<WorkspaceView> {
  return read(context, async (tx) => viewFor(await viewerOf(tx, context, input.workspaceId)));
}

export function updateWorkspace(context: Context, input: UpdateWorkspace): Promise<WorkspaceView> {
  return write(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    requireRole(viewer, ADMIN);
    const { workspace } = viewer.structure;
    expectVersion(context, workspace);
    const shown = { ...viewFor(viewer), workspaceId: workspace.id };
    const writable = ['name', 'description', 'defaultAccess', 'indexedMetadata'] as const;
    const { changes, metadata, isEmpty } = recordChanges(workspace, input, shown, writable);
    if (isEmpty) return viewFor(viewer);
    const name = changes.name?.trim() ?? workspace.name;
    const { indexedMetadata, ...fields } = changes;
    const before = workspace.metadataIndexes ?? [];
    const indexes = indexedMetadata && { metadataIndexes: indexesFor(context, before, indexedMetadata) };
    const next = changed(withMetadata(workspace, metadata), { ...fields, name, ...indexes }, timestamp(context));
    await tx.structures.change(viewer.structure, { workspace: next });
    await enqueueReindexing(tx, context, next, before);
    return workspaceView(next, viewer.member);
  });
}

/**
 * Deletes a workspace with all pages, boards and tasks, irreversibly. It is unreachable at once; a job removes its
 * records.
 */
export function deleteWorkspace(context: Context, input: WorkspaceAddress): Promise<void> {
  return write(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const { structure } = viewer;
    requireRole(viewer, OWNER);
    expectVersion(context, structure.workspace);
    await tx.structures.remove(structure);
    const job = { kind: 'workspace-removal', id: context.ids.next(), workspaceId: input.workspaceId } as const;
    await enqueueJob(tx, context, { ...job, notBefore: null });
  });
}

/** The most aliases that are tried one after another. Others who ask for the same name then get a random one. */
const NUMBERED = 20;

async function freeAlias(tx: ReadTransaction, context: Context, input: CreateWorkspace): Promise<string> {
  if (input.alias !== undefined) {
    requireUsable(input.alias);
    if ((await tx.workspaces.by({ alias: input.alias })) === null) return input.alias;
    throw conflict('alias-taken', 'Another workspace has this alias: choose another, or omit it.');
  }
  const alias = aliasFrom(input.name);
  for (let n = 1; n <= NUMBERED; n++) {
    const candidate = n === 1 ? alias : suffixed(alias, String(n));
    if (!isUsableAlias(candidate)) continue;
    if ((await tx.workspaces.by({ alias: candidate })) === null) return candidate;
  }
  return suffixed(alias, context.ids.secret().slice(0, 8));
}

/** @throws `invalid-input` for a UUID, a reserved word or an invalid alias */
function requireUsable(alias: string): void {
  if (isId(alias)) throw invalid('/alias', 'must not have the form of a UUID, which is always an id');
  if (!isUsableAlias(alias)) throw invalid('/alias', 'is a reserved word: choose another');
}

function viewFor(viewer: Viewer): WorkspaceView {
  return workspaceView(viewer.structure.workspace, viewer.member);
}

/** A workspace as a member of it reads it. */
export function workspaceView(workspace: Workspace, member: Member): WorkspaceView {
  return { ...shownWorkspace(workspace), role: member.role, memberId: member.id };
}

/** The indexes of a workspace without tasks: they are complete from the start. */
function built(indexes: readonly MetadataIndex[]): readonly MetadataIndex[] {
  return indexes.map((index) => ({ ...index, built: true }));
}
