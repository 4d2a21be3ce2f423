import { expect } from 'chai';
import type { Transaction } from '../../../core/ports/store.ts';
import { board, comment, instant, newId, tag, task, workspace } from '../../contract/records.ts';
import { countedTurns, countingKvStore } from '../../fixtures/store/counting-kv-store.ts';

/** What the work of one turn reads, at most, where the clock goes on with each read: see `countedTurns`. */
const MOST = 1_500;
const RECORDS = 1_000;

describe('a write of very many records', () => {
  const acme = workspace();
  const tags = Array.from({ length: 4 }, () => tag());
  const dev = board(acme.id, { tags });
  const tagIds = tags.map(({ id }) => id);
  const tasks = Array.from({ length: RECORDS }, (_, n) => task(dev, n + 1, { tags: tagIds, assignees: [newId()] }));
  const comments = tasks.map((one, n) => comment(one, { createdAt: instant(n) }));

  /** @returns the most that one turn of a write has read */
  async function longestIn(work: (tx: Transaction) => Promise<void>): Promise<number> {
    const asked = { got: [], put: [] };
    const { share, longest } = countedTurns(asked);
    const store = countingKvStore(asked, share);
    await store.write(async (tx) => {
      for (const one of tasks) await tx.tasks.insert(one);
      for (const one of comments) await tx.comments.insert(one);
    });
    await store.write(work);
    return longest();
  }

  it('lets others run while tasks are read together', async () => {
    const longest = await longestIn(async (tx) => {
      const found = await Promise.all(tasks.map(({ id }) => tx.tasks.get(acme.id, id)));
      expect(found.map((one) => one?.id)).to.deep.equal(tasks.map(({ id }) => id));
    });
    expect(longest).to.be.below(MOST);
  });

  it('lets others run while tasks are removed', async () => {
    const longest = await longestIn(async (tx) => {
      for (const one of tasks) await tx.tasks.remove(one);
    });
    expect(longest).to.be.below(MOST);
  });

  it('lets others run while other records are replaced', async () => {
    const longest = await longestIn(async (tx) => {
      for (const one of comments) await tx.comments.replace({ ...one, content: 'No.' });
    });
    expect(longest).to.be.below(MOST);
  });

  it('lets others run while other records are removed', async () => {
    const longest = await longestIn(async (tx) => {
      for (const one of comments) await tx.comments.remove(one);
    });
    expect(longest).to.be.below(MOST);
  });
});
