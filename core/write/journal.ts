import {
  createdNotes,
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
import type { JobOrigin } from '../model/job.ts';
import type { Context, Ports } from '../ports/context.ts';
import { timestamp } from '../kernel/record.ts';
import type {
  IdentityRepository,
  InvitationRepository,
  SettingsRepository,
  StructureRepository,
  Transaction,
  UserRepository,
} from '../ports/store.ts';
import { override } from './override.ts';
import { removalOf } from '../tree/removal.ts';

type Written = Pick<Change, 'workspaceId' | 'kind' | 'action' | 'recordId' | 'version'>;

interface Noted {
  readonly id: string;
  readonly version: number;
  readonly workspaceId?: string;
}

type Action = 'create' | 'update' | 'delete';

/** What writes one record of a repository. */
interface Writes<T> {
  insert(record: T): Promise<void>;
  replace(record: T): Promise<void>;
  remove(record: T): Promise<void>;
}

/** What one transaction writes, recorded as it is written. */
export class Journal {
  readonly #written: Written[] = [];
  readonly #audit: AuditNote[] = [];

  /** The transaction, with everything written through it recorded. */
  on(tx: Transaction): Transaction {
    return {
      ...tx,
      users: this.#users(tx.users),
      tokens: override(tx.tokens, this.#writes(tx.tokens, 'token', tokenNotes)),
      identities: this.#identities(tx.identities),
      structures: this.#structures(tx.structures),
      invitations: this.#invitations(tx.invitations),
      boards: override(tx.boards, this.#writes(tx.boards, 'board')),
      tasks: override(tx.tasks, {
        ...this.#writes(tx.tasks, 'task'),
        replaceTogether: (tasks) => {
          for (const task of tasks) this.#note('task', 'update', task);
          return tx.tasks.replaceTogether(tasks);
        },
      }),
      comments: override(tx.comments, this.#writes(tx.comments, 'comment')),
      settings: this.#settings(tx.settings),
    };
  }

  /** Writes down what was recorded: by whom, when, and for which request. */
  async append(tx: Transaction, ports: Pick<Ports, 'clock' | 'ids'>, origin: JobOrigin): Promise<void> {
    if (this.#written.length > 0) {
      const { userId, requestId } = origin;
      const by = { userId, requestId, at: timestamp(ports) };
      const { ids } = ports;
      await tx.changes.append(this.#written.map((written) => ({ id: ids.next(), ...written, ...by })));
    }
    await appendAudit(tx, ports, this.#audit, origin);
  }

  #note(kind: ChangeKind, action: Action, { id, version, workspaceId }: Noted): void {
    const where = workspaceId ?? (kind === 'workspace' ? id : null);
    this.#written.push({ workspaceId: where, kind, action, recordId: id, version });
  }

  /** The methods of a repository that write one record, each recording the change it makes. */
  #writes<T extends Noted>(
    repository: Writes<T>,
    kind: ChangeKind,
    audited: (action: Action, record: T) => readonly AuditNote[] = () => [],
  ): Writes<T> {
    const record = (action: Action, written: T): void => {
      this.#note(kind, action, written);
      this.#audit.push(...audited(action, written));
    };
    return {
      insert: (written) => {
        record('create', written);
        return repository.insert(written);
      },
      replace: (written) => {
        record('update', written);
        return repository.replace(written);
      },
      remove: (written) => {
        record('delete', written);
        return repository.remove(written);
      },
    };
  }

  #identities(identities: IdentityRepository): IdentityRepository {
    return override(identities, {
      insert: (identity) => {
        this.#note('identity', 'create', identity);
        this.#audit.push(...identityNotes(identity));
        return identities.insert(identity);
      },
    });
  }

  #invitations(invitations: InvitationRepository): InvitationRepository {
    return override(invitations, {
      insert: (invitation) => {
        this.#note('invitation', 'create', invitation);
        this.#audit.push(...invitationNotes('create', invitation));
        return invitations.insert(invitation);
      },
      replace: (invitation) => {
        this.#note('invitation', 'update', invitation);
        this.#audit.push(...invitationNotes('update', invitation));
        return invitations.replace(invitation);
      },
    });
  }

  #users(users: UserRepository): UserRepository {
    return override(users, {
      insert: (user) => {
        this.#note('user', 'create', user);
        this.#audit.push(...userNotes(null, user));
        return users.insert(user);
      },
      replace: async (user) => {
        this.#note('user', 'update', user);
        this.#audit.push(...userNotes(await users.get(user.id), user));
        await users.replace(user);
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
      change: (structure, change) => {
        const action = (known: unknown): Action => (known === undefined ? 'create' : 'update');
        if (change.workspace !== undefined) this.#note('workspace', 'update', change.workspace);
        for (const member of change.members ?? []) this.#note('member', action(structure.member(member.id)), member);
        for (const page of change.pages ?? []) this.#note('page', action(structure.page(page.id)), page);
        // It is understood that all below goes with it.
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

/** Writes down who did what to who may do what. */
export async function appendAudit(
  tx: Pick<Transaction, 'audit'>,
  ports: Pick<Ports, 'clock' | 'ids'>,
  notes: readonly AuditNote[],
  { userId, requestId }: JobOrigin,
): Promise<void> {
  if (notes.length === 0) return;
  const at = timestamp(ports);
  // Field by field: many are noted at once, and spreading takes several times as long.
  const records = notes.map(({ workspaceId, action, recordId, before, after }) => {
    return { id: ports.ids.next(), workspaceId, action, recordId, before, after, userId, requestId, at };
  });
  await tx.audit.append(records);
}

/** Who makes the call, as far as its transaction has found out. */
export function originOf({ effects, requestId }: Context): JobOrigin {
  return { userId: effects?.userId ?? null, requestId: requestId ?? null };
}
