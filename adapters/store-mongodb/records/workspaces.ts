import type { Member } from '../../../core/model/member.ts';
import type { WorkspaceReads } from '../../../core/ports/store.ts';
import type { Workspace } from '../../../core/model/workspace.ts';
import { fromDoc, fromDocOrNull, fromMemberDoc } from '../query/documents.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import type { Doc } from '../query/query.ts';

export class MongodbWorkspaces implements WorkspaceReads {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async byAlias(alias: string): Promise<Workspace | null> {
    return fromDocOrNull(await this.#documents.byValue('workspaces', 'alias', alias));
  }

  async ofUser(userId: string): Promise<readonly { readonly workspace: Workspace; readonly member: Member }[]> {
    const docs = await this.#documents.query({
      from: 'members',
      filter: { userId: { $eq: userId }, active: { $eq: true } },
      sort: { workspaceId: 1 },
      stagesAfter: [
        { $lookup: { from: 'workspaces', localField: 'workspaceId', foreignField: '_id', as: 'workspaces' } },
      ],
      alsoReads: ['workspaces'],
    });
    return docs.flatMap(({ workspaces, ...member }) => {
      const [workspace] = workspaces as Doc[];
      if (workspace === undefined) return [];
      return [{ workspace: fromDoc<Workspace>(workspace), member: fromMemberDoc(member) }];
    });
  }

  async list(after: string | null, limit: number): Promise<readonly Workspace[]> {
    if (limit <= 0) return [];
    const filter = { _id: { $gt: after ?? '' } };
    const docs = await this.#documents.query({ from: 'workspaces', filter, sort: { _id: 1 }, limit });
    return docs.map((doc) => fromDoc<Workspace>(doc));
  }
}
