import { expect } from 'chai';
import { answersIn, listsTogether } from '../../../../adapters/store-mongodb/query/lists-together.ts';
import type { Query } from '../../../../adapters/store-mongodb/query/query.ts';

describe('lists that are asked for together', () => {
  const list = (taskId: string, more: Partial<Query> = {}): Query => ({
    from: 'comments',
    workspaceId: 'w',
    filter: { taskId: { $eq: taskId } },
    sort: { createdAt: 1, _id: 1 },
    limit: 2,
    ...more,
  });
  const comment = (_id: string, taskId: unknown) => ({ _id, taskId });

  it('are those of one index that differ in one value, and have one length', () => {
    const [a, b] = [list('a'), list('b')];
    const others: Query[] = [
      list('a', { limit: 3 }),
      list('a', { workspaceId: 'other' }),
      list('a', { from: 'checklistItems' }),
      list('a', { sort: { createdAt: -1, _id: -1 } }),
      list('a', { project: { _id: 1 } }),
      list('a', { filter: { taskId: { $eq: 'a' }, createdAt: { $gt: 'x' } } }),
      { from: 'comments', workspaceId: 'w', filter: { _id: { $eq: 'a' } }, limit: 1, one: { id: 'a' } },
    ];
    const found = listsTogether([a, ...others, b]);
    expect(found).to.have.length(1);
    expect(found[0]!.lists).to.deep.equal([a, b]);
    const { filter, sort } = found[0]!.query;
    expect(filter).to.deep.equal({ taskId: { $in: ['a', 'b'] } });
    expect(Object.keys(sort!)).to.deep.equal(['taskId', 'createdAt', '_id']);
  });

  it('are few in one query', () => {
    const found = listsTogether(Array.from({ length: 120 }, (_, n) => list(`${n}`)));
    expect(found.map(({ lists }) => lists.length)).to.deep.equal([50, 50, 20]);
  });

  it('get what each would have found, up to its limit', () => {
    const lists = [list('a'), list('b'), list('c'), list('a')];
    const [together] = listsTogether(lists);
    const docs = [comment('1', 'a'), comment('2', 'a'), comment('3', 'a'), comment('4', 'c')];
    const answers = answersIn(together!, docs)!;
    const ids = lists.map((one) => answers.get(one)!.map(({ _id }) => _id));
    expect(ids).to.deep.equal([['1', '2'], [], ['4'], ['1', '2']]);
  });

  it('are asked for one by one where a long one may have left no room for the others', () => {
    const [together] = listsTogether([list('a'), list('b')]);
    const docs = Array.from({ length: 5 }, (_, n) => comment(`${n}`, 'a'));
    expect(answersIn(together!, docs)).to.equal(null);
    expect(answersIn(together!, docs.slice(1))).to.not.equal(null);
    expect(answersIn(together!, [comment('1', ['a', 'b'])])).to.equal(null);
  });
});
