import { assert, expect } from 'chai';
import * as fc from 'fast-check';
import { keyEncoder, valueEncoder } from '../../../adapters/store-embedded/encoding/value-encoding.ts';
import { board, change, newId, page, task } from '../../contract/records.ts';

describe('what the embedded store writes', () => {
  const kanban = board(newId());

  it('is read as it was given, field order and all', () => {
    for (const value of [
      task(kanban, 1, { tags: [newId(), newId()], assignees: [newId()], updatedAt: '2027-01-01T00:00:00.000Z' }),
      task(kanban, 3, { boardEdits: { count: 2, version: 7, updatedAt: '2027-01-01T00:00:00.000Z' } }),
      task(kanban, 1, { tags: Array.from({ length: 255 }, newId), assignees: Array.from({ length: 255 }, newId) }),
      task(kanban, 1, { tags: Array.from({ length: 300 }, newId) }),
      task(kanban, 3, { links: { parent: [newId()], blocks: [newId(), newId()] } }),
      task(kanban, 4, { metadata: { sprint: 1 }, links: { child: [newId()] } }),
      task(kanban, 1, { metadata: { sprint: 12, 'a.b': 'Zoë', constructor: true } }),
      task(kanban, 1, {
        boardEdits: { count: 2, version: 7, updatedAt: '2027-01-01T00:00:00.000Z' },
        metadata: { toJSON: 'x' },
      }),
      task(kanban, 1, { assignees: [newId().toUpperCase()] }),
      task(kanban, 1, { title: 'Zoë \u2028 "\\', tags: ['a'], statusOrderKey: -5 }),
      { ...task(kanban, 1), added: 'by a newer release' },
      { version: 1, id: 'fields in another order' },
      change(null),
      page(newId(), { entries: { constructor: { level: 300 as const, membership: 2 } } }),
      kanban,
      { __proto__: null, id: 'without a prototype' },
      0,
      -1.5,
      '',
      '\0\xff[]{}',
    ]) {
      expect(JSON.stringify(valueEncoder.decode(valueEncoder.encode(value)))).to.equal(JSON.stringify(value));
    }
  });

  it('is read from bytes that are no Buffer, which a value of 16 MiB and more comes as', () => {
    for (const value of [task(kanban, 1, { title: 'Zoë' }), page(newId()), kanban, '\0\xff[]{}']) {
      const bytes = valueEncoder.encode(value);
      const around = new Uint8Array(bytes.length + 2);
      around.set(bytes, 1);
      expect(valueEncoder.decode(around.subarray(1, -1))).to.deep.equal(value);
    }
  });

  it('repeats neither the names of the fields of a task or change nor the dashes of its ids', () => {
    const given = { tags: [newId()], metadata: { of: 'it' } };
    for (const record of [task(kanban, 1, { tags: [newId()] }), task(kanban, 1, given), change(newId())]) {
      const written = valueEncoder.encode(record).toString('latin1');
      assert(!written.includes('version') && !written.includes(record.id.slice(0, 8)));
    }
  });

  it('is text of any alphabet as it was given, in no more than 1.67 times the bytes of UTF-8', () => {
    const alphabets = [
      'notes',
      'über Größe',
      'выпуск',
      'リリース',
      '🚀',
      '“’—”',
      '\0\n\t "\\',
      '\ud83d',
      '\u2028\xff\u0100',
    ];
    const text = fc
      .array(fc.tuple(fc.constantFrom(...alphabets), fc.nat(40)), { maxLength: 4 })
      .map((parts) => parts.map(([of, times]) => of.repeat(times)).join(''));
    fc.assert(
      fc.property(text, (description) => {
        for (const value of [task(kanban, 1, { description }), { ...kanban, description }]) {
          const bytes = valueEncoder.encode(value);
          expect(valueEncoder.decode(bytes)).to.deep.equal(value);
          const json = JSON.stringify(value);
          expect(bytes.length).to.be.at.most(1 + (Buffer.byteLength(json) * 5) / 3);
        }
      }),
    );
  });

  it('is not in UTF-8 where that takes long to decode', () => {
    for (const [title, encoding] of [
      ['Größe', 'latin1'],
      ['выпуск '.repeat(20), 'utf16le'],
      ['リリース'.repeat(20), 'utf16le'],
      ['notes of part 1', 'utf8'],
      ['notes 🚀', 'utf8'],
    ] as const) {
      for (const value of [task(kanban, 1, { title }), { name: title }]) {
        assert(valueEncoder.encode(value).includes(Buffer.from(title, encoding)), `${title} in ${encoding}`);
      }
    }
  });

  it('is what it was in every release before', () => {
    const [id, recordId] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002'];
    const record = change(null, { id, recordId, version: 3, requestId: 'c', at: '2026-01-01T00:00:00.000Z' });
    const ids = `0189000000007000800000000000000100000000000000000000000000000000${recordId.replaceAll('-', '')}${'0'.repeat(32)}`;
    const rest = Buffer.from('["task","create",3,"c","2026-01-01T00:00:00.000Z"]').toString('hex');
    expect(valueEncoder.encode(record).toString('hex')).to.equal(`02${ids}${rest}`);
    expect(valueEncoder.decode(Buffer.from(`02${ids}${rest}`, 'hex'))).to.deep.equal(record);
    // Schema version 4 and before had all text in UTF-8.
    expect(valueEncoder.decode(Buffer.from('{"name":"Zoë"}'))).to.deep.equal({ name: 'Zoë' });
    const inUtf8 = Buffer.from(rest, 'hex').toString().replace('"c"', '"Zoë"');
    const before = Buffer.concat([Buffer.from(`02${ids}`, 'hex'), Buffer.from(inUtf8)]);
    expect(valueEncoder.decode(before)).to.deep.equal({ ...record, requestId: 'Zoë' });
    expect(valueEncoder.encode('\xe9').toString('hex')).to.equal('73e9');
    const key = Buffer.alloc(8);
    expect(keyEncoder.writeKey('\0\xff', key, 2)).to.equal(4);
    expect(key.toString('hex', 2, 4)).to.equal('00ff');
    expect(keyEncoder.readKey(key, 2, 4)).to.equal('\0\xff');
  });
});
