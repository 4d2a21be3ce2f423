import { expect } from 'chai';
import { compileAhead, compiled } from '../../../adapters/schemas/compile.ts';

describe('checks that are compiled ahead', () => {
  const schemas = ['a', 'b', 'c'].map((name) => ({ type: 'object', properties: { [name]: { type: 'string' } } }));
  const watched = (schema: object, looks: { count: number }) =>
    new Proxy(schema, {
      get(target, name) {
        looks.count += 1;
        return Reflect.get(target, name) as unknown;
      },
    });

  it('are compiled one in a turn, and found by the first who asks', async () => {
    const looks = schemas.map(() => ({ count: 0 }));
    const ahead = schemas.map((schema, n) => watched(schema, looks[n]!));
    let turns = 0;
    let most = 0;
    let isOver = false;
    const counts = () => looks.filter(({ count }) => count > 0).length;
    let before = 0;
    const turn = () => {
      turns += 1;
      most = Math.max(most, counts() - before);
      before = counts();
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await compileAhead(ahead, new AbortController().signal);
    isOver = true;
    expect(most).to.equal(1);
    expect(turns).to.be.at.least(2 * schemas.length);
    const known = looks.map(({ count }) => count);
    for (const all of [false, true]) for (const schema of ahead) compiled(schema, all);
    for (const [n, { count }] of looks.entries()) expect(count - known[n]!).to.be.below(10);
  });

  it('are left when the service closes', async () => {
    const looks = { count: 0 };
    await compileAhead([watched(schemas[0]!, looks)], AbortSignal.abort());
    expect(looks.count).to.equal(0);
  });
});
