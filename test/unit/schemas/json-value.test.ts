import { expect } from 'chai';
import { assert, jsonValue, property } from 'fast-check';
import { checkOf } from '../../../adapters/schemas/check.ts';
import { operations, toJsonValue } from '../../../adapters/schemas/index.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';

function refusal(input: unknown): readonly string[] {
  try {
    toJsonValue(input);
  } catch (error) {
    expect(error).to.be.instanceOf(EspalierError).with.property('code', 'invalid-input');
    return (error as EspalierError).errors.map(({ pointer }) => pointer);
  }
  return [];
}

describe('what every store keeps alike', () => {
  it('is copied as it is', () => {
    assert(
      property(jsonValue({ maxDepth: 8, stringUnit: 'grapheme' }), (json) => {
        const before = JSON.stringify(json);
        if (/\\u0000|"__proto__"/.test(before)) return;
        const hasLarge = /\d{16}|e\+/.test(before);
        if (!hasLarge) expect(JSON.stringify(toJsonValue(json).value)).to.equal(before);
        expect(JSON.stringify(json)).to.equal(before);
      }),
    );
  });

  it('leaves out what is undefined, and keeps zero positive', () => {
    const { value } = toJsonValue({ a: undefined, b: -0, c: null });
    expect(Object.keys(value as object)).to.deep.equal(['b', 'c']);
    expect(Object.is((value as { b: number }).b, 0)).to.equal(true);
  });

  it('has no text that a store would change', () => {
    for (const text of ['\uD800', 'a\uDFFFb', '\0', 'a\0']) {
      expect(refusal({ list: [{ text }] })).to.deep.equal(['/list/0/text']);
      expect(refusal({ [text]: 1 })).to.have.length(1);
    }
    expect(refusal({ text: '😀\u202E\uFFFD\uFEFF' })).to.deep.equal([]);
  });

  it('has no number that a store would change', () => {
    for (const number of [NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53), 1e300]) {
      expect(refusal({ number }), String(number)).to.deep.equal(['/number']);
    }
    for (const number of [2 ** 53 - 1, 1 - 2 ** 53, 0.1, 5e-324]) expect(refusal({ number })).to.deep.equal([]);
  });

  it('has no prototype, and no deeper nesting than 32', () => {
    expect(refusal(JSON.parse('{"a":{"__proto__":{"admin":true}}}'))).to.deep.equal(['/a/__proto__']);
    const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
    expect(refusal(nested(32))).to.deep.equal([]);
    expect(refusal(nested(33))).to.deep.equal(['/a'.repeat(32)]);
    const endless: Record<string, unknown> = {};
    endless['a'] = endless;
    expect(refusal(endless)).to.have.length(1);
  });

  it('is JSON', () => {
    for (const value of [() => 1, Symbol('x'), 1n, [undefined]])
      expect(refusal({ value }), typeof value).to.have.length(1);
    expect(refusal({ 'a/b~c': 1n })).to.deep.equal(['/a~1b~0c']);
  });

  it('is no object that would be copied as an empty one', () => {
    const objects = [
      new Date(0),
      new Map([['a', 1]]),
      new Set([1]),
      /x/,
      new Error('x'),
      new String('x'),
      new URL('a:b'),
    ];
    for (const value of objects) expect(refusal({ value }), value.constructor.name).to.deep.equal(['/value']);
    expect(refusal({ value: new Uint8Array(1) })).to.deep.equal(['/value']);
    class Point {
      readonly x = 1;
    }
    expect(toJsonValue([new Point(), Object.create(null)]).value).to.deep.equal([{ x: 1 }, {}]);
  });

  it('is not looked at where it is far wider than anything that is asked for', () => {
    const untouched = (target: object) =>
      new Proxy(target, {
        get(record, name, self) {
          expect(name).to.equal('length');
          return Reflect.get(record, name, self) as unknown;
        },
      });
    const fields = untouched(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f${i}`, {}])));
    const items = untouched(Array.from({ length: 20_000 }, () => ({})));
    const createTasks = operations.find(({ useCase }) => useCase === 'tasks.createMany')!;
    const check = checkOf(createTasks.input);
    for (const [input, pointer] of [
      [fields, ''],
      [{ tasks: items }, '/tasks'],
      [{ tasks: [fields] }, '/tasks/0'],
    ] as const) {
      const refused = () => check(input);
      expect(refused).to.throw(EspalierError).with.property('code', 'invalid-input');
      expect(refused).to.throw(EspalierError).with.deep.nested.property('errors.length', 1);
      expect(refused).to.throw(EspalierError).with.nested.property('errors[0].pointer', pointer);
    }
  });

  it('is told of each unknown field, up to a hundred', () => {
    const createTasks = operations.find(({ useCase }) => useCase === 'tasks.createMany')!;
    const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, 1]));
    try {
      checkOf(createTasks.input)({ tasks: [], ...unknown });
    } catch (error) {
      const pointers = (error as EspalierError).errors.map(({ pointer }) => pointer);
      expect(pointers).to.include('/f0').and.include('/f90');
      return;
    }
    expect.fail('It is refused.');
  });
});
