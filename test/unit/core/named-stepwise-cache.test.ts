import { expect } from 'chai';
import { NamedStepwiseCache } from '../../../core/kernel/named-stepwise-cache.ts';
import { NEVER_YIELD } from '../../../core/ports/yielder.ts';

describe('a cache of values computed in steps, by object and name', () => {
  it('computes each once, until those of all objects take more than its capacity', async () => {
    const cache = new NamedStepwiseCache<object, string>(10);
    const computed: string[] = [];
    const [a, b] = [{}, {}];
    const of = (owner: object, name: string) =>
      cache.of(
        owner,
        name,
        4,
        function* () {
          computed.push(name);
          yield;
          return name;
        },
        NEVER_YIELD,
      );
    expect(await Promise.all([of(a, 'x'), of(a, 'x'), of(b, 'y')])).to.deep.equal(['x', 'x', 'y']);
    expect([of(a, 'x'), of(b, 'y')]).to.deep.equal(['x', 'y']);
    expect(computed).to.deep.equal(['x', 'y']);
    await of(a, 'z');
    expect(of(a, 'z')).to.equal('z');
    await Promise.all([of(a, 'x'), of(b, 'y')]);
    expect(computed).to.deep.equal(['x', 'y', 'z', 'x', 'y']);
  });
});
