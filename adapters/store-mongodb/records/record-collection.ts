import type { Filter } from 'mongodb';
import type { CollectionName } from '../connection/collections.ts';
import { type Identified, fromDoc, toDoc } from '../query/documents.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import { type Doc, type Query, within } from '../query/query.ts';

/** What repositories have in common: records of one kind, kept as they are in one collection. */
export abstract class RecordCollection<T extends Identified & { readonly workspaceId?: string | null }> {
  protected readonly documents: DocumentWriter;
  protected readonly from: CollectionName;

  constructor(documents: DocumentWriter, from: CollectionName) {
    this.documents = documents;
    this.from = from;
  }

  async insert(record: T): Promise<void> {
    await this.documents.insert(this.from, this.toDoc(record));
  }

  /** Puts a record in the place of the one with the same id. */
  async replace(record: T): Promise<void> {
    await this.documents.replace(this.from, this.toDoc(record));
  }

  async remove(record: T): Promise<void> {
    await this.documents.remove(this.from, record.id, record.workspaceId ?? undefined);
  }

  protected toDoc(record: T): Doc {
    return toDoc(record);
  }

  protected fromDoc(doc: Doc): T {
    return fromDoc<T>(doc);
  }

  protected async byId(id: string, workspaceId?: string): Promise<T | null> {
    return this.#orNull(await this.documents.byId(this.from, id, workspaceId));
  }

  protected async byValue(field: string, value: string, workspaceId?: string): Promise<T | null> {
    return this.#orNull(await this.documents.byValue(this.from, field, value, workspaceId));
  }

  /** All records that match. @param of the workspace that they belong to; null: none */
  protected async all(of: string | null, filter: Filter<Doc>, order: Pick<Query, 'sort' | 'limit'> = {}) {
    const scope = of === null ? {} : { workspaceId: of };
    const query = { from: this.from, filter: { ...within(scope.workspaceId), ...filter }, ...order, ...scope };
    return (await this.documents.query(query)).map((doc) => this.fromDoc(doc));
  }

  /** Up to `limit` records that match, by id, behind the id `after`. */
  protected async listById(of: string | null, filter: Filter<Doc>, after: string | null, limit: number) {
    if (limit <= 0) return [];
    return this.all(of, { ...filter, _id: { $gt: after ?? '' } }, { sort: { _id: 1 }, limit });
  }

  #orNull(doc: Doc | null): T | null {
    return doc === null ? null : this.fromDoc(doc);
  }
}
