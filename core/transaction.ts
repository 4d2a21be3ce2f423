import type { Change, ChangeKind } from './change.ts';
import type { Context } from './context.ts';
import { timestamp } from './record.ts';
import type { ReadTransaction, StructureRepository, Transaction } from './store.ts';
import { identify } from './user/identify.ts';

/** Runs a reading use case on one snapshot. */
export function read<T>(context: Context, work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
  return context.store.read(work);
}

/** Runs a writing use case. Every record it writes leaves a change record in the same transaction. */
export function write<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return context.store.write(async (tx) => {
    const written: Written[] = [];
    const result = await work(journalled(tx, written));
    if (written.length > 0) await tx.changes.append(await changesFrom(tx, context, written));
    return result;
  });
}

async function changesFrom(tx: ReadTransaction, context: Context, written: readonly Written[]): Promise<Change[]> {
  const { user } = await identify(tx, context);
  const at = timestamp(context);
  const by = { userId: user?.id ?? null, requestId: context.requestId ?? null, at };
  return written.map((change) => ({ id: context.ids.next(), ...change, ...by }));
}

type Written = Pick<Change, 'workspaceId' | 'kind' | 'action' | 'recordId' | 'version'>;
type Note = (kind: ChangeKind, action: Change['action'], record: Noted) => void;

interface Noted {
  readonly id: string;
  readonly version: number;
  readonly workspaceId?: string;
}

function journalled(tx: Transaction, written: Written[]): Transaction {
  const note: Note = (kind, action, { id, version, workspaceId }) => {
    written.push({
      workspaceId: workspaceId ?? (kind === 'workspace' ? id : null),
      kind,
      action,
      recordId: id,
      version,
    });
  };
  return {
    users: watched(tx.users, 'user', note),
    tokens: watched(tx.tokens, 'token', note),
    structures: watchedStructures(tx.structures, note),
    invitations: watched(tx.invitations, 'invitation', note),
    boards: watched(tx.boards, 'board', note),
    tasks: watched(tx.tasks, 'task', note),
    comments: watched(tx.comments, 'comment', note),
    workspaces: tx.workspaces,
    activity: tx.activity,
    purges: tx.purges,
    changes: tx.changes,
  };
}

const ACTIONS = { insert: 'create', replace: 'update', remove: 'delete' } as const;

/** The repository, noting what is written through it. */
function watched<R extends object>(repository: R, kind: ChangeKind, note: Note): R {
  return new Proxy(repository, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      if (typeof name !== 'string' || !Object.hasOwn(ACTIONS, name)) return method.bind(target) as unknown;
      return (record: Noted): unknown => {
        note(kind, ACTIONS[name as keyof typeof ACTIONS], record);
        return method.call(target, record);
      };
    },
  });
}

function watchedStructures(structures: StructureRepository, note: Note): StructureRepository {
  return {
    get: (workspaceId) => structures.get(workspaceId),
    insert(workspace, owner) {
      note('workspace', 'create', workspace);
      note('member', 'create', owner);
      return structures.insert(workspace, owner);
    },
    change(structure, change) {
      if (change.workspace !== undefined) note('workspace', 'update', change.workspace);
      for (const member of change.members ?? []) {
        note('member', structure.member(member.id) === undefined ? 'create' : 'update', member);
      }
      for (const page of change.pages ?? []) {
        note('page', structure.page(page.id) === undefined ? 'create' : 'update', page);
      }
      for (const id of change.removedPages ?? []) {
        const page = structure.page(id);
        if (page !== undefined) note('page', 'delete', page);
      }
      return structures.change(structure, change);
    },
    remove(structure) {
      note('workspace', 'delete', structure.workspace);
      return structures.remove(structure);
    },
  };
}
