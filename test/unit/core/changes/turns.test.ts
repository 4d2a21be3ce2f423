import { expect } from 'chai';
import { Turns } from '../../../../core/changes/turns.ts';

describe('turns of readers', () => {
  it('let as many begin in each turn of the event loop as in the first, in order', async () => {
    const turns: (() => void)[] = [];
    const readers = new Turns(() => new Promise((resolve) => void turns.push(resolve)));
    const begun: number[] = [];
    const all = Array.from({ length: 100 }, async (_, n) => {
      await readers.begin();
      begun.push(n);
    });
    await Promise.resolve();
    const first = begun.length;
    expect(first).to.be.within(1, 50);
    for (let before = 0; begun.length < 100; before = begun.length) {
      turns.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
      expect(begun.length - before).to.be.at.most(2 * first);
    }
    await Promise.all(all);
    expect(begun).to.deep.equal(Array.from({ length: 100 }, (_, n) => n));
  });

  it('keep nobody waiting where there is no event loop to share', () => {
    const readers = new Turns(undefined);
    for (let n = 0; n < 100; n += 1) expect(readers.begin()).to.equal(null);
  });
});
