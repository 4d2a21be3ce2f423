import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  changedIndexKeys,
  changedUniqueKeys,
  indexKeys,
  uniqueKeys,
} from '../../../adapters/store-kv/task/index-keys.ts';
import type { Task } from '../../../core/model/content/task.ts';
import { board, newId, task } from '../../contract/records.ts';
import { countedReads } from '../../fixtures/store/counted-reads.ts';

const SPACE = 'abcd';

describe('the index keys of a task', () => {
  it('that a change adds and leaves are those by which the tasks before and after differ', () => {
    const id = fc.constantFrom(...Array.from({ length: 3 }, newId));
    const ids = fc.uniqueArray(id);
    const changes = fc.record({
      boardId: id,
      statusId: id,
      statusOrderKey: fc.constantFrom(-1, 0, 1_024),
      updatedAt: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'),
      externalId: fc.constantFrom(null, 'A-1', 'A-2'),
      assignees: ids,
      tags: ids,
      links: fc.constantFrom({}, { blocks: ['x'] }, { blockedBy: ['x'] }, { blockedBy: ['x', 'y'] }),
    });
    const model = task(board(newId()), 1);
    fc.assert(
      fc.property(changes, changes, (one, other) => {
        const [before, after]: [Task, Task] = [
          { ...model, ...one },
          { ...model, ...other },
        ];
        for (const [all, changed] of [
          [uniqueKeys, changedUniqueKeys],
          [indexKeys, changedIndexKeys],
        ] as const) {
          const [old, now] = [all(SPACE, before), all(SPACE, after)];
          const { fresh, stale } = changed(SPACE, before, after);
          expect(fresh).to.have.members(now.filter((key) => !old.includes(key)));
          expect(stale).to.have.members(old.filter((key) => !now.includes(key)));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('are found in a few looks at each tag, however many a task has', () => {
    const seen = { reads: 0 };
    const ids = Array.from({ length: 1_000 }, newId);
    const model = task(board(newId()), 1);
    const before: Task = { ...model, tags: countedReads(ids.slice(0, 999), seen) };
    const after: Task = { ...model, tags: countedReads(ids.slice(1), seen) };
    const { fresh, stale } = changedIndexKeys(SPACE, before, after);
    expect([fresh.length, stale.length]).to.deep.equal([1, 1]);
    expect(seen.reads).to.be.at.most(10 * ids.length);
  });
});
