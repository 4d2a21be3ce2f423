import assert from 'node:assert/strict';
import { keyEncoder, valueEncoder } from '../../adapters/embedded/codec.ts';
import { board, change, newId, page, task } from '../contract/records.ts';

describe('what the embedded store writes', () => {
  const kanban = board(newId());

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
      assert.equal(JSON.stringify(valueEncoder.decode(valueEncoder.encode(value))), JSON.stringify(value));
    }
  });

  it('does not repeat the names of the fields of a task or change', () => {
    for (const record of [task(kanban, 1), change(newId())]) {
      assert(!valueEncoder.encode(record).toString('latin1').includes('version'));
    }
  });

  it('is what it was in every release before', () => {
    const written = '[1,"a",null,"task","create","b",3,null,"c","2026-01-01T00:00:00.000Z"]';
    const record = change(null, { id: 'a', recordId: 'b', version: 3, requestId: 'c', at: '2026-01-01T00:00:00.000Z' });
    assert.deepEqual(valueEncoder.decode(Buffer.from(written)), record);
    assert.equal(valueEncoder.encode(record).toString(), written);
    assert.equal(valueEncoder.encode('\xe9').toString('hex'), '73e9');
    const key = Buffer.alloc(8);
    assert.equal(keyEncoder.writeKey('\0\xff', key, 2), 4);
    assert.equal(key.toString('hex', 2, 4), '00ff');
    assert.equal(keyEncoder.readKey(key, 2, 4), '\0\xff');
  });
});
