import { expect } from 'chai';
import { StructureCache } from '../../../adapters/store-kv/structure/structure-cache.ts';
import { buildStructure } from '../../../core/tree/build.ts';
import { workspace } from '../../contract/records.ts';

const acme = workspace({ id: 'acme' });

describe('the cache of structures', () => {
  it('gives out only the revision that was asked for', () => {
    const cache = new StructureCache();
    const second = at('acme', 2);
    cache.put(second, 1);
    expect(cache.get('acme', 2)).to.equal(second);
    expect(cache.get('acme', 1)).to.equal(undefined);
    expect(cache.get('acme', 3)).to.equal(undefined);
  });

  it('does not let an old snapshot push out a later one', () => {
    const cache = new StructureCache();
    const second = at('acme', 2);
    cache.put(second, 1);
    cache.put(at('acme', 1), 1);
    expect(cache.get('acme', 2)).to.equal(second);
  });

  it('drops what was not used for longest when it is full', () => {
    const cache = new StructureCache(10);
    cache.put(at('a', 1), 4);
    cache.put(at('b', 1), 4);
    cache.get('a', 1);
    cache.put(at('c', 1), 4);
    expect(['a', 'b', 'c'].map((id) => cache.get(id, 1) !== undefined)).to.deep.equal([true, false, true]);
    cache.put(at('large', 1), 100);
    expect(cache.get('large', 1)).to.not.equal(undefined);
  });

  it('hears of what a draft was given only when the draft is settled', () => {
    const cache = new StructureCache();
    const [first, second] = [at('acme', 1), at('acme', 2)];
    cache.put(first, 1);
    const draft = cache.draft();
    draft.put(second, 1);
    expect(draft.get('acme', 1)).to.equal(first);
    expect(draft.get('acme', 2)).to.equal(second);
    expect(cache.get('acme', 2)).to.equal(undefined);
    draft.settle();
    expect(cache.get('acme', 2)).to.equal(second);
  });

  it('drops what a draft dropped only when the draft is settled', () => {
    const cache = new StructureCache();
    const [first, third] = [at('acme', 1), at('acme', 3)];
    cache.put(first, 1);
    const draft = cache.draft();
    draft.put(at('acme', 2), 1);
    draft.drop('acme');
    expect(draft.get('acme', 2)).to.equal(undefined);
    expect(cache.get('acme', 1)).to.equal(first);
    draft.settle();
    expect(cache.get('acme', 1)).to.equal(undefined);
    draft.drop('acme');
    draft.put(third, 1);
    draft.settle();
    expect(cache.get('acme', 3)).to.equal(third);
  });
});

function at(id: string, revision: number) {
  return buildStructure({ ...acme, id }, revision, [], []);
}
