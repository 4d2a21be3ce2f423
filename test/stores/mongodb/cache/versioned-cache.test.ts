import { expect } from 'chai';
import { UserCache, VersionedCache } from '../../../../adapters/store-mongodb/caches.ts';
import { queryById, queryByValue } from '../../../../adapters/store-mongodb/query/query.ts';

describe('a versioned cache', () => {
  it('gives a value for its version alone, and the latest as an assumption', () => {
    const cache = new VersionedCache<string>({ capacity: 10 });
    cache.set('a', 2, 'two');
    expect([cache.at('a', 1), cache.at('a', 2), cache.at('a', 3)]).to.deep.equal([undefined, 'two', undefined]);
    expect(cache.latest('a')).to.deep.equal({ value: 'two', version: 2 });
    cache.set('a', 1, 'restored');
    expect(cache.latest('a')).to.deep.equal({ value: 'restored', version: 1 });
    cache.delete('a');
    expect(cache.latest('a')).to.equal(undefined);
  });

  it('keeps as many versions as it is told, by their number', () => {
    const cache = new VersionedCache<string>({ capacity: 10, versions: 2 });
    for (const version of [3, 1, 2]) cache.set('a', version, String(version));
    expect([cache.at('a', 1), cache.at('a', 2), cache.at('a', 3)]).to.deep.equal([undefined, '2', '3']);
    expect([cache.before('a', 2), cache.before('a', 3), cache.before('a', 9)]).to.deep.equal([undefined, '2', '3']);
  });

  it('drops the least recently used by weight, and keeps one however heavy', () => {
    const cache = new VersionedCache<string>({ capacity: 10 });
    cache.set('a', 1, 'a', 4);
    cache.set('b', 1, 'b', 4);
    expect(cache.at('a', 1)).to.equal('a');
    cache.set('c', 1, 'c', 4);
    expect(['a', 'b', 'c'].map((key) => cache.at(key, 1))).to.deep.equal(['a', undefined, 'c']);
    cache.set('d', 1, 'd', 1_000);
    expect(['a', 'c', 'd'].map((key) => cache.at(key, 1))).to.deep.equal([undefined, undefined, 'd']);
    expect(cache.weightOf('d')).to.equal(10);
  });

  it('keeps no more than 5,000 of those that weigh little', () => {
    const cache = new VersionedCache<number>({ capacity: 400_000 });
    for (let n = 0; n < 6_000; n += 1) cache.set(`${n}`, 1, n);
    const kept = Array.from({ length: 6_000 }, (_, n) => cache.at(`${n}`, 1)).filter((value) => value !== undefined);
    expect(kept).to.have.length(5_000);
  });

  it('of users gives a credential only with its user of the same version', () => {
    const users = new UserCache();
    const user = { _id: 'ada' };
    const doc = { _id: 't', hash: 'h', userId: 'ada' };
    const credential = (from: 'tokens' | 'identities') => users.find(queryByValue(from, 'hash', 'h'));
    users.addCredential('tokens', doc, 0);
    expect(credential('tokens')).to.equal(undefined);
    users.add({ value: user, version: 0 });
    expect(credential('tokens')).to.deep.equal({ doc, user: { value: user, version: 0 } });
    users.add({ value: user, version: 1 });
    expect(credential('tokens')).to.equal(undefined);
    expect(credential('identities')).to.equal(undefined);
    expect(users.find(queryById('users', 'ada'))).to.deep.equal({ doc: user, user: { value: user, version: 1 } });
    users.delete('ada');
    expect(users.find(queryById('users', 'ada'))).to.equal(undefined);
  });
});
