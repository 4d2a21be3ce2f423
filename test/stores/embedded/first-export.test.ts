import { expect } from 'chai';
import { createEspalier } from '../../../adapters/service/index.ts';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { page } from '../../contract/records.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

/** More than a store reads at once to answer about a few. */
const PAGES = 500;

describe('an export of a store that was just opened', () => {
  const folder = temporaryFolder();

  it('is made at the first call, however many pages there are', async () => {
    const path = `${folder}/cold.db`;
    const first = createEspalier({ store: embeddedStore({ path }) });
    const ada = await first.users.create({ name: 'Ada', email: 'ada@example.org' });
    const { id: workspaceId, memberId } = await first.as(ada).workspaces.create({ name: 'Acme' });
    await first.store.write(async (tx) => {
      const pages = Array.from({ length: PAGES }, () => page(workspaceId, { createdById: memberId }));
      await tx.structures.change((await tx.structures.get(workspaceId))!, { pages });
    });
    await first.close();
    const second = createEspalier({ store: embeddedStore({ path }) });
    const kinds: string[] = [];
    await second.operator.exports.workspace({ workspaceId, sink: ({ kind }) => void kinds.push(kind) });
    expect(kinds.slice(0, 3)).to.deep.equal(['workspace', 'user', 'member']);
    expect(kinds.filter((kind) => kind === 'page')).to.have.length(PAGES);
    await second.close();
  });
});
