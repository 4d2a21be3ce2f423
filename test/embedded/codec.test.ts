import assert from 'node:assert/strict';
import { keyEncoder, valueEncoder } from '../../adapters/embedded/codec.ts';
import { board, change, newId, page, task } from '../contract/records.ts';

describe('what the embedded store writes', () => {
  const kanban = board(newId());
  const encoder = valueEncoder();

  it('is read as it was given, field order and all', () => {
    for (const value of [
      task(kanban, 1, { title: 'Zoë \u2028 "\\', tags: ['a'], statusOrderKey: -5 }),
      { ...task(kanban, 1), added: 'by a newer release' },
      { version: 1, id: 'fields in another order' },
      change(null),
      page(newId(), { entries: { constructor: 300 as const } }),
      kanban,
      { __proto__: null, id: 'without a prototype' },
      0,
      -1.5,
      '',
      '\0\xff[]{}',
    ]) {
      assert.equal(JSON.stringify(encoder.decode(encoder.encode(value))), JSON.stringify(value));
    }
  });

  it('is what stands there now, however often something else was read from there before', () => {
    const first = task(kanban, 1);
    const others = Array.from({ length: 4_000 }, (_, i) => task(kanban, i));
    const versions = [first, { ...first, version: 2 }, { ...first, title: 'Title', version: 2 }, first];
    const window = Buffer.alloc(4_096);
    const read = (record: object): object => {
      const bytes = encoder.encode(record);
      bytes.copy(window);
      return encoder.decode(Object.defineProperty(window.subarray(), 'length', { value: bytes.length })) as object;
    };
    for (const record of [...versions, ...versions, ...others, ...versions]) {
      for (const again of [read(record), read(record), read(record)]) assert.deepEqual(again, record);
    }
    assert.equal(read(first), read(first), 'what is read often is one object');
  });

  it('does not repeat the names of the fields of a task or change', () => {
    for (const record of [task(kanban, 1), change(newId())]) {
      assert(!encoder.encode(record).toString('latin1').includes('version'));
    }
  });

  it('is what it was in every release before', () => {
    const written = '[1,"a",null,"task","create","b",3,null,"c","2026-01-01T00:00:00.000Z"]';
    const record = change(null, { id: 'a', recordId: 'b', version: 3, requestId: 'c', at: '2026-01-01T00:00:00.000Z' });
    assert.deepEqual(encoder.decode(Buffer.from(written)), record);
    assert.equal(encoder.encode(record).toString(), written);
    assert.equal(encoder.encode('\xe9').toString('hex'), '73e9');
    const key = Buffer.alloc(8);
    assert.equal(keyEncoder.writeKey('\0\xff', key, 2), 4);
    assert.equal(key.toString('hex', 2, 4), '00ff');
    assert.equal(keyEncoder.readKey(key, 2, 4), '\0\xff');
  });
});
