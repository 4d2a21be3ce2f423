import { expect } from 'chai';
import { operations } from '../../../../adapters/schemas/index.ts';
import { ask, validRequests } from '../valid-requests.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { newRewoundSample, type RewoundSample } from '../rewound-sample.ts';
import { overBoth, pathOf } from '../support.ts';

overBoth('every operation', (open, transport) => {
  let rewound: RewoundSample;
  before(async () => {
    rewound = await newRewoundSample(transport);
  });
  afterEach(() => rewound.rewind());
  after(() => rewound.api.close());

  for (const row of operations) {
    it(`${row.method} ${row.path} answers ${row.status}`, async () => {
      const { api, sample } = rewound;
      expect(validRequests, 'an operation without a test').to.have.property(row.useCase);
      const answer = await api.ask(ask(row, pathOf(row, sample.ids), sample));
      expect(answer.status, answer.text).to.equal(row.status);
      const type = answer.headers.get('content-type');
      expect(type).to.equal(row.status === 204 ? null : 'application/json');
      expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(answer.headers.get('cache-control')).to.equal(row.method === 'GET' ? 'private, no-cache' : 'no-store');
      expect(answer.headers.has('location')).to.equal(row.status === 201);
    });

    it(`${row.method} ${row.path} answers 401 to nobody`, async () => {
      const { api, sample } = rewound;
      const { token: _, ...anonymous } = ask(row, pathOf(row, sample.ids), sample);
      const answer = await api.ask(anonymous);
      expect([answer.status, answer.json.code]).to.deep.equal([401, 'unauthenticated']);
      expect(answer.headers.get('www-authenticate')).to.match(/^Bearer/);
    });
  }

  it('finds what was created where Location says', async () => {
    const api = await open();
    for (const row of operations.filter(({ status }) => status === 201)) {
      const sample = await newSampleAgain(api);
      const asked = ask(row, pathOf(row, sample.ids), sample);
      const created = await api.ask(asked);
      const { token } = asked;
      const found = await api.ask({ method: 'GET', path: created.headers.get('location')!, token });
      expect(found.status, row.useCase).to.equal(200);
      if (row.location!.endsWith('{id}')) expect(found.json.id).to.equal(created.json.id);
    }
  });

  let samples = 0;

  /** A further one on the same service. */
  async function newSampleAgain(api: Awaited<ReturnType<typeof open>>) {
    const names = (name: string) => `${name}${(samples += 1)}`;
    return newSampleWorkspace({ ...api, user: (name, given) => api.user(names(name), given) });
  }
});
