import { expect } from 'chai';
import * as fc from 'fast-check';
import { CommittedTree } from '../../../adapters/store-memory/committed-tree.ts';
import type { TreeDraft, TreeSnapshot } from '../../../adapters/store-memory/tree.ts';

const ALL = { from: '\0', to: '\xff' };

const key = fc.nat({ max: 400 }).map((n) => `k${n}`);
const value = fc.nat({ max: 9 });
const one = fc.record({ do: fc.constantFrom('put', 'putNew', 'remove'), key, value });
/** More than are undone one by one. */
const many = fc.record({ from: fc.nat({ max: 100 }), value });
const step = fc.oneof(
  { weight: 8, arbitrary: one },
  { weight: 1, arbitrary: many },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('read', 'commit', 'rollback') }) },
);
interface One {
  readonly do: 'put' | 'putNew' | 'remove';
  readonly key: string;
  readonly value: number;
}

type Change = One | { readonly from: number; readonly value: number };

describe('the tree of a memory store', () => {
  it('shows readers what was committed when they began, and brings it back when a write fails', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const tree = new CommittedTree();
        let committed = new Map<string, number>();
        let written = new Map<string, number>();
        let draft: TreeDraft | null = null;
        const snapshots: [TreeSnapshot, ReadonlyMap<string, number>][] = [];
        for (const one of steps) {
          if ('key' in one || 'from' in one) {
            if (draft === null) written = new Map(committed);
            draft ??= tree.draft();
            change(draft, written, one);
          } else if (one.do === 'read') snapshots.push([tree.snapshot(), committed]);
          else if (draft !== null) {
            tree[one.do]();
            if (one.do === 'commit') committed = written;
            draft = null;
          }
          if (draft !== null) expectSame(draft, written);
          for (const [snapshot, then] of snapshots) expectSame(snapshot, then);
        }
        if (draft !== null) tree.rollback();
        expectSame(tree.snapshot(), committed);
      }),
      { numRuns: 200 },
    );
  });

  it('refuses changes by a write that has ended', () => {
    for (const end of ['commit', 'rollback'] as const) {
      const tree = new CommittedTree();
      const draft = tree.draft();
      draft.put('a', 1);
      tree[end]();
      expect(() => draft.put('a', 2)).to.throw(TypeError);
      expect(tree.snapshot().get('a')).to.equal(end === 'commit' ? 1 : undefined);
    }
  });
});

function change(draft: TreeDraft, written: Map<string, number>, made: Change): void {
  if ('from' in made) {
    for (let n = made.from; n < made.from + 300; n += 1) {
      draft.put(`k${n}`, made.value);
      written.set(`k${n}`, made.value);
    }
    return;
  }
  const { key, value } = made;
  if (made.do === 'remove') {
    draft.remove(key);
    written.delete(key);
    return;
  }
  if (made.do === 'putNew') expect(draft.putNew(key, value)).to.equal(!written.has(key));
  else draft.put(key, value);
  if (made.do === 'put' || !written.has(key)) written.set(key, value);
}

function expectSame(tree: TreeSnapshot, expected: ReadonlyMap<string, number>): void {
  const entries = [...expected].toSorted(([a], [b]) => (a < b ? -1 : 1));
  expect(tree.range(ALL, Infinity, false)).to.deep.equal(entries);
}
