import { expect } from 'chai';
import { MAX_VISITED, requireNoPath } from '../../../../core/link/cycle.ts';
import { LinkGraph } from '../../../../core/link/graph.ts';
import type { Viewer } from '../../../../core/access/viewer.ts';
import { seenAmong } from '../../../../core/link/view.ts';
import { MAX_LINKS } from '../../../../core/model/content/task-links.ts';
import type { ReadTransaction } from '../../../../core/ports/store.ts';
import { board, newId, task, workspace } from '../../../contract/records.ts';
import { rejected } from '../../../contract/rejected.ts';

const MANY = 4_000;
/** What one step looks at, and another that ends in it. */
const LOOKS_PER_STEP = 64;

/** Counts what is looked at between two steps. */
function counted() {
  const seen = { looks: 0, most: 0, steps: 0 };
  const step = (): null => {
    seen.steps += 1;
    seen.most = Math.max(seen.most, seen.looks);
    seen.looks = 0;
    return null;
  };
  return { seen, yielder: { step } };
}

describe('links of very many tasks', () => {
  const acme = workspace();
  const dev = board(acme.id);

  it('are checked in steps', async () => {
    const { seen, yielder } = counted();
    const graph = new LinkGraph();
    const ids = Array.from({ length: MANY }, () => newId());
    for (const [n, id] of ids.entries()) {
      const other = [ids[n % 2 === 0 ? n + 1 : n - 1]!];
      const links = n % 2 === 0 ? { blocks: other } : { blockedBy: other };
      graph.add({ id, links });
    }
    const faults = [];
    for await (const fault of graph.faults(yielder)) faults.push(fault);
    expect(faults).to.deep.equal([]);
    // Each task, for each of the two kinds of links that must end.
    expect(seen.steps).to.be.at.least(MANY + 2 * (MANY / 32) + MANY);
  });

  it('are looked up in steps', async () => {
    const { seen, yielder } = counted();
    function* ids() {
      for (let n = 0; n < MANY; n += 1) {
        seen.looks += 1;
        yield String(n % 100);
      }
    }
    const tx = { tasks: { get: () => Promise.resolve(null) } } as unknown as ReadTransaction;
    const viewer = { structure: { workspace: acme }, yielder } as unknown as Viewer;
    expect((await seenAmong(tx, viewer, ids())).size).to.equal(0);
    expect(seen.most).to.be.within(1, LOOKS_PER_STEP);
  });

  it('are not all looked at to tell that they are too many', async () => {
    let looked = 0;
    const linked = Array.from({ length: 200 }, (_, n) =>
      task(dev, n, {
        links: {
          blocks: new Proxy(
            Array.from({ length: MAX_LINKS }, () => newId()),
            {
              get(ids, name) {
                if (typeof name === 'string' && /^\d+$/.test(name)) looked += 1;
                return Reflect.get(ids, name) as unknown;
              },
            },
          ),
        },
      }),
    );
    const goals = Array.from({ length: 200 }, (_, n) =>
      task(dev, n, { links: { blockedBy: Array.from({ length: MAX_LINKS }, () => newId()) } }),
    );
    await rejected('limit-reached', requireNoPath({} as ReadTransaction, 'blocks', linked, goals));
    expect(looked).to.be.within(1, MAX_VISITED + MAX_LINKS);
  });
});
