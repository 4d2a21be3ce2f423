import { once } from 'node:events';
import { request as send, type ClientRequest } from 'node:http';
import { expect } from 'chai';
import { startService } from '../../../../adapters/http/index.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { newApi, type Api, type ApiParts } from '../support.ts';
import { LINES, expectNothing, fill, text } from './transfers.ts';

describe('an import that does not come to its end', () => {
  const apis: Api[] = [];
  afterEach(async () => {
    for (const api of apis.splice(0)) await api.close();
  });

  async function started(parts: ApiParts = {}) {
    const api = await newApi('in process');
    apis.push(api);
    const { espalier } = api;
    const { token } = await api.user('Root', { administrator: true });
    const { engine, identity } = espalier;
    const log: { status?: number }[] = [];
    let logged = () => {};
    const info = (line: object) => {
      log.push(line);
      logged();
    };
    const logger = { info, error: info };
    const service = await startService({ engine, identity, ready: () => Promise.resolve(), port: 0, logger, ...parts });
    const close = api.close.bind(api);
    const whole = { ...api, close: () => service.close().then(close) };
    apis.splice(apis.indexOf(api), 1, whole);
    const upload = (headers: Record<string, string | number> = {}, path = '/api/import'): ClientRequest =>
      send(service.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': LINES, ...headers },
      });
    const nextLine = () => new Promise<void>((resolve) => (logged = resolve));
    return { api: whole, upload, log, nextLine, service, token };
  }

  const statusOf = async (sending: ClientRequest): Promise<number> => {
    const [response] = await once(sending, 'response');
    response.resume();
    return response.statusCode;
  };

  it('leaves nothing when the client goes away', async () => {
    const lines = await text(1_000, '');
    const { api, upload, log, nextLine } = await started();
    const sending = upload({ 'content-length': lines.length });
    sending.on('error', () => {});
    const over = nextLine();
    sending.write(lines.slice(0, lines.length - 100), () => sending.destroy());
    await over;
    expect(log.map(({ status }) => status)).to.deep.equal([400]);
    await expectNothing(api);
  });

  it('leaves nothing when it comes to a halt', async () => {
    const lines = await text(1_000, '');
    const { api, upload } = await started({ stallTimeout: 200 });
    const sending = upload();
    sending.write(lines.slice(0, -100));
    expect(await statusOf(sending)).to.equal(400);
    sending.destroy();
    await expectNothing(api);
  });

  it('is refused when it is too large, whether it tells or not', async () => {
    const lines = await text(30);
    const { api, upload } = await started({ importLimit: 1_000_000 });
    for (const headers of [{ 'content-length': lines.length }, {}]) {
      const sending = upload(headers);
      sending.on('error', () => {});
      sending.write(lines.slice(0, 10));
      sending.end(lines.slice(10));
      expect(await statusOf(sending)).to.equal(413);
    }
    await expectNothing(api);
  });

  it('may take longer than other requests', async () => {
    const lines = await text(1_000, '');
    const { upload, service } = await started({ requestTimeout: 20 });
    const sending = upload();
    const begun = performance.now();
    for (const part of lines.match(/[^]{1,50000}/g) ?? []) {
      sending.write(part);
      // Meanwhile it does something else.
      await (await fetch(`${service.url}/healthz`)).text();
    }
    while (performance.now() - begun < 100) await (await fetch(`${service.url}/healthz`)).text();
    sending.end();
    expect(await statusOf(sending)).to.equal(201);
  });

  it('cuts other requests off that do not come in in time', async () => {
    const { upload } = await started({ requestTimeout: 20 });
    const sending = upload({ 'content-type': 'application/json' }, '/api/workspace');
    sending.on('error', () => {});
    sending.write('{');
    expect(await statusOf(sending)).to.equal(408);
  });

  it('ends an export whose client goes away', async () => {
    const { api, service, log, nextLine } = await started();
    const sample = await newSampleWorkspace(api);
    await fill(api, sample, 400);
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${sample.ada.token}` };
    const path = `/api/workspace/${sample.ids.workspaceId}/export`;
    const response = await fetch(service.url + path, { headers, signal: stop.signal });
    await response.body!.getReader().read();
    const over = nextLine();
    stop.abort();
    await over;
    expect(log.at(-1)).to.include({ reason: 'The reader has gone.' });
  });
});
