import { expect } from 'chai';
import { operations } from '../../../../adapters/schemas/index.ts';
import { ask } from '../valid-requests.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { newRewoundSample, type RewoundSample } from '../rewound-sample.ts';
import { newApi, pathOf, type Ask, type Transport } from '../support.ts';

for (const transport of ['in process', 'through a socket'] satisfies Transport[]) {
  describe(`a service that requires If-Match, ${transport}`, () => {
    let rewound: RewoundSample;
    before(async () => {
      rewound = await newRewoundSample(transport, { requireIfMatch: true });
    });
    afterEach(() => rewound.rewind());
    after(() => rewound.api.close());

    for (const row of operations.filter(({ method }) => method === 'PUT' || method === 'DELETE')) {
      const isNeeded = row.conditional;
      it(`${isNeeded ? 'answers 428 to' : 'lets pass'} ${row.method} ${row.path} without it`, async () => {
        const { api, sample } = rewound;
        const asked = ask(row, pathOf(row, sample.ids), sample);
        const { token: _, ...anonymous } = asked;
        expect((await api.ask(anonymous)).status).to.equal(401);
        const without = await api.ask(asked);
        if (isNeeded) expect([without.status, without.json.code]).to.deep.equal([428, 'precondition-required']);
        else expect(without.status).to.equal(row.status);
        if (isNeeded) {
          expect((await api.ask({ ...asked, headers: { 'if-match': '"99-x"' } })).status).to.equal(412);
          expect((await api.ask({ ...asked, headers: { 'if-match': '*' } })).status).to.equal(row.status);
        }
      });
    }

    for (const row of operations.filter(({ method, output }) => method !== 'GET' && output !== null)) {
      it(`gives an ETag that names the version, or none without one: ${row.useCase}`, async () => {
        const { api, sample } = rewound;
        const asked = { ...ask(row, pathOf(row, sample.ids), sample), headers: { 'if-match': '*' } };
        const { json, headers } = await api.ask(asked);
        const tag = headers.get('etag');
        if (json.version === undefined) expect(tag).to.equal(null);
        else expect(tag).to.match(new RegExp(`^"${json.version}-`));
      });
    }

    it('asks for no more than that', async () => {
      for (const row of operations.filter(({ method }) => method === 'GET' || method === 'POST')) {
        const { api, sample } = rewound;
        expect((await api.ask(ask(row, pathOf(row, sample.ids), sample))).status, row.useCase).to.equal(row.status);
        await rewound.rewind();
      }
    });

    it('loses no update of clients that read, change and write one task', async () => {
      const api = await newApi(transport, { requireIfMatch: true });
      const { ids, ada } = await newSampleWorkspace(api);
      const path = `/api/workspace/${ids.workspaceId}/task/${ids.taskId}`;
      const send = (asked: Omit<Ask, 'path'>) => api.ask({ path, token: ada.token, ...asked });
      let refused = 0;
      const increment = async (): Promise<void> => {
        for (;;) {
          const { json, headers } = await send({ method: 'GET' });
          const body = { ...json, priority: json.priority + 1 };
          const put = await send({ method: 'PUT', body, headers: { 'if-match': headers.get('etag')! } });
          if (put.status === 200) return;
          expect(put.status).to.equal(412);
          refused += 1;
        }
      };
      const client = async () => {
        for (let i = 0; i < 10; i += 1) await increment();
      };
      const before = (await send({ method: 'GET' })).json.priority;
      await Promise.all(Array.from({ length: 8 }, client));
      expect((await send({ method: 'GET' })).json.priority - before).to.equal(80);
      expect(refused).to.be.greaterThan(0);
      await api.close();
    });
  });
}
