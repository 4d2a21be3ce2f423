import { expect } from 'chai';
import { judged } from './row.ts';

const row = { name: 'row', work: 'work', unit: 'us' };

describe('a row of the bench', () => {
  it('judges the ratio where there is a limit', () => {
    const found = judged({ ...row, figure: 30, against: 'bare', limit: 60, target: { atLeast: 0.5 } });
    expect(found).to.include({ ratio: 0.5, met: true });
    expect(judged({ ...row, figure: 29, against: 'bare', limit: 60, target: { atLeast: 0.5 } }).met).to.equal(false);
  });

  it('judges the figure where it stands for itself', () => {
    expect(judged({ ...row, figure: 2, target: { atMost: 2 } })).to.include({ ratio: null, met: true });
    expect(judged({ ...row, figure: 2.1, target: { atMost: 2 } }).met).to.equal(false);
  });

  it('may be met in another way', () => {
    const short = { ...row, figure: 1, against: 'bare', limit: 1, target: { atLeast: 1.3 } };
    expect(judged({ ...short, or: { words: 'all cores busy', met: true } })).to.include({
      met: true,
      or: 'all cores busy',
    });
    expect(judged({ ...short, or: { words: 'all cores busy', met: false } }).met).to.equal(false);
  });

  it('does not judge what has no target', () => {
    expect(judged({ ...row, figure: 2, against: 'bare', limit: 1 })).to.include({ ratio: 2, met: null });
  });

  it('is refused without a figure, or with a limit that is none', () => {
    expect(() => judged({ ...row, figure: Number.NaN })).to.throw(RangeError);
    expect(() => judged({ ...row, figure: 1, against: 'bare', limit: 0 })).to.throw(RangeError);
    expect(() => judged({ ...row, figure: 1, against: 'bare', limit: Number.NaN })).to.throw(RangeError);
    expect(() => judged({ ...row, figure: 1, limit: 5 })).to.throw(RangeError);
  });
});
