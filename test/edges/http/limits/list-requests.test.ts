import { expect } from 'chai';
import type { Caller } from '../../../../core/ports/context.ts';
import { isLargeList, listRequests } from '../../../../adapters/http/list-requests.ts';
import { operations } from '../../../../adapters/schemas/index.ts';

const [ADA, BEN] = ['ada', 'ben'].map((userId): Caller => ({ kind: 'user', userId })) as [Caller, Caller];

describe('lists that may be very large', () => {
  /** Requests that end when they are told, and the names of those that have begun. */
  function requests(atOnce?: number) {
    const run = listRequests(async (caller) => ({ key: JSON.stringify(caller) }), atOnce);
    const begun: string[] = [];
    const ask = (caller: Caller, name: string, signal?: AbortSignal) => {
      let end!: () => void;
      const work = new Promise<void>((resolve) => (end = resolve));
      const request = new Request('http://x', signal && { signal });
      const answer = run({ request }, caller, async () => {
        begun.push(name);
        await work;
        return name;
      });
      return { answer, end };
    };
    return { ask, begun };
  }

  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('are made a few at once of each user, and the others in their order', async () => {
    const { ask, begun } = requests(2);
    const [one, two, three, four] = ['1', '2', '3', '4'].map((name) => ask(ADA, name));
    const other = ask(BEN, 'of Ben');
    await settled();
    expect(begun).to.deep.equal(['1', '2', 'of Ben']);
    two!.end();
    expect(await two!.answer).to.equal('2');
    await settled();
    expect(begun.slice(3)).to.deep.equal(['3']);
    for (const each of [one, three, four, other]) each!.end();
    expect(await Promise.all([one, three, four, other].map((each) => each!.answer))).to.deep.equal([
      '1',
      '3',
      '4',
      'of Ben',
    ]);
  });

  it('are not made for a client that has gone while it waited, and others go on', async () => {
    const { ask, begun } = requests(1);
    const leaving = new AbortController();
    const [first, gone, last] = [ask(ADA, 'first'), ask(ADA, 'gone', leaving.signal), ask(ADA, 'last')];
    await settled();
    leaving.abort();
    first.end();
    const refused: unknown = await gone.answer.catch((error: unknown) => error);
    expect(refused).to.have.property('code', 'too-many-requests');
    last.end();
    expect(await last.answer).to.equal('last');
    expect(begun).to.deep.equal(['first', 'last']);
  });

  it('are those of tasks and of changes, unless they wait', () => {
    const large = (search: string) =>
      operations.filter((one) => isLargeList(one, { search })).map(({ useCase }) => useCase);
    expect(large('?limit=500')).to.deep.equal(['tasks.list', 'changes.list']);
    expect(large('?limit=500&wait=60')).to.deep.equal([]);
  });
});
