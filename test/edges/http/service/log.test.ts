import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { operations } from '../../../../adapters/schemas/index.ts';
import { ask } from '../valid-requests.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { newApi, overBoth, pathOf } from '../support.ts';

overBoth('logs and metrics', (open) => {
  it('name requests, and hold no id, token, address or body', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const { token } = sample.ada;
    for (const row of operations.filter(({ method }) => method !== 'DELETE')) {
      await api.ask(ask(row, pathOf(row, sample.ids), sample));
    }
    await api.ask({ method: 'GET', path: `/api/workspace/invitation/${sample.ids.invitationId}?secret=1`, token });
    const log = JSON.stringify(api.log);
    const metrics = await api.ask({ method: 'GET', path: '/metrics', token });
    expect(metrics.status).to.equal(200);
    expect(metrics.text).to.contain('operation="tasks.get"');
    for (const text of [log, metrics.text]) {
      for (const secret of [token, 'esp_', ...Object.values(sample.ids), 'secret', 'example.org', 'Acme']) {
        expect(text).not.to.contain(secret);
      }
    }
    const line = api.log.find((fields) => 'route' in fields && fields.route === '/api/me') as Record<string, unknown>;
    expect(line).to.include({ method: 'GET', status: 200 });
    expect(line['ms']).to.be.a('number');
  });

  it('carry the request id of the client, when it is a usable one', async () => {
    const api = await open();
    const id = 'trace-7f/1:2';
    const ask = async (given: string) =>
      (await api.ask({ method: 'GET', path: '/healthz', headers: { 'x-request-id': given } })).headers.get(
        'x-request-id',
      );
    expect(await ask(id)).to.equal(id);
    expect(api.log.at(-1)).to.include({ requestId: id });
    for (const other of ['', 'a b', 'x'.repeat(129), '{"a":1}', 'é'])
      expect(await ask(other)).to.match(/^[0-9a-f-]{36}$/);
  });
});

describe('a logger of the host that fails', () => {
  const full = () => new Error('The disk is full.');
  const loggers = {
    throws: () => {
      throw full();
    },
    // As JavaScript may have it: the type of a logger returns nothing.
    rejects: (): unknown => Promise.reject(full()),
  };
  for (const transport of ['in process', 'through a socket'] as const) {
    for (const [how, log] of Object.entries(loggers)) {
      it(`fails no request where it ${how}, ${transport}`, async () => {
        const unhandled: unknown[] = [];
        const hear = (error: unknown) => void unhandled.push(error);
        process.on('unhandledRejection', hear);
        const identity = { authenticate: () => Promise.reject(full()) };
        const api = await newApi(transport, { logger: { info: log, error: log }, identity });
        expect((await api.ask({ method: 'GET', path: '/healthz' })).status).to.equal(200);
        const failed = await api.ask({ method: 'GET', path: '/api/me', token: 'x' });
        expect([failed.status, failed.json.code]).to.deep.equal([500, 'internal']);
        await api.close();
        await setImmediate();
        process.off('unhandledRejection', hear);
        expect(unhandled).to.deep.equal([]);
      });
    }
  }
});
