import { expect } from 'chai';
import type { Structure } from '../../../../core/model/workspace/structure.ts';
import { VersionedCache } from '../../../../adapters/store-mongodb/caches.ts';
import type { DocumentWriter, WorkspaceState } from '../../../../adapters/store-mongodb/query/documents.ts';
import { MongodbStructures } from '../../../../adapters/store-mongodb/structure/structures.ts';
import { cacheStructures } from '../../../../adapters/store-mongodb/structure/transaction-structures.ts';
import { WriterLayers } from '../../../../adapters/store-mongodb/write/identity-map.ts';
import { member, workspace } from '../../../contract/records.ts';

describe('structures that a process on MongoDB keeps', () => {
  it('are none of a workspace that is removed, once its removal is committed', async () => {
    const acme = workspace();
    const cache = new VersionedCache<Structure>({ capacity: 10 });
    const made = documentsOf();
    const structure = await new MongodbStructures(made.documents, cache).insert(acme, member(acme.id));
    cacheStructures(made.kept.entries(), cache);
    expect(cache.at(acme.id, structure.revision)).to.equal(structure);
    const removed = documentsOf();
    await new MongodbStructures(removed.documents, cache).remove(structure);
    expect(cache.at(acme.id, structure.revision)).to.equal(structure);
    cacheStructures(removed.kept.entries(), cache);
    expect(cache.latest(acme.id)).to.equal(undefined);
  });
});

/** Documents of one transaction, with no more than structures need to be made and removed. */
function documentsOf() {
  const kept = new WriterLayers().map<unknown>();
  const state: Partial<WorkspaceState> = { revision: 0 };
  const done = async () => {};
  const documents: Partial<DocumentWriter> = {
    transactionCache: kept,
    workspaceState: async () => state as WorkspaceState,
    changeWorkspaceState: done,
    insert: done,
    remove: done,
  };
  return { documents: documents as DocumentWriter, kept };
}
