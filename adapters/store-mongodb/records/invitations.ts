import { invitationFrom, type Invitation, type StoredInvitation } from '../../../core/model/invitation.ts';
import type { InvitationRepository } from '../../../core/ports/store.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import { type Doc, within } from '../query/query.ts';
import { fromDoc, toDoc } from '../query/documents.ts';

export class MongodbInvitations implements InvitationRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async get(id: string): Promise<Invitation | null> {
    const doc = await this.#documents.byId('invitations', id);
    return doc === null ? null : fromInvitationDoc(doc);
  }

  async ofWorkspace(workspaceId: string, after: string | null, limit: number): Promise<readonly Invitation[]> {
    if (limit <= 0) return [];
    const last = after === null ? null : await this.get(after);
    if (after !== null && last?.workspaceId !== workspaceId) return [];
    const behind =
      last === null
        ? {}
        : {
            createdAt: { $gte: last.createdAt },
            $or: [{ createdAt: { $gt: last.createdAt } }, { _id: { $gt: last.id } }],
          };
    const filter = { ...within(workspaceId), ...behind };
    const docs = await this.#documents.query({
      from: 'invitations',
      filter,
      sort: { createdAt: 1, _id: 1 },
      limit,
      workspaceId,
    });
    return docs.map(fromInvitationDoc);
  }

  async pendingBy(workspaceId: string, memberId: string): Promise<readonly Invitation[]> {
    const filter = { ...within(workspaceId), createdById: { $eq: memberId }, status: { $eq: 'pending' } };
    const docs = await this.#documents.query({ from: 'invitations', filter, workspaceId });
    return docs.map(fromInvitationDoc);
  }

  async insert(invitation: Invitation): Promise<void> {
    await this.#documents.insert('invitations', toDoc(invitation));
  }

  async replace(invitation: Invitation): Promise<void> {
    await this.#documents.replace('invitations', toDoc(invitation));
  }
}

function fromInvitationDoc(doc: Doc): Invitation {
  return invitationFrom(fromDoc<StoredInvitation>(doc));
}
