import { expect } from 'chai';
import { fieldChanges } from '../../../../core/history/field-changes.ts';
import { countedReads } from '../../../fixtures/store/counted-reads.ts';
import { newTask, told } from '../../../fixtures/suite/task-history.ts';

describe('what a history keeps of the fields of a task', () => {
  it('keeps small values however large the others are that change with them', async () => {
    const { owner, on, history } = await newTask();
    const metadata = (text: string) =>
      Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`large${n}`, text.repeat(480)]));
    await owner.tasks.update({ ...on, metadata: metadata('a') });
    await owner.tasks.update({ ...on, metadata: metadata('b'), complete: true, plannedEndDate: '2026-03-01' });
    const changes = told((await history())[0]!).slice(1) as unknown as readonly [string, unknown, unknown][];
    const large = changes.filter(([field]) => field.startsWith('metadata.'));
    expect(changes.filter((change) => !large.includes(change))).to.deep.equal([
      ['complete', false, true],
      ['dateEnd', null, '2026-03-01'],
    ]);
    expect(large).to.have.length(12);
    expect(JSON.stringify(changes).length).to.be.below(9_000);
  });

  it('keeps texts of up to 500 characters, also of those that take two code units', async () => {
    const { owner, on, history } = await newTask();
    const title = '😀'.repeat(500);
    await owner.tasks.update({ ...on, title, metadata: { short: '😀'.repeat(499) } });
    expect(told((await history())[0]!)).to.deep.equal([
      'task.update',
      ['title', 'Task', title],
      ['metadata.short', null, '😀'.repeat(499)],
    ]);
  });

  it('compares long lists in one look at each value', () => {
    const seen = { reads: 0 };
    const ids = Array.from({ length: 1_000 }, (_, n) => `tag ${n}`);
    const [tags, more] = [countedReads(ids.slice(1), seen), countedReads([...ids.slice(2), 'new'], seen)];
    const changes = fieldChanges('task', { tags }, { tags: more }, ['tags'], []);
    expect(JSON.parse(changes!)).to.deep.equal([['tags', ['tag 1'], ['new']]]);
    expect(seen.reads).to.be.at.most(4 * ids.length);
  });
});
