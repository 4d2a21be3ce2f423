import {
  createdNotes,
  deletedNotes,
  identityNotes,
  invitationNotes,
  structureNotes,
  tokenNotes,
  userNotes,
} from './audit-diff.ts';
import type { AuditNote } from '../model/audit-record.ts';
import type { Change, ChangeKind } from '../model/change.ts';
import type { JobOrigin } from '../model/job.ts';
import type { Context, Ports } from '../ports/context.ts';
import type { Invitation } from '../model/invitation.ts';
import { timestamp } from '../kernel/record.ts';
import type { StructureRepository, Transaction, UserRepository } from '../ports/store.ts';
import { removalOf } from '../tree/removal.ts';
import type { Token } from '../model/token.ts';
import type { ExternalIdentity } from '../model/external-identity.ts';

type Written = Pick<Change, 'workspaceId' | 'kind' | 'action' | 'recordId' | 'version'>;

interface Noted {
  readonly id: string;
  readonly version: number;
  readonly workspaceId?: string;
}

const ACTIONS = { insert: 'create', replace: 'update', remove: 'delete' } as const;

type Action = (typeof ACTIONS)[keyof typeof ACTIONS];

/** What one transaction writes, noted as it is written. */
export class Journal {
  readonly #written: Written[] = [];
  readonly #audit: AuditNote[] = [];

  /** The transaction, with everything written through it noted. */
  on(tx: Transaction): Transaction {
    return {
      users: this.#users(tx.users),
      tokens: this.#watched(tx.tokens, 'token', (action, token) => tokenNotes(action as 'create', token as Token)),
      identities: this.#watched(tx.identities, 'identity', (_, identity) =>
        identityNotes(identity as ExternalIdentity),
      ),
      structures: this.#structures(tx.structures),
      invitations: this.#watched(tx.invitations, 'invitation', (action, invitation) =>
        invitationNotes(action as 'create', invitation as Invitation),
      ),
      boards: this.#watched(tx.boards, 'board'),
      tasks: this.#watched(tx.tasks, 'task'),
      comments: this.#watched(tx.comments, 'comment'),
      workspaces: tx.workspaces,
      activity: tx.activity,
      jobs: tx.jobs,
      changes: tx.changes,
      audit: tx.audit,
      replays: tx.replays,
    };
  }

  /** Writes down what was noted: by whom, when, and for which request. */
  async append(tx: Transaction, ports: Pick<Ports, 'clock' | 'ids'>, { userId, requestId }: JobOrigin): Promise<void> {
    if (this.#written.length === 0) return;
    const by = { userId, requestId, at: timestamp(ports) };
    const { ids } = ports;
    await tx.changes.append(this.#written.map((written) => ({ id: ids.next(), ...written, ...by })));
    if (this.#audit.length > 0) {
      // Field by field: a great many are noted at once, and spreading takes several times as long.
      const audit = this.#audit.map(({ workspaceId, action, recordId, before, after }) => {
        return { id: ids.next(), workspaceId, action, recordId, before, after, ...by };
      });
      await tx.audit.append(audit);
    }
  }

  #note(kind: ChangeKind, action: Action, { id, version, workspaceId }: Noted): void {
    const where = workspaceId ?? (kind === 'workspace' ? id : null);
    this.#written.push({ workspaceId: where, kind, action, recordId: id, version });
  }

  #watched<R extends object>(
    repository: R,
    kind: ChangeKind,
    audited?: (action: Action, record: Noted) => AuditNote[],
  ): R {
    return new Proxy(repository, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        if (typeof name !== 'string' || !Object.hasOwn(ACTIONS, name)) return method.bind(target) as unknown;
        const action = ACTIONS[name as keyof typeof ACTIONS];
        return (record: Noted): unknown => {
          this.#note(kind, action, record);
          if (audited !== undefined) this.#audit.push(...audited(action, record));
          return method.call(target, record);
        };
      },
    });
  }

  #users(users: UserRepository): UserRepository {
    const watched = this.#watched(users, 'user');
    return new Proxy(watched, {
      get: (target, name) => {
        if (name !== 'insert' && name !== 'replace') return Reflect.get(target, name) as unknown;
        return async (user: Parameters<UserRepository['insert']>[0]): Promise<void> => {
          this.#audit.push(...userNotes(name === 'insert' ? null : await users.get(user.id), user));
          await target[name](user);
        };
      },
    });
  }

  #structures(structures: StructureRepository): StructureRepository {
    return {
      get: (workspaceId) => structures.get(workspaceId),
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
        for (const page of removalOf(structure, change).topmost) this.#note('page', 'delete', page);
        for (const note of structureNotes(structure, change)) this.#audit.push(note);
        return structures.change(structure, change);
      },
      remove: (structure) => {
        this.#note('workspace', 'delete', structure.workspace);
        this.#audit.push(...deletedNotes(structure.workspace));
        return structures.remove(structure);
      },
      sweep: (workspaceId, removedPageId, limit) => structures.sweep(workspaceId, removedPageId, limit),
    };
  }
}

/** Who makes the call, as far as its transaction has found out. */
export function originOf({ effects, requestId }: Context): JobOrigin {
  return { userId: effects?.userId ?? null, requestId: requestId ?? null };
}
