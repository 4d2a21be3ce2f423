import { expect } from 'chai';
import { StructureCache } from '../../../adapters/store-kv/structure/structure-cache.ts';
import { board, tag, task, token, user, workspace } from '../../contract/records.ts';
import { countedTurns, countingKvStore } from '../../fixtures/store/counting-kv-store.ts';

const TAGS = 60;
const TASKS = 300;
const IDENTIFIERS = 4_000;
/** What is read until long work looks at the clock for the second time, and somewhat more: see `countedTurns`. */
const MOST = 1_500;

describe('the count of very many records', () => {
  it('lets others run, and goes as far as it is told', async () => {
    const asked = { got: [], put: [] };
    const { share, longest } = countedTurns(asked);
    const store = countingKvStore(asked, share, new StructureCache());
    const { id: userId } = user();
    await store.write(async (tx) => {
      for (let n = 0; n < IDENTIFIERS; n += 1) await tx.tokens.insert(token(userId));
    });
    const counted = (limit: number) => store.read((tx) => tx.tokens.count('ofUser', { userId }, { limit }));
    expect(await counted(IDENTIFIERS + 1)).to.equal(IDENTIFIERS);
    expect(await counted(IDENTIFIERS - 1)).to.equal(IDENTIFIERS - 1);
    expect(await counted(0)).to.equal(0);
    expect(longest()).to.be.below(MOST);
  });
});

describe('the count of tasks with any of very many tags', () => {
  it('lets others run while each task is looked up under each tag', async () => {
    const asked = { got: [], put: [] };
    const { share, longest } = countedTurns(asked);
    const store = countingKvStore(asked, share, new StructureCache());
    const acme = workspace();
    const tags = Array.from({ length: TAGS }, () => tag());
    const dev = board(acme.id, { tags });
    await store.write(async (tx) => {
      for (let n = 0; n < TASKS; n += 1) await tx.tasks.insert(task(dev, n + 1, { tags: [tags.at(-1)!.id] }));
    });
    const filter = { field: 'tags', in: tags.map(({ id }) => id), not: false } as const;
    const { id: workspaceId } = acme;
    const count = await store.read((tx) => tx.tasks.count({ workspaceId, scope: null, filters: [filter] }));
    expect(count).to.equal(TASKS);
    expect(longest()).to.be.below(MOST);
  });
});
