import { identityAudit, invitationAudit, quotaAudit, tokenAudit, userAudit } from './audit-diff.ts';
import type { AuditDraft } from '../../model/log/audit-record.ts';
import type { ChecklistItem } from '../../model/content/checklist-item.ts';
import type { Change, ChangeAction, ChangeKind } from '../../model/log/change.ts';
import type { ExternalIdentity } from '../../model/user/external-identity.ts';
import type { Invitation } from '../../model/workspace/invitation.ts';
import type { JobOrigin } from '../../model/job.ts';
import type { Structure } from '../../model/workspace/structure.ts';
import type { User } from '../../model/user/user.ts';
import type { Context, Ports } from '../../ports/context.ts';
import { timestamp } from '../../kernel/record.ts';
import { type CollectionName, specOf } from '../../model/collections.ts';
import type { AnyCollection, Collections } from '../../ports/collection.ts';
import type { LogHead } from '../../ports/change-log.ts';
import type { SettingsRepository, Transaction } from '../../ports/store.ts';
import type { StructureRepository } from '../../ports/structures.ts';
import { withParts } from '../../ports/lazy-transaction.ts';
import { CollectionWrapper } from '../collection-wrapper.ts';
import { type GuardedChange, type GuardOrigin, requireUnguarded } from '../guards.ts';
import { JournaledStructures, CollectedStructures } from './journaled-structures.ts';
import { JournaledTasks, JournaledTaskUpdates } from './journaled-tasks.ts';
import type { JournaledRecord } from './changed-fields.ts';
import { PendingChanges } from './pending-changes.ts';
import { trimLog } from './trim-log.ts';
import { cursorText } from '../../changes/cursor.ts';
import { recordWrittenIds } from './written-ids.ts';

/** A change of a record outside of workspaces. */
type ServiceChange = Pick<Change, 'kind' | 'action' | 'recordId' | 'version'>;

interface JournaledItem extends JournaledRecord {
  readonly workspaceId?: string;
  /** Of a token or an identity. */
  readonly userId?: string;
  /** Of what belongs to a task. */
  readonly taskId?: string;
}

/** Called before each record is written. */
type OnWrite = (action: ChangeAction, record: JournaledItem) => Promise<void>;

/** A collection that reports writes. */
class JournaledCollection extends CollectionWrapper<JournaledItem> {
  readonly #onWrite: OnWrite;

  constructor(inner: AnyCollection<JournaledItem>, onWrite: OnWrite) {
    super(inner);
    this.#onWrite = onWrite;
  }

  override async insert(record: JournaledItem): Promise<void> {
    await this.#onWrite('create', record);
    await super.insert(record);
  }

  override async replace(record: JournaledItem): Promise<void> {
    await this.#onWrite('update', record);
    await super.replace(record);
  }

  override async remove(record: JournaledItem): Promise<void> {
    await this.#onWrite('delete', record);
    await super.remove(record);
  }
}

/** The audit records of a write of one record. */
type Audited = (
  action: ChangeAction,
  record: never,
  collections: Collections,
) => readonly AuditDraft[] | Promise<readonly AuditDraft[]>;

/** By collection. Writes to the others leave no audit records. */
const AUDITED: Partial<Record<CollectionName, Audited>> = {
  users: async (action, user: User, { users }) =>
    userAudit(action === 'create' ? null : await users.get(user.id), user),
  tokens: tokenAudit,
  identities: (_, identity: ExternalIdentity) => identityAudit(identity),
  invitations: (action, invitation: Invitation) =>
    invitationAudit(action === 'create' ? 'create' : 'update', invitation),
};

/** Collects the change and audit records of one transaction. */
export class Journal {
  readonly #workspaces = new Map<string, PendingChanges>();
  /** The bounds of the logs after {@link append}, by workspace. */
  readonly #heads = new Map<string, LogHead>();
  readonly #serviceChanges: ServiceChange[] = [];
  readonly #audit: AuditDraft[] = [];
  /** Changes of workspaces that are being imported: they have no readers yet. */
  readonly #unlogged: GuardedChange[] = [];
  /** Users whose profile, tokens or identities were changed. */
  readonly #users: string[] = [];
  /**
   * The structures that the transaction has made, for the cache of recent structures: only the last of successive
   * changes to one workspace, and the one that the reported cursor refers to.
   */
  readonly structures: Structure[] = [];

  /** The transaction; everything written through it is recorded, large changes in steps if there is a yielder. */
  on(tx: Transaction, { yielder }: Pick<Ports, 'yielder'> = {}): Transaction {
    const parts = {
      structures: () => this.#structures(tx.structures, yielder),
      tasks: () => new JournaledTasks(tx.tasks, (workspaceId) => this.#of(workspaceId)),
      settings: () => this.#settings(tx.settings),
    };
    return withParts(tx, parts, (name) => this.#collection(name, tx as unknown as Collections));
  }

  /**
   * The transaction; only updates of tasks are recorded, and structures collected: all other writes remove unreachable
   * records.
   */
  onTaskUpdates(tx: Transaction): Transaction {
    const tasks = () => new JournaledTaskUpdates(tx.tasks, (workspaceId) => this.#of(workspaceId));
    return withParts(tx, { tasks, structures: () => new CollectedStructures(tx.structures, this.structures) });
  }

  /** Asks the guards of the host about what is written so far. Without guards it does nothing. @throws `guard-refused` */
  async guard(tx: Transaction, { guards = [] }: Pick<Ports, 'guards'>, origin: GuardOrigin): Promise<void> {
    if (guards.length === 0) return;
    for (const changes of this.#workspaces.values()) await changes.guard(tx, guards, origin);
    requireUnguarded(guards, this.#unlogged, null, origin);
  }

  /** Writes the collected records, with author, time and request. */
  async append(
    tx: Transaction,
    ports: Pick<Ports, 'clock' | 'ids' | 'keepChanges' | 'yielder'>,
    origin: JobOrigin,
  ): Promise<void> {
    const { userId, requestId } = origin;
    const by = { userId, requestId, at: timestamp(ports) };
    const ids = this.#users;
    for (const [workspaceId, changes] of this.#workspaces) {
      const logged = await changes.append(tx, by, ports.yielder?.());
      if (logged === null) continue;
      ids.push(workspaceId);
      this.#heads.set(workspaceId, logged.head);
      const trimming = trimLog(tx, workspaceId, logged, ports);
      if (trimming !== null) await trimming;
    }
    if (ids.length > 0) recordWrittenIds(tx, ids);
    for (const change of this.#serviceChanges) {
      await tx.changes.insert({ id: ports.ids.next(), workspaceId: null, ...change, ...by });
    }
    if (this.#audit.length > 0) await appendAudit(tx, ports, this.#audit, origin);
  }

  /** The cursor after what was written, undefined unless that is in one workspace. To be called after {@link append}. */
  async cursorAfter(tx: Transaction): Promise<string | undefined> {
    const [only, ...others] = this.#workspaces;
    if (only === undefined || others.length > 0) return undefined;
    const [workspaceId, { structure }] = only;
    if (structure == null) return undefined;
    if (this.structures.at(-1) !== structure) this.structures.push(structure);
    const head = this.#heads.get(workspaceId) ?? (await tx.changeLog.head(workspaceId));
    return cursorText(head, { offset: head.last, revision: structure.revision });
  }

  #of(workspaceId: string): PendingChanges {
    let changes = this.#workspaces.get(workspaceId);
    if (changes === undefined) this.#workspaces.set(workspaceId, (changes = new PendingChanges(workspaceId)));
    return changes;
  }

  #collection(name: CollectionName, collections: Collections): JournaledCollection | undefined {
    const { journal: kind, partOfTask } = specOf(name);
    if (partOfTask !== undefined) {
      const part = collections[name] as unknown as AnyCollection<JournaledItem>;
      return new JournaledCollection(part, async (action, item) => {
        const { workspaceId, id } = item as unknown as ChecklistItem;
        const before = action === 'create' ? null : ((await part.get(workspaceId, id)) as ChecklistItem | null);
        this.#of(workspaceId).addItem(before, action === 'delete' ? null : (item as unknown as ChecklistItem));
      });
    }
    if (name === 'trash') {
      return new JournaledCollection(collections.trash as unknown as AnyCollection<JournaledItem>, (action, item) => {
        if (action !== 'update') this.#of(item.workspaceId!).trashed(item.id, action === 'create');
        return Promise.resolve();
      });
    }
    if (kind === undefined) return undefined;
    const audited = AUDITED[name];
    const inner = collections[name] as unknown as AnyCollection<JournaledItem>;
    return new JournaledCollection(inner, async (action, record) => {
      await this.#note(kind, inner, action, record);
      if (audited !== undefined) this.#audit.push(...(await audited(action, record as never, collections)));
    });
  }

  async #note(
    kind: ChangeKind,
    inner: AnyCollection<JournaledItem>,
    action: ChangeAction,
    record: JournaledItem,
  ): Promise<void> {
    const { id, version, workspaceId } = record;
    if (workspaceId === undefined) {
      this.#serviceChanges.push({ kind, action, recordId: id, version });
      if (action !== 'create') this.#users.push(record.userId ?? id);
      return;
    }
    const changes = this.#of(workspaceId);
    // An invitation is found by its id alone.
    const key = kind === 'invitation' ? [id] : [workspaceId, id];
    const before = action === 'create' ? null : await inner.get(...key);
    changes.add(kind, changes.written(kind, id) ?? before, action === 'delete' ? null : record);
  }

  #structures(structures: StructureRepository, yielder: Ports['yielder']): StructureRepository {
    const changesIn = (workspaceId: string) => this.#of(workspaceId);
    const journal = { changesIn, audit: this.#audit, unlogged: this.#unlogged, structures: this.structures, yielder };
    return new JournaledStructures(structures, journal);
  }

  #settings(settings: SettingsRepository): SettingsRepository {
    return {
      get: (options) => settings.get(options),
      put: async (after) => {
        this.#audit.push(...quotaAudit(await settings.get({ latest: true }), after));
        await settings.put(after);
      },
    };
  }
}

/** Writes audit records with author, time and request. */
export async function appendAudit(
  tx: Pick<Transaction, 'audit'>,
  ports: Pick<Ports, 'clock' | 'ids'>,
  drafts: readonly AuditDraft[],
  { userId, requestId }: JobOrigin,
): Promise<void> {
  if (drafts.length === 0) return;
  const at = timestamp(ports);
  // Field by field: there may be many, and spreading takes several times as long.
  for (const { workspaceId, action, recordId, before, after } of drafts) {
    const id = ports.ids.next();
    await tx.audit.insert({ id, workspaceId, action, recordId, before, after, userId, requestId, at });
  }
}

/** The user and request of a call. The user is known after `identify` has run in its transaction. */
export function originOf({ effects, requestId }: Context): JobOrigin {
  return { userId: effects?.userId ?? null, requestId: requestId ?? null };
}
