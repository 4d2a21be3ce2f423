import type { Board } from '../../../core/model/board.ts';
import type { Comment } from '../../../core/model/comment.ts';
import { type Invitation, invitationFrom, type StoredInvitation } from '../../../core/model/invitation.ts';
import type { Member } from '../../../core/model/member.ts';
import type { Workspace } from '../../../core/model/workspace.ts';
import type {
  BoardRepository,
  CommentRepository,
  InvitationRepository,
  WorkspaceRepository,
} from '../../../core/ports/store.ts';
import { fromDoc, fromMemberDoc } from '../query/documents.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import { type Doc, within } from '../query/query.ts';
import { RecordCollection } from './record-collection.ts';

const LOOK_UP_WORKSPACE = {
  $lookup: { from: 'workspaces', localField: 'workspaceId', foreignField: '_id', as: 'workspaces' },
};

/** Workspaces are written with their structure. */
export class MongodbWorkspaces extends RecordCollection<Workspace> implements WorkspaceRepository {
  constructor(documents: DocumentWriter) {
    super(documents, 'workspaces');
  }

  byAlias(alias: string): Promise<Workspace | null> {
    return this.byValue('alias', alias);
  }

  async ofUser(userId: string): Promise<readonly { readonly workspace: Workspace; readonly member: Member }[]> {
    const docs = await this.documents.query({
      from: 'members',
      filter: { userId: { $eq: userId }, active: { $eq: true } },
      sort: { workspaceId: 1 },
      stagesAfter: [LOOK_UP_WORKSPACE],
      alsoReads: ['workspaces'],
    });
    return docs.flatMap(({ workspaces, ...member }) => {
      const [workspace] = workspaces as Doc[];
      return workspace === undefined
        ? []
        : [{ workspace: fromDoc<Workspace>(workspace), member: fromMemberDoc(member) }];
    });
  }

  async countOfUser(userId: string, limit: number): Promise<number> {
    await this.documents.lockExclusive(`workspaces/${userId}`);
    const filter = { userId: { $eq: userId }, active: { $eq: true } };
    // Members of a workspace that is gone may wait to be removed.
    const stagesAfter = [LOOK_UP_WORKSPACE, { $match: { workspaces: { $ne: [] } } }, { $limit: limit }];
    return (await this.documents.query({ from: 'members', filter, stagesAfter, alsoReads: ['workspaces'] })).length;
  }

  list(after: string | null, limit: number): Promise<readonly Workspace[]> {
    return this.listById(null, {}, after, limit);
  }
}

export class MongodbInvitations extends RecordCollection<Invitation> implements InvitationRepository {
  constructor(documents: DocumentWriter) {
    super(documents, 'invitations');
  }

  get(id: string): Promise<Invitation | null> {
    return this.byId(id);
  }

  async ofWorkspace(workspaceId: string, after: string | null, limit: number): Promise<readonly Invitation[]> {
    if (limit <= 0) return [];
    const last = after === null ? null : await this.get(after);
    if (after !== null && last?.workspaceId !== workspaceId) return [];
    return this.all(workspaceId, last === null ? {} : createdAfter(last), { sort: { createdAt: 1, _id: 1 }, limit });
  }

  pendingBy(workspaceId: string, memberId: string, membership: number, limit: number): Promise<readonly Invitation[]> {
    // Those without a number are of the first membership.
    const issuerMembership = { $in: membership === 1 ? [1, null] : [membership] };
    const filter = { createdById: { $eq: memberId }, status: { $eq: 'pending' }, issuerMembership };
    return this.all(workspaceId, filter, { limit });
  }

  /** Every write in a workspace excludes the others: no further lock is needed. */
  async countPending(workspaceId: string, now: string, limit: number): Promise<number> {
    return (await this.all(workspaceId, { status: { $eq: 'pending' }, expiresAt: { $gt: now } }, { limit })).length;
  }

  protected override fromDoc(doc: Doc): Invitation {
    return invitationFrom(fromDoc<StoredInvitation>(doc));
  }
}

function createdAfter({ createdAt, id }: Invitation) {
  return { createdAt: { $gte: createdAt }, $or: [{ createdAt: { $gt: createdAt } }, { _id: { $gt: id } }] };
}

export class MongodbBoards extends RecordCollection<Board> implements BoardRepository {
  constructor(documents: DocumentWriter) {
    super(documents, 'boards');
  }

  get(workspaceId: string, id: string): Promise<Board | null> {
    return this.byId(id, workspaceId);
  }

  async many(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Board>> {
    const [first, ...others] = ids;
    if (first === undefined) return new Map();
    const one = others.length === 0 ? await this.get(workspaceId, first) : null;
    const boards =
      others.length === 0 ? (one === null ? [] : [one]) : await this.all(workspaceId, { _id: { $in: [...ids] } });
    return new Map(boards.map((board) => [board.id, board]));
  }

  byExternalId(workspaceId: string, externalId: string): Promise<Board | null> {
    return this.byValue('externalId', externalId, workspaceId);
  }
}

export class MongodbComments extends RecordCollection<Comment> implements CommentRepository {
  constructor(documents: DocumentWriter) {
    super(documents, 'comments');
  }

  async get(workspaceId: string, taskId: string, id: string): Promise<Comment | null> {
    const comment = await this.byId(id, workspaceId);
    return comment?.taskId === taskId ? comment : null;
  }

  byExternalId(workspaceId: string, externalId: string): Promise<Comment | null> {
    return this.byValue('externalId', externalId, workspaceId);
  }

  ofTask(workspaceId: string, taskId: string): Promise<readonly Comment[]> {
    return this.all(workspaceId, { taskId: { $eq: taskId } }, { sort: { createdAt: 1, _id: 1 } });
  }

  async removeOfTask(workspaceId: string, taskId: string, limit?: number): Promise<boolean> {
    const filter = { ...within(workspaceId), taskId: { $eq: taskId } };
    if (limit === undefined) {
      await this.documents.writeUnindexed('comments', { deleteMany: { filter } }, workspaceId);
      return false;
    }
    const found = await this.all(workspaceId, { taskId: { $eq: taskId } }, { limit: limit + 1 });
    for (const comment of found.slice(0, limit)) await this.remove(comment);
    return found.length > limit;
  }
}
