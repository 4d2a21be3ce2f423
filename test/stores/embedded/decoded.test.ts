import { assert, expect } from 'chai';
import { bytesCounted } from '../../../adapters/event-loop/counted-bytes.ts';
import { valueEncoder } from '../../../adapters/store-embedded/encoding/value-encoding.ts';
import { DecodeCache } from '../../../adapters/store-embedded/encoding/decode-cache.ts';
import { buffersInUse } from '../../fixtures/garbage.ts';
import { board, newId, task } from '../../contract/records.ts';

describe('a record that is read again', () => {
  const kanban = board(newId());
  const first = task(kanban, 1);
  const bytesOf = (record: object): Buffer => valueEncoder.encode(record);
  const readTwice = (decoded: DecodeCache, record: object): unknown => {
    decoded.value(bytesOf(record));
    return decoded.value(bytesOf(record));
  };

  it('is one frozen object for the same bytes, and for no other', () => {
    const decoded = new DecodeCache();
    assert(!Object.isFrozen(decoded.value(bytesOf(first))));
    const value = decoded.value(bytesOf(first));
    expect(value).to.deep.equal(first);
    expect(decoded.value(bytesOf(first))).to.equal(value);
    assert(Object.isFrozen(value));
    const versions = [first, { ...first, version: 2 }, { ...first, title: 'Other', version: 2 }, kanban, first];
    for (const version of [...versions, ...versions]) {
      for (let i = 0; i < 3; i += 1) expect(decoded.value(bytesOf(version))).to.deep.equal(version);
    }
  });

  it('counts its bytes as work, decoded or not', () => {
    const decoded = new DecodeCache();
    const bytes = bytesOf(first);
    for (let n = 0; n < 4; n += 1) {
      const before = bytesCounted();
      decoded.value(bytes);
      expect(bytesCounted() - before).to.equal(bytes.length);
    }
    const before = bytesCounted();
    const { length } = bytesOf(first);
    expect(bytesCounted() - before).to.equal(length);
  });

  it('is taken out of a window whose length is of the value alone, and that is used again', () => {
    const decoded = new DecodeCache(4_096);
    const window = Buffer.alloc(10_000, 'x');
    let length = 0;
    Object.defineProperty(window, 'length', { get: () => length });
    const show = (record: object): Buffer => {
      const bytes = bytesOf(record);
      window.set(bytes);
      length = bytes.length;
      return window;
    };
    const [second, third] = [task(kanban, 2, { title: 'Another' }), task(kanban, 3)];
    for (let i = 0; i < 4; i += 1) {
      for (const record of [first, second, third, kanban]) expect(decoded.value(show(record))).to.deep.equal(record);
    }
  });

  it('is forgotten when much else was read twice since, and not for what is read once', () => {
    const decoded = new DecodeCache(bytesOf(first).length * 3);
    const value = readTwice(decoded, first);
    for (let num = 2; num < 50; num += 1) decoded.value(bytesOf(task(kanban, num)));
    expect(decoded.value(bytesOf(first))).to.equal(value);
    for (let num = 2; num < 50; num += 1) readTwice(decoded, task(kanban, num));
    expect(decoded.value(bytesOf(first))).to.not.equal(value);
  });

  it('is not kept, and takes nothing out, if it alone is larger than the cache', () => {
    const [small, large] = [task(kanban, 2), task(kanban, 3, { description: 'x'.repeat(5_000) })];
    const decoded = new DecodeCache(4_096);
    const value = readTwice(decoded, small);
    for (let i = 0; i < 4; i += 1) expect(decoded.value(bytesOf(large))).to.deep.equal(large);
    expect(decoded.value(bytesOf(small))).to.equal(value);
  });

  it('keeps no memory but its own, whatever else is in use when it is read', async () => {
    const bytes = bytesOf(first);
    const capacity = bytes.length * 1_000;
    const decoded = new DecodeCache(capacity);
    const before = await buffersInUse();
    for (let num = 1; num <= 1_000; num += 1) {
      readTwice(decoded, task(kanban, num));
      for (let i = 0; i < 8; i += 1) Buffer.from('x'.repeat(1_000));
    }
    expect((await buffersInUse()) - before).to.be.lessThan(capacity * 4);
    assert(decoded);
  });
});
