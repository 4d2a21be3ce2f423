import { expect } from 'chai';
import { SafeScreen } from '../../../../cli/io/safe-screen.ts';
import { progressOf, progressText } from '../../../../cli/io/progress.ts';

describe('Progress', () => {
  it('is a bar where it is known how much there is to do, and a count where it is not', () => {
    expect(progressText('Importing', 0, 200)).to.equal(`Importing ${'░'.repeat(24)}   0%`);
    expect(progressText('Importing', 100, 200)).to.equal(`Importing ${'█'.repeat(12)}${'░'.repeat(12)}  50%`);
    expect(progressText('Importing', 300, 200)).to.equal(`Importing ${'█'.repeat(24)} 100%`);
    expect(progressText('records', 12_000, undefined)).to.equal('12,000 records');
  });

  it('says nothing to a script', () => {
    let said = '';
    const progress = progressOf({ stderr: new SafeScreen({ write: (text) => (said += text) }) }, 'tasks', 10);
    for (let done = 0; done < 10; done++) progress.step();
    progress.end();
    expect(said).to.equal('');
  });
});
