import {
  createdNotes,
  openedNotes,
  stagedNotes,
  deletedNotes,
  identityNotes,
  invitationNotes,
  quotaNotes,
  structureNotes,
  tokenNotes,
  userNotes,
} from './audit-diff.ts';
import type { AuditNote } from '../model/audit-record.ts';
import type { Change, ChangeKind } from '../model/change.ts';
import type { ExternalIdentity } from '../model/external-identity.ts';
import type { Invitation } from '../model/invitation.ts';
import type { JobOrigin } from '../model/job.ts';
import type { User } from '../model/user.ts';
import type { Context, Ports } from '../ports/context.ts';
import { timestamp } from '../kernel/record.ts';
import { type CollectionName, specOf } from '../model/collections.ts';
import type { AnyCollection, Collections } from '../ports/collection.ts';
import type { SettingsRepository, StructureRepository, TaskRepository, Transaction } from '../ports/store.ts';
import { withParts } from '../ports/lazy-transaction.ts';
import { CollectionWrapper } from './collection-wrapper.ts';
import { override } from './override.ts';
import { removalOf } from '../tree/removal.ts';

type Written = Pick<Change, 'workspaceId' | 'kind' | 'action' | 'recordId' | 'version'>;

interface Noted {
  readonly id: string;
  readonly version: number;
  readonly workspaceId?: string;
}

type Action = 'create' | 'update' | 'delete';

/** Called before each record is written. */
type OnWrite = (action: Action, record: Noted) => Promise<void>;

/** A collection that reports writes. */
class JournaledCollection extends CollectionWrapper<Noted> {
  readonly #onWrite: OnWrite;

  constructor(inner: AnyCollection<Noted>, onWrite: OnWrite) {
    super(inner);
    this.#onWrite = onWrite;
  }

  override async insert(record: Noted): Promise<void> {
    await this.#onWrite('create', record);
    await super.insert(record);
  }

  override async replace(record: Noted): Promise<void> {
    await this.#onWrite('update', record);
    await super.replace(record);
  }

  override async remove(record: Noted): Promise<void> {
    await this.#onWrite('delete', record);
    await super.remove(record);
  }
}

/** The audit records of a write of one record. */
type Audited = (
  action: Action,
  record: never,
  collections: Collections,
) => readonly AuditNote[] | Promise<readonly AuditNote[]>;

/** By collection. Writes to the others leave no audit records. */
const AUDITED: Partial<Record<CollectionName, Audited>> = {
  users: async (action, user: User, { users }) =>
    userNotes(action === 'create' ? null : await users.get(user.id), user),
  tokens: tokenNotes,
  identities: (_, identity: ExternalIdentity) => identityNotes(identity),
  invitations: (action, invitation: Invitation) =>
    invitationNotes(action === 'create' ? 'create' : 'update', invitation),
};

/** Collects the change and audit records of one transaction. */
export class Journal {
  readonly #written: Written[] = [];
  readonly #audit: AuditNote[] = [];

  /** The transaction; everything written through it is recorded. */
  on(tx: Transaction): Transaction {
    const parts = {
      structures: this.#structures(tx.structures),
      tasks: this.#tasks(tx.tasks),
      settings: this.#settings(tx.settings),
    };
    return withParts(tx, parts, (name) => this.#collection(name, tx as unknown as Collections));
  }

  /** Writes the collected records, with author, time and request. */
  async append(tx: Transaction, ports: Pick<Ports, 'clock' | 'ids'>, origin: JobOrigin): Promise<void> {
    if (this.#written.length > 0) {
      const { userId, requestId } = origin;
      const by = { userId, requestId, at: timestamp(ports) };
      const { ids } = ports;
      for (const written of this.#written) await tx.changes.insert({ id: ids.next(), ...written, ...by });
    }
    await appendAudit(tx, ports, this.#audit, origin);
  }

  #note(kind: ChangeKind, action: Action, { id, version, workspaceId }: Noted): void {
    const where = workspaceId ?? (kind === 'workspace' ? id : null);
    this.#written.push({ workspaceId: where, kind, action, recordId: id, version });
  }

  #collection(name: CollectionName, collections: Collections): JournaledCollection | undefined {
    const kind = specOf(name).journal;
    if (kind === undefined) return undefined;
    const audited = AUDITED[name];
    return new JournaledCollection(collections[name] as unknown as AnyCollection<Noted>, async (action, record) => {
      this.#note(kind, action, record);
      if (audited !== undefined) this.#audit.push(...(await audited(action, record as never, collections)));
    });
  }

  #tasks(tasks: TaskRepository): TaskRepository {
    return override(tasks, {
      insert: (task) => {
        this.#note('task', 'create', task);
        return tasks.insert(task);
      },
      replace: (task) => {
        this.#note('task', 'update', task);
        return tasks.replace(task);
      },
      replaceTogether: (all) => {
        for (const task of all) this.#note('task', 'update', task);
        return tasks.replaceTogether(all);
      },
      remove: (task) => {
        this.#note('task', 'delete', task);
        return tasks.remove(task);
      },
    });
  }

  #settings(settings: SettingsRepository): SettingsRepository {
    return override(settings, {
      put: async (after) => {
        this.#audit.push(...quotaNotes(await settings.get(), after));
        await settings.put(after);
      },
    });
  }

  #structures(structures: StructureRepository): StructureRepository {
    return override(structures, {
      insert: (workspace, owner) => {
        this.#note('workspace', 'create', workspace);
        this.#note('member', 'create', owner);
        this.#audit.push(...createdNotes(workspace, owner));
        return structures.insert(workspace, owner);
      },
      stage: (workspaceId, staged) => {
        for (const member of staged.members ?? []) this.#note('member', 'create', member);
        for (const page of staged.pages ?? []) this.#note('page', 'create', page);
        this.#audit.push(...stagedNotes(workspaceId, staged));
        return structures.stage(workspaceId, staged);
      },
      open: (structure) => {
        this.#note('workspace', 'create', structure.workspace);
        this.#audit.push(...openedNotes(structure.workspace));
        return structures.open(structure);
      },
      change: (structure, change) => {
        const action = (known: unknown): Action => (known === undefined ? 'create' : 'update');
        if (change.workspace !== undefined) this.#note('workspace', 'update', change.workspace);
        for (const member of change.members ?? []) this.#note('member', action(structure.member(member.id)), member);
        for (const page of change.pages ?? []) this.#note('page', action(structure.page(page.id)), page);
        // The deletion of a root implies that of its descendants.
        for (const page of removalOf(structure, change).roots) this.#note('page', 'delete', page);
        for (const note of structureNotes(structure, change)) this.#audit.push(note);
        return structures.change(structure, change);
      },
      remove: (structure) => {
        this.#note('workspace', 'delete', structure.workspace);
        this.#audit.push(...deletedNotes(structure.workspace));
        return structures.remove(structure);
      },
    });
  }
}

/** Writes audit records with author, time and request. */
export async function appendAudit(
  tx: Pick<Transaction, 'audit'>,
  ports: Pick<Ports, 'clock' | 'ids'>,
  notes: readonly AuditNote[],
  { userId, requestId }: JobOrigin,
): Promise<void> {
  if (notes.length === 0) return;
  const at = timestamp(ports);
  // Field by field: there may be many, and spreading takes several times as long.
  for (const { workspaceId, action, recordId, before, after } of notes) {
    const id = ports.ids.next();
    await tx.audit.insert({ id, workspaceId, action, recordId, before, after, userId, requestId, at });
  }
}

/** The user and request of a call. The user is known after `identify` has run in its transaction. */
export function originOf({ effects, requestId }: Context): JobOrigin {
  return { userId: effects?.userId ?? null, requestId: requestId ?? null };
}
