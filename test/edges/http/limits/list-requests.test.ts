import { expect } from 'chai';
import type { Caller } from '../../../../core/ports/context.ts';
import { isLargeList, listRequests } from '../../../../adapters/http/limits/requests-in-turn.ts';
import type { RequestContext } from '../../../../adapters/http/request/request-context.ts';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { operations } from '../../../../adapters/schemas/index.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { newApi } from '../support.ts';

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
      const answer = run({ request } as RequestContext, caller, async () => {
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

  it('are those of pages, boards, tasks and changes', () => {
    const large = operations.filter(isLargeList).map(({ useCase }) => useCase);
    expect(large).to.deep.equal(['pages.list', 'boards.list', 'tasks.list', 'changes.list']);
  });

  for (const wait of ['', '&wait=0', '&wait=60', '&%77ait=60']) {
    it(`are made four at once where there are changes, with '${wait}'`, async () => {
      const espalier = createEspalier({ store: memoryStore() });
      let goOn!: () => void;
      const gate = new Promise<void>((resolve) => (goOn = resolve));
      let made = 0;
      const begun = new Set<() => void>();
      const changes = {
        ...espalier.engine.changes,
        async list(...[call, input]: Parameters<typeof espalier.engine.changes.list>) {
          const slice = await espalier.engine.changes.list(call, input);
          if (slice.items.some(({ record }) => record !== undefined)) {
            made += 1;
            for (const look of begun) look();
            await gate;
          }
          return slice;
        },
      };
      const api = await newApi('in process', { espalier: { ...espalier, engine: { ...espalier.engine, changes } } });
      const { ada, ids, cursor } = await newSampleWorkspace(api);
      const path = `/api/workspace/${ids.workspaceId}/changes?since=${cursor}&include=record${wait}`;
      const fourth = new Promise<void>((resolve) => void begun.add(() => made === 4 && resolve()));
      const answers = Array.from({ length: 6 }, () => api.ask({ method: 'GET', path, token: ada.token }));
      await fourth;
      // As much as all of them need to begin.
      for (let times = 6; times > 0; times -= 1) await api.ask({ method: 'GET', path: '/api/me', token: ada.token });
      expect(made).to.equal(4);
      goOn();
      for (const { status } of await Promise.all(answers)) expect(status).to.equal(200);
      await api.close();
    });
  }
});
