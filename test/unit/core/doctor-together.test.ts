import { expect } from 'chai';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../core/engine.ts';
import { sessionOf } from '../../../core/session.ts';
import type { ReadTransaction, Store } from '../../../core/ports/store.ts';
import { member, page, workspace } from '../../contract/records.ts';
import { wrappedStore } from '../../fixtures/store/wrapped-store.ts';
import { newWorld } from '../../fixtures/world/world.ts';

/** More than the doctor looks at together. */
const MANY = 1_100;
/** Records after which the event loop is looked at. */
const LOOK = 32;

/** Counts what is read from a store. */
function countingReads(store: Store): { readonly store: Store; readonly reads: () => number } {
  let reads = 0;
  const read = (tx: ReadTransaction) => {
    reads += 1;
    return tx;
  };
  return { store: wrappedStore(store, { read }), reads: () => reads };
}

describe('the doctor, over many workspaces', () => {
  it('reads small ones together, and tells of each what is wrong with it', async () => {
    const { store, reads } = countingReads(memoryStore());
    const { operator } = newWorld(store);
    const made = Array.from({ length: 250 }, () => workspace());
    for (const each of made) await store.write(async (tx) => void (await tx.structures.insert(each, member(each.id))));
    const before = reads();
    const { workspaces, findings } = await operator.doctor.check();
    expect(workspaces).to.equal(250);
    // For each ten one, and one for each hundred that are listed; the first asks who asks, one is for identities, one for indexes.
    expect(reads() - before).to.be.at.most(25 + 3 + 3);
    // Their owners are nobody.
    const unowned = findings.filter(({ rule }) => rule === 'owner').map(({ workspaceId }) => workspaceId);
    expect(unowned).to.have.members(made.map(({ id }) => id));
  });

  it('lets others run after each, though they are checked together', async () => {
    const store = memoryStore();
    const { ports } = newWorld(store);
    for (let n = 0; n < 50; n += 1) {
      const each = workspace();
      await store.write(async (tx) => void (await tx.structures.insert(each, member(each.id))));
    }
    let pauses = 0;
    const yielder = () => {
      let units = 0;
      return {
        step(done = 1) {
          units += done;
          if (units < LOOK) return null;
          units = 0;
          pauses += 1;
          return new Promise<void>((resolve) => void setImmediate(resolve));
        },
      };
    };
    const { workspaces } = await sessionOf(createEngine({ ...ports, yielder }), { kind: 'operator' }).doctor.check();
    expect(workspaces).to.equal(50);
    expect(pauses).to.be.at.least(50);
  });

  it('checks those with much in them on snapshots of their own, with the same findings', async () => {
    const { store, reads } = countingReads(memoryStore());
    const { operator } = newWorld(store);
    const [small, large] = [workspace(), workspace()];
    const faulty = page(large.id, { orderKey: 0.5 });
    for (const each of [small, large]) {
      await store.write(async (tx) => {
        const pages = each === small ? [] : [...Array.from({ length: MANY }, () => page(large.id)), faulty];
        await tx.structures.change(await tx.structures.insert(each, member(each.id)), { pages });
      });
    }
    const before = reads();
    const { workspaces, pages, findings } = await operator.doctor.check();
    expect([workspaces, pages]).to.deep.equal([2, MANY + 1]);
    expect(reads() - before).to.equal(1 + 2 + 2 + 1 + 1);
    expect(findings.filter(({ rule }) => rule === 'order').map(({ id }) => id)).to.deep.equal([faulty.id]);
    expect(findings.filter(({ rule }) => rule === 'owner')).to.have.length(2);
  });

  it('counts comments and checklists of tasks that are read together', async () => {
    const { operator, user } = newWorld();
    const ada = await user('Ada');
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Board' });
    await ada.statuses.create({ workspaceId, boardId, name: 'To do' });
    for (let n = 0; n < 40; n += 1) {
      const { id: taskId } = await ada.tasks.create({ workspaceId, boardId, title: `t${n}` });
      for (let said = 0; said < n % 4; said += 1) {
        await ada.comments.create({ workspaceId, taskId, content: 'said' });
      }
    }
    const { tasks, comments, findings } = await operator.doctor.check();
    expect([tasks, comments]).to.deep.equal([40, 60]);
    expect(findings).to.deep.equal([]);
  });
});
