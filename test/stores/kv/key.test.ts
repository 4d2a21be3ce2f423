import { assert, expect } from 'chai';
import * as fc from 'fast-check';
import { idKey, idOfKey, integerKey, uint32Key, textKey, timeKey } from '../../../adapters/store-kv/engine/key.ts';
import { successor, prefixRange } from '../../../adapters/store-kv/engine/kv.ts';

const LARGEST = 2 ** 53;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('keys', () => {
  it('sort integers as numbers, in seven bytes', () => {
    const integer = fc.oneof(fc.integer({ min: -LARGEST + 1, max: LARGEST - 1 }), fc.integer({ min: -3, max: 3 }));
    fc.assert(fc.property(integer, integer, (a, b) => sign(integerKey(a), integerKey(b)) === Math.sign(a - b)));
    for (const edge of [-LARGEST, LARGEST, -(2 ** 52), 2 ** 52, -(2 ** 32), 2 ** 32 - 1, 0]) {
      expect(integerKey(edge).length).to.equal(7);
      assert(integerKey(edge - 1) <= integerKey(edge) && integerKey(edge) <= integerKey(edge + 1));
      isBytes(integerKey(edge));
    }
    assert(uint32Key(2 ** 31) > uint32Key(2 ** 31 - 1));
  });

  it('sort UUIDs as text, in 16 bytes, and give them back', () => {
    const uuid = fc.uuid();
    fc.assert(
      fc.property(uuid, uuid, (a, b) => {
        expect(idKey(a).length).to.equal(16);
        isBytes(idKey(a));
        expect(idOfKey(idKey(a))).to.equal(a);
        return sign(idKey(a), idKey(b)) === sign(a, b);
      }),
    );
  });

  it('take any other text for an id, told apart from UUIDs and from each other', () => {
    const text = fc.oneof(
      // No text with NUL gets as far as a store.
      fc.string({ unit: 'binary' }).filter((any) => !any.includes('\0')),
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        isBytes(idKey(a));
        expect(idOfKey(idKey(a))).to.equal(a);
        return (idKey(a) === idKey(b)) === (a === b) && (a === b || !idKey(a).startsWith(idKey(b)));
      }),
    );
  });

  it('pack a UUID of a known version in lower case only, and nothing that is one character off', () => {
    const changed = fc.tuple(fc.uuid(), fc.nat(35), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }));
    fc.assert(
      fc.property(changed, ([id, at, character]) => {
        const near = id.slice(0, at) + character + id.slice(at + 1);
        return (idKey(near).length === 16) === UUID.test(near);
      }),
      { numRuns: 2_000 },
    );
  });

  it('sort timestamps as text', () => {
    const time = fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(8e13) })
      .map((date) => date.toISOString());
    fc.assert(fc.property(time, time, (a, b) => sign(timeKey(a), timeKey(b)) === sign(a, b)));
    assert(timeKey('2026') > timeKey('9999-12-31T23:59:59.999Z'));
  });

  it('stay within what an engine takes, told apart all the same', () => {
    const [a, b] = [`${'\u{10FFFF}'.repeat(2000)}a`, `${'\u{10FFFF}'.repeat(2000)}b`];
    expect(textKey(a)).to.not.equal(textKey(b));
    expect(idKey(a)).to.not.equal(idKey(b));
    assert(textKey(a).length < 1900);
    expect(textKey('ä')).to.not.equal(textKey('Ã¤'));
  });

  it('of a prefix are exactly those that begin with it', () => {
    const bytes = fc.array(fc.constantFrom(0, 1, 0x7f, 0xfe, 0xff), { minLength: 1, maxLength: 4 });
    const key = bytes.map((codes) => String.fromCharCode(...codes));
    const prefix = key.filter((text) => /[^\xff]/.test(text));
    fc.assert(
      fc.property(prefix, key, (start, candidate) => {
        const { from, to } = prefixRange(start);
        assert((candidate >= from && candidate < to) === candidate.startsWith(start));
        assert(successor(candidate) > candidate);
      }),
      { numRuns: 2000 },
    );
  });
});

function sign(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isBytes(key: string): void {
  assert(/^[\0-\xff]*$/.test(key));
}
