import { expect } from 'chai';
import { queryById, queryByValue } from '../../../../adapters/store-mongodb/query/query.ts';
import { IdentityMap, WriterLayers, WriteBuffer } from '../../../../adapters/store-mongodb/write/identity-map.ts';

describe('the identity map of a transaction', () => {
  const doc = (_id: string, externalId: string | null = null, workspaceId = 'w') => ({ _id, workspaceId, externalId });
  const byId = (id: string, workspaceId?: string) => queryById('boards', id, workspaceId);
  const byValue = (value: string) => queryByValue('boards', 'externalId', value, 'w');

  it('leaves to a query what it has not seen, and knows what is not there', () => {
    const layers = new WriterLayers();
    const map = new IdentityMap(layers);
    expect(map.find(byId('a'))).to.equal(undefined);
    expect(map.find({ from: 'boards', filter: {} })).to.equal(undefined);
    expect(map.add(byId('a'), null)).to.equal(null);
    expect(map.find(byId('a'))).to.equal(null);
    expect(map.add(byId('b', 'w'), null)).to.equal(null);
    expect([map.find(byId('b', 'w')), map.find(byId('b', 'other')), map.find(byId('b'))]).to.deep.equal([
      null,
      undefined,
      undefined,
    ]);
    layers.rollbackWriter();
    expect(map.find(byId('b', 'w'))).to.equal(undefined);
  });

  it('finds by its id and its value what comes to be where it was missing', () => {
    const map = new IdentityMap(new WriterLayers());
    map.add(byId('a', 'w'), null);
    map.write('boards', 'a', doc('a', 'x'));
    expect([map.find(byId('a', 'w')), map.find(byValue('x'))]).to.deep.equal([doc('a', 'x'), doc('a', 'x')]);
    map.write('boards', 'a', null);
    expect([map.find(byId('a', 'w')), map.find(byValue('x'))]).to.deep.equal([null, undefined]);
  });

  it('finds what was written by id and by value, in its workspace alone', () => {
    const layers = new WriterLayers();
    const map = new IdentityMap(layers);
    map.write('boards', 'a', doc('a', 'x'));
    expect(map.find(byValue('x'))).to.deep.equal(doc('a', 'x'));
    expect(map.find(byId('a', 'other'))).to.equal(null);
    expect(map.find(queryByValue('boards', 'externalId', 'x', 'other'))).to.equal(undefined);
    map.write('boards', 'a', doc('a', 'y'));
    expect([map.find(byValue('x')), map.find(byValue('y'))]).to.deep.equal([undefined, doc('a', 'y')]);
    // The database still has the old value: the write is not sent.
    expect(map.add(byValue('x'), doc('a', 'x'))).to.equal(null);
    map.write('boards', 'a', null);
    expect([map.find(byId('a')), map.find(byValue('y'))]).to.deep.equal([null, undefined]);
    map.write('boards', 'b', doc('b', 'y'));
    expect(map.find(byValue('y'))).to.deep.equal(doc('b', 'y'));
  });

  it('rolls back what a writer has added, and keeps what those before have', () => {
    const layers = new WriterLayers();
    const map = new IdentityMap(layers);
    map.write('boards', 'a', doc('a', 'x'));
    layers.keepWriter();
    map.write('boards', 'a', doc('a', 'y'));
    map.write('boards', 'b', doc('b', 'x'));
    expect([map.find(byId('a')), map.find(byId('b'))]).to.deep.equal([doc('a', 'y'), doc('b', 'x')]);
    layers.rollbackWriter();
    expect([map.find(byId('a')), map.find(byId('b'))]).to.deep.equal([doc('a', 'x'), undefined]);
    expect([map.find(byValue('x')), map.find(byValue('y'))]).to.deep.equal([doc('a', 'x'), undefined]);
  });

  it('takes over what is certain, without touching what the transaction has made of it', () => {
    const layers = new WriterLayers();
    const map = new IdentityMap(layers);
    map.write('boards', 'a', doc('a', 'changed'));
    map.seed('boards', [doc('a', 'before'), doc('b')]);
    expect(map.all('boards')).to.deep.equal([doc('a', 'changed'), doc('b')]);
  });
});

describe('the write buffer of a transaction', () => {
  const write = (n: number) => ({ deleteOne: { filter: { _id: String(n) } } });

  it('gives writes out in order, and forgets those of a writer that is rolled back', () => {
    const buffer = new WriteBuffer();
    buffer.add('tasks', write(1));
    buffer.keepWriter();
    buffer.add('tasks', write(2));
    expect(buffer.rollbackWriter()).to.equal(true);
    buffer.add('tasks', write(3));
    buffer.add('comments', write(4));
    expect(buffer.collections).to.deep.equal(['tasks', 'comments']);
    expect(buffer.take('tasks')).to.deep.equal([write(1), write(3)]);
    expect(buffer.take('tasks')).to.deep.equal([]);
    expect(buffer.take('comments')).to.deep.equal([write(4)]);
    expect(buffer.collections).to.deep.equal([]);
  });

  it('cannot roll a writer back of whom something was sent', () => {
    const buffer = new WriteBuffer();
    buffer.add('tasks', write(1));
    buffer.keepWriter();
    buffer.take('tasks');
    expect(buffer.rollbackWriter()).to.equal(true);
    buffer.add('tasks', write(2));
    buffer.take('tasks');
    expect(buffer.rollbackWriter()).to.equal(false);
    buffer.keepWriter();
    expect(buffer.rollbackWriter()).to.equal(true);
  });
});
