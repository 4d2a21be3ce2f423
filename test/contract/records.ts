import { v4, v7 } from 'uuid';
import type { AuditRecord } from '../../core/model/log/audit-record.ts';
import type { Board, Status, Tag } from '../../core/model/content/board.ts';
import type { Change, NewChange } from '../../core/model/log/change.ts';
import type { ChecklistItem } from '../../core/model/content/checklist-item.ts';
import type { Comment } from '../../core/model/content/comment.ts';
import type { RemovedName } from '../../core/model/log/history-entry.ts';
import type { Invitation } from '../../core/model/workspace/invitation.ts';
import type { Member } from '../../core/model/workspace/member.ts';
import type { Page } from '../../core/model/workspace/page.ts';
import type { Purge } from '../../core/model/job.ts';
import type { Versioned } from '../../core/kernel/record.ts';
import type { Task } from '../../core/model/content/task.ts';
import type { Token } from '../../core/model/user/token.ts';
import type { TrashItem } from '../../core/model/trash-item.ts';
import type { ExternalIdentity } from '../../core/model/user/external-identity.ts';
import type { User } from '../../core/model/user/user.ts';
import type { Workspace } from '../../core/model/workspace/workspace.ts';

/** Records as use cases would make them, with what a test cares about put in. */

const START = Date.UTC(2026, 0, 1);

/** A timestamp so many milliseconds after the start of 2026. */
export function instant(milliseconds = 0): string {
  return new Date(START + milliseconds).toISOString();
}

export const fresh: Versioned = { createdAt: instant(), updatedAt: instant(), version: 1 };

export function newId(): string {
  return v7();
}

export function user(fields: Partial<User> = {}): User {
  const id = fields.id ?? newId();
  return {
    id,
    name: 'Ada',
    email: `${id}@example.org`,
    emailVerified: true,
    avatar: null,
    phone: null,
    administrator: false,
    disabled: false,
    ...fresh,
    ...fields,
  };
}

export function token(userId: string, fields: Partial<Token> = {}): Token {
  const id = newId();
  return {
    id,
    userId,
    name: 'laptop',
    hash: `hash of ${id}`,
    expiresAt: null,
    createdById: userId,
    ...fresh,
    ...fields,
  };
}

export function identity(userId: string, fields: Partial<ExternalIdentity> = {}): ExternalIdentity {
  const id = newId();
  return { id, userId, issuer: 'https://issuer.example.org', subject: `subject ${id}`, ...fresh, ...fields };
}

export function workspace(fields: Partial<Workspace> = {}): Workspace {
  const id = fields.id ?? newId();
  return { id, name: 'Acme', alias: `acme-${id}`, description: '', defaultAccess: 300, ...fresh, ...fields };
}

export function member(workspaceId: string, fields: Partial<Member> = {}): Member {
  const base = {
    id: newId(),
    workspaceId,
    userId: newId(),
    role: 40,
    position: '',
    active: true,
    leftAt: null,
    membership: 1,
  };
  return { ...base, ...fresh, ...fields };
}

export function page(workspaceId: string, fields: Partial<Page> = {}): Page {
  return {
    id: newId(),
    workspaceId,
    name: 'Page',
    type: 'folder',
    parentId: null,
    orderKey: 0,
    contentId: null,
    boardId: null,
    createdById: newId(),
    settings: { inherit: true, defaultAccess: null, ...fresh },
    entries: {},
    ...fresh,
    ...fields,
  };
}

export function status(fields: Partial<Status> = {}): Status {
  return { id: newId(), name: 'Open', orderKey: 0, done: false, ...fresh, ...fields };
}

export function tag(fields: Partial<Tag> = {}): Tag {
  return { id: newId(), name: 'red', color: 'gray', ...fresh, ...fields };
}

export function board(workspaceId: string, fields: Partial<Board> = {}): Board {
  return {
    id: newId(),
    workspaceId,
    name: 'Board',
    description: '',
    externalId: null,
    createdById: newId(),
    statuses: [status()],
    tags: [],
    ...fresh,
    ...fields,
  };
}

/** A task in the first status of a board. */
export function task(on: Board, num: number, fields: Partial<Task> = {}): Task {
  return {
    id: newId(),
    workspaceId: on.workspaceId,
    num,
    title: `Task ${num}`,
    description: '',
    boardId: on.id,
    statusId: on.statuses[0]?.id ?? newId(),
    statusOrderKey: num * 1024,
    priority: 0,
    complete: false,
    createdById: newId(),
    dateStart: null,
    dateEnd: null,
    externalId: null,
    tags: [],
    assignees: [],
    commentCount: 0,
    ...fresh,
    checklistTotal: 0,
    checklistDone: 0,
    ...fields,
  };
}

export function checklistItem(of: Task, fields: Partial<ChecklistItem> = {}): ChecklistItem {
  return {
    id: newId(),
    workspaceId: of.workspaceId,
    taskId: of.id,
    orderKey: 1024,
    text: 'Ask.',
    done: false,
    assigneeId: newId(),
    ...fields,
  };
}

export function comment(of: Task, fields: Partial<Comment> = {}): Comment {
  return {
    id: newId(),
    workspaceId: of.workspaceId,
    taskId: of.id,
    authorId: newId(),
    content: 'Yes.',
    edited: false,
    externalId: null,
    ...fresh,
    ...fields,
  };
}

export function invitation(workspaceId: string, fields: Partial<Invitation> = {}): Invitation {
  return {
    id: v4(),
    workspaceId,
    email: null,
    role: 20,
    pages: [],
    status: 'pending',
    createdById: newId(),
    issuerMembership: 1,
    expiresAt: instant(1000),
    acceptedAt: null,
    memberId: null,
    ...fresh,
    ...fields,
  };
}

export function change(workspaceId: string | null, fields: Partial<Change> = {}): Change {
  return {
    id: newId(),
    workspaceId,
    kind: 'task',
    action: 'create',
    recordId: newId(),
    version: 1,
    userId: null,
    requestId: null,
    at: instant(),
    ...fields,
  };
}

export function newChange(fields: Partial<NewChange> = {}): NewChange {
  return {
    kind: 'task',
    action: 'update',
    recordId: newId(),
    version: 2,
    pageId: newId(),
    fromPageId: null,
    boardId: newId(),
    fromBoardId: newId(),
    taskId: null,
    fields: ['title', 'statusId'],
    userId: newId(),
    requestId: null,
    at: instant(),
    revision: 7,
    fromRevision: 6,
    entry: null,
    ...fields,
  };
}

export function auditRecord(workspaceId: string | null, fields: Partial<AuditRecord> = {}): AuditRecord {
  return {
    id: newId(),
    workspaceId,
    action: 'page.move',
    recordId: newId(),
    before: { parentId: null },
    after: { parentId: newId() },
    userId: null,
    requestId: null,
    at: instant(),
    ...fields,
  };
}

export function purge(workspaceId: string, fields: Partial<Purge> = {}): Purge {
  return { kind: 'purge', id: newId(), workspaceId, boards: [newId()], notBefore: null, ...fields };
}

export function trashItem(workspaceId: string, fields: Partial<TrashItem> = {}): TrashItem {
  const deleted = task(board(workspaceId), 1);
  return {
    id: deleted.id,
    workspaceId,
    kind: 'task',
    name: deleted.title,
    deletedById: newId(),
    deletedAt: instant(),
    purgeAt: instant(1),
    revision: 1,
    page: null,
    task: deleted,
    boardId: deleted.boardId,
    isTask: true,
    externalId: null,
    isLeaf: true,
    counts: { pages: 0, boards: 0, entries: 0, tasks: 1 },
    boards: [],
    checks: [],
    by: { userId: newId(), requestId: null },
    ...fields,
  };
}
export function removedName(workspaceId: string, fields: Partial<RemovedName> = {}): RemovedName {
  return { id: newId(), workspaceId, boardId: newId(), name: 'Gone', ...fields };
}
