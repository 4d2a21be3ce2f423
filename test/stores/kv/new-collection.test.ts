import { expect } from 'chai';
import type { CollectionSpec } from '../../../core/model/collections.ts';
import { readOnly } from '../../../adapters/store-kv/engine/kv.ts';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import { EventLoopYielder } from '../../../adapters/event-loop/yielder.ts';
import { KvCollection } from '../../../adapters/store-kv/records/collection.ts';
import { layoutOf } from '../../../adapters/store-kv/records/layout.ts';
import { WorkspaceKeys } from '../../../adapters/store-kv/structure/workspace-keys.ts';
import { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';
import { collectionCases, type WithCollection } from '../../contract/collections.ts';
import { fresh, newId } from '../../contract/records.ts';

/** Declarations that no release has. Whatever their names are, they share no keys with the others. */
const NEW: Readonly<Record<string, CollectionSpec>> = {
  notes: {
    of: 'workspace',
    unique: { slug: { optional: true, code: 'external-id-taken', detail: 'Another note has this slug.' } },
    index: {
      ofWorkspace: { order: ['id'] },
      ofAuthor: { by: ['authorId'], order: ['createdAt', 'id'] },
      starred: { where: { starred: true }, order: ['id'] },
    },
  },
  badges: {
    of: 'service',
    unique: { label: { fields: ['issuer', 'name'], code: 'alias-taken', detail: 'Another badge has this label.' } },
    index: { all: { order: ['id'] }, ofUser: { by: ['userId'] } },
  },
};

describe('a collection that is new', () => {
  for (const [name, spec] of Object.entries(NEW)) {
    const made = (fields: object) => {
      const { id = newId() } = fields as { id?: string };
      const own = { slug: id, issuer: id, name: id, authorId: newId(), userId: newId(), starred: false };
      return { ...own, workspaceId: newId(), ...fresh, ...fields };
    };
    describe(name, () => collectionCases(spec, made, onMemory(name, spec)));
  }

  it('begins its keys as no other does', () => {
    const known = new Set<string>(Object.values(PREFIX));
    for (const [name, spec] of Object.entries(NEW)) {
      const { prefix, byId, uniques, indexes } = layoutOf(name, spec);
      for (const own of [prefix, byId, ...[...uniques, ...indexes.values()].map((one) => one.prefix)]) {
        expect(known.has(own[0]!)).to.equal(false);
      }
    }
  });
});

function onMemory(name: string, spec: CollectionSpec): WithCollection {
  return (test) => async () => {
    const layout = layoutOf(name, spec);
    let state = new TreeSnapshot();
    await test({
      read: (work) =>
        work(new KvCollection(readOnly(state), new WorkspaceKeys(readOnly(state)), layout, new EventLoopYielder())),
      async write(work) {
        const draft = state.draft();
        const result = await work(new KvCollection(draft, new WorkspaceKeys(draft), layout, new EventLoopYielder()));
        state = draft.freeze();
        return result;
      },
    });
  };
}
