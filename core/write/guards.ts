import { conflict, refusedFor } from '../kernel/errors.ts';
import type { Board } from '../model/content/board.ts';
import type { ChangeKind } from '../model/log/change.ts';
import type { Comment } from '../model/content/comment.ts';
import type { Invitation } from '../model/workspace/invitation.ts';
import type { Member } from '../model/workspace/member.ts';
import { type HasMetadata, metadataOf, type WithMetadata } from '../model/metadata.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Task } from '../model/content/task.ts';
import type { Workspace } from '../model/workspace/workspace.ts';
import { assigneesOf } from '../task/assignment.ts';

/** The caller whose write is checked. */
export interface GuardCaller {
  /** Null: the operator. */
  readonly userId: string | null;
  /** Their member in the workspace of the record; null if they have none. */
  readonly memberId: string | null;
  /** Their role there; null if they are not a member. */
  readonly role: number | null;
  /** The id of the request, if it has one. */
  readonly requestId: string | null;
  /** True: the write is a step of a stored job, such as a copy, that an earlier call of this caller started. */
  readonly inSteps: boolean;
}

type WithKind<Kind extends string, T> = T & { readonly kind: Kind };

/** A record of a workspace as a guard sees it, with its kind. Frozen, as is all that it holds. */
export type GuardedRecord =
  | WithKind<'workspace', WithMetadata<Workspace>>
  | WithKind<'member', WithMetadata<Member>>
  | WithKind<'invitation', Invitation>
  | WithKind<'page', WithMetadata<Page>>
  /** A board with its statuses and tags, whose metadata may be absent. */
  | WithKind<'board', WithMetadata<Board>>
  /** `assignees` are the ids of members. */
  | WithKind<'task', WithMetadata<Omit<Task, 'boardEdits'>>>
  | WithKind<'comment', WithMetadata<Comment>>;

/**
 * A rule of the host. It is called inside each write, once for each record of a workspace that the write makes, changes
 * or removes, with the first and the last state: `before` is null for a new record, `after` for a removed one. A text
 * refuses the whole write: 409 `guard-refused` with this detail. It must be synchronous, and without effects, as a
 * write may run twice. If it throws, the call fails without effect.
 *
 * A copy fails if a guard refuses one of its steps or throws there. The step of any other job is retried until no guard
 * refuses it or throws. `onJobFailure` is called with what a guard throws, and for a retried job.
 */
export type Guard = (
  caller: GuardCaller,
  before: GuardedRecord | null,
  after: GuardedRecord | null,
  // oxlint-disable-next-line typescript/no-invalid-void-type -- a function that returns nothing lets the record pass
) => string | null | undefined | void;

/** The known origin of a write. */
export type GuardOrigin = Pick<GuardCaller, 'userId' | 'requestId'> & Partial<Pick<GuardCaller, 'inSteps'>>;

/** A record before and after a write. */
export interface GuardedChange {
  readonly kind: ChangeKind;
  readonly before: WithId | null;
  readonly after: WithId | null;
}

interface WithId extends HasMetadata {
  readonly id: string;
}

/**
 * Asks every guard about every change. O(guards x changes).
 *
 * @param structure of the workspace, as far as the write has read it
 * @throws `guard-refused`
 */
export function requireUnguarded(
  guards: readonly Guard[],
  changes: Iterable<GuardedChange>,
  structure: Structure | null,
  by: GuardOrigin,
): void {
  const { userId, requestId, inSteps = false } = by;
  const member = userId === null ? undefined : structure?.memberOfUser(userId);
  const [memberId, role] = member?.active === true ? [member.id, member.role] : [null, null];
  const caller: GuardCaller = Object.freeze({ userId, memberId, role, requestId, inSteps });
  for (const { kind, before, after } of changes) {
    const [was, is] = [viewOf(kind, before, structure), viewOf(kind, after, structure)];
    for (const guard of guards) {
      const detail: unknown = guard(caller, was, is);
      if (typeof detail === 'string') throw refusedFor((before ?? after)!.id, conflict('guard-refused', detail));
      if (detail === undefined || detail === null) continue;
      // This call fails anyway: a rejection that nobody handles would end the process besides.
      if (detail instanceof Promise) detail.catch(() => undefined);
      throw new TypeError('A guard returns a text or nothing, and no promise.');
    }
  }
}

function viewOf(kind: ChangeKind, record: WithId | null, structure: Structure | null): GuardedRecord | null {
  if (record === null) return null;
  const view: Record<string, unknown> = { kind, ...record, metadata: metadataOf(record) };
  if (kind === 'invitation') delete view['metadata'];
  if (kind === 'task') {
    delete view['boardEdits'];
    if (structure !== null) view['assignees'] = assigneesOf(structure, (record as Task).assignees);
  }
  return frozen(view) as GuardedRecord;
}

/** A deeply frozen copy: the record itself may be shared with the store. */
function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozen));
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, part]) => [name, frozen(part)])));
}
