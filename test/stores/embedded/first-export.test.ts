import { expect } from 'chai';
import { createEspalier } from '../../../adapters/service/index.ts';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { page } from '../../contract/records.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

/** More than a store reads at once to answer about a few. */
const PAGES = 500;

describe('a large workspace of a store that was just opened', () => {
  const folder = temporaryFolder();

  async function opened(path: string) {
    const first = createEspalier({ store: embeddedStore({ path }) });
    const ada = await first.users.create({ name: 'Ada', email: 'ada@example.org' });
    const { id: workspaceId, memberId } = await first.as(ada).workspaces.create({ name: 'Acme' });
    await first.store.write(async (tx) => {
      const pages = Array.from({ length: PAGES }, () => page(workspaceId, { createdById: memberId }));
      await tx.structures.change((await tx.structures.get(workspaceId))!, { pages });
    });
    await first.close();
    return { ada, workspaceId, second: createEspalier({ store: embeddedStore({ path }) }) };
  }

  it('is exported at the first call', async () => {
    const { workspaceId, second } = await opened(`${folder}/export.db`);
    const kinds: string[] = [];
    await second.operator.exports.workspace({ workspaceId, sink: ({ kind }) => void kinds.push(kind) });
    expect(kinds.slice(0, 3)).to.deep.equal(['workspace', 'user', 'member']);
    expect(kinds.filter((kind) => kind === 'page')).to.have.length(PAGES);
    await second.close();
  });

  it('is read as a snapshot at the first call', async () => {
    const { ada, workspaceId, second } = await opened(`${folder}/snapshot.db`);
    const kinds: string[] = [];
    const call = { caller: { kind: 'user', userId: ada.id } } as const;
    await second.engine.changes.snapshot(call, { workspaceId, sink: ({ kind }) => void kinds.push(kind) });
    expect(kinds.slice(0, 3)).to.deep.equal(['head', 'workspace', 'member']);
    expect(kinds.filter((kind) => kind === 'page')).to.have.length(PAGES);
    await second.close();
  });
});
