import { expect } from 'chai';
import { Type } from 'typebox';
import { queryReader } from '../../../../adapters/http/request/query.ts';
import { refusal } from '../refusal.ts';

const properties = {
  limit: Type.Integer(),
  count: Type.Boolean(),
  q: Type.String(),
  cursor: Type.String(),
  parent: { type: ['null', 'integer'] },
  level: Type.Array(Type.Integer()),
  flag: Type.Array(Type.Boolean()),
  name: Type.Array(Type.String()),
  sort: Type.Array(Type.String({ pattern: '^a' })),
  id: Type.Array(Type.String({ format: 'uuid' })),
  kind: Type.Array({ type: 'string', enum: ['a', 'b'] }),
  meta: { type: 'object' },
};

const read = (search: string) => queryReader(properties)(search);

describe('a query', () => {
  for (const [search, fields] of [
    ['', {}],
    ['?', {}],
    ['?&&', {}],
    ['?limit=5', { limit: 5 }],
    ['?limit=-5', { limit: -5 }],
    ['?limit=0', { limit: 0 }],
    ['?limit=120&count=true&q=a', { limit: 120, count: true, q: 'a' }],
    ['?count=false', { count: false }],
    ['?parent=7', { parent: 7 }],
    ['?q', { q: '' }],
    ['?q=', { q: '' }],
    ['?q=a=b', { q: 'a=b' }],
    ['?q=a+b%20c%2Bd+', { q: 'a b c+d ' }],
    ['?q=1,2', { q: '1,2' }],
    ['?q=true', { q: 'true' }],
    ['?%71=x', { q: 'x' }],
    ['?q=%C3%A4', { q: 'ä' }],
    ['?level=1&level=2,3&level=4%2C5', { level: [1, 2, 3, 4, 5] }],
    ['?flag=true,false', { flag: [true, false] }],
    ['?name=a,b&name=c%2Cd', { name: ['a', 'b', 'c,d'] }],
    ['?sort=ab,ac%2Cad', { sort: ['ab', 'ac', 'ad'] }],
    ['?id=a%2Cb', { id: ['a', 'b'] }],
    ['?kind=a%2Cb', { kind: ['a', 'b'] }],
    ['?level=', { level: [''] }],
    ['?meta.a=1', { meta: { a: ['1'] } }],
    ['?meta.a=1,2&meta.a=3%2C4&meta.b.c=', { meta: { a: ['1,2', '3,4'], 'b.c': [''] } }],
    ['?meta%5Ba%5D=1&meta.a=2&meta[constructor]=x', { meta: { a: ['1', '2'], constructor: ['x'] } }],
    [`?cursor=${Buffer.from('ä7').toString('base64url')}`, { cursor: 'ä7' }],
    ['?cursor=', { cursor: '' }],
  ] as const) {
    it(`of ${search || 'nothing'} is read by its schemas`, () => {
      expect(read(search)).to.deep.equal(fields);
    });
  }

  it('takes values by keys only where it takes them, and any key as one of its own', () => {
    expect(refusal(() => read('?meta=1'))).to.equal('invalid-input /meta');
    expect(refusal(() => read('?q.a=1'))).to.equal('invalid-input /q.a');
    expect(refusal(() => read('?meta.=1'))).to.equal('invalid-input /meta.');
    expect(refusal(() => read('?meta.a=%ff'))).to.equal('invalid-input /meta/a');
    const { meta } = read('?meta.__proto__=1') as { meta: object };
    expect(Object.hasOwn(meta, '__proto__')).to.equal(true);
    expect(Object.getPrototypeOf(meta)).to.equal(Object.prototype);
  });

  it('leaves what is no number and no boolean to the schema', () => {
    for (const text of ['', 'x', '1x', 'x1', '01', '-', '--1', '1.0', '1e3', ' 1', '0x1', '-01']) {
      expect(read(`?limit=${text}`), text).to.deep.equal({ limit: text });
    }
    for (const text of ['TRUE', '1', '', 'truefalse']) expect(read(`?count=${text}`)).to.deep.equal({ count: text });
  });

  it('is refused by the name of what is unknown, twice, or not well encoded', () => {
    for (const [search, expected] of [
      ['?x=1', 'invalid-input /x'],
      ['?x', 'invalid-input /x'],
      ['?__proto__=1', 'invalid-input /__proto__'],
      ['?constructor=1', 'invalid-input /constructor'],
      ['?a~b/c=1', 'invalid-input /a~0b~1c'],
      ['?x=1&q=1&y=1', 'invalid-input /x /y'],
      ['?limit=1&limit=2', 'invalid-input /limit'],
      ['?limit=1&limit=1', 'invalid-input /limit'],
      ['?q=%', 'invalid-input /q'],
      ['?q=%ff', 'invalid-input /q'],
      ['?q=%ff&q=a', 'invalid-input /q'],
      ['?level=1&level=%ff&level=2', 'invalid-input /level'],
      ['?%ff=1', 'invalid-input /%ff'],
      ['?=1', 'invalid-input /'],
      ['?cursor=*', 'invalid-input /cursor'],
      ['?cursor=_w', 'invalid-input /cursor'],
    ] as const) {
      expect(
        refusal(() => read(search)),
        search,
      ).to.equal(expected);
    }
  });

  it('is refused beyond 8,192 characters, its cursor aside: the link to the next part repeats it', () => {
    const cursor = `cursor=${Buffer.from('x'.repeat(3_000)).toString('base64url')}`;
    for (const more of ['', `&${cursor}`]) {
      expect(read(`?q=${'x'.repeat(8_189)}${more}`)['q']).to.have.length(8_189);
      expect(refusal(() => read(`?q=${'x'.repeat(8_190)}${more}`))).to.equal('invalid-input');
    }
  });

  it('counts what the link has to encode as long as it is there', () => {
    expect(read(`?q=${'<'.repeat(2_729)}`)['q']).to.have.length(2_729);
    for (const character of '<>"') {
      expect(
        refusal(() => read(`?q=${character.repeat(2_731)}`)),
        character,
      ).to.equal('invalid-input');
    }
  });

  it('has no more than a hundred faults told', () => {
    const many = Array.from({ length: 1_500 }, (_, i) => `x${i}`).join('&');
    expect(refusal(() => read(`?${many}`)).split(' ')).to.have.length(101);
  });
});
