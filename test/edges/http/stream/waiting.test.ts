import { connect } from 'node:net';
import { expect } from 'chai';
import { createClient } from '../../../../adapters/client/index.ts';
import { createHttpApp } from '../../../../adapters/http/index.ts';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { ChangeEvent } from '../../../../core/index.ts';
import type { KeepChanges } from '../../../../core/model/log/kept-changes.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { newSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { newApi, type Api, type ApiParts } from '../support.ts';

const WAIT = 60_000;

describe('requests that wait for changes', () => {
  let timers: ManualTimers;
  let api: Api;
  let sample: SampleWorkspace;
  let since: string;

  async function start(waits: ApiParts['waits'] = {}, keepChanges?: KeepChanges): Promise<void> {
    timers = new ManualTimers();
    const espalier = createEspalier({ store: memoryStore(), timers, ...(keepChanges && { keepChanges }) });
    api = await newApi('through a socket', { espalier, waits });
    sample = await newSampleWorkspace(api);
    since = (await get('')).headers.get('espalier-cursor')!;
  }

  const get = (path: string, { token } = sample.ada) =>
    api.ask({ method: 'GET', path: `/api/workspace/${sample.ids.workspaceId}${path}`, token });
  const wait = (cursor = since, by = sample.ada) => get(`/changes?since=${cursor}&wait=60`, by);

  afterEach(() => api.close());

  it('are answered with what is written meanwhile', async () => {
    await start();
    const answer = wait();
    await timers.isSet(WAIT);
    const { workspaceId, taskId } = sample.ids;
    await api.espalier.as(sample.bob).tasks.update({ workspaceId, taskId, title: 'Fixed' });
    const { status, json, headers } = await answer;
    expect([status, (json as ChangeEvent[]).map(({ id }) => id)]).to.deep.equal([200, [taskId]]);
    expect(headers.get('espalier-cursor')).not.to.equal(since);
  });

  it('go on from where they wait: what they have passed over may be kept no longer', async () => {
    await start({}, { count: 10 });
    const { workspaceId, taskId, folderId } = { ...sample.ids, ...sample };
    const ada = api.espalier.as(sample.ada);
    const answer = get(`/changes?since=${since}&wait=60&kind=task`);
    await timers.isSet(WAIT);
    for (let n = 0; n < 100; n += 1) {
      await ada.pages.update({ workspaceId, pageId: folderId, name: `Docs ${n}` });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await get(`/changes?since=${since}`)).json.code).to.equal('cursor-expired');
    await ada.tasks.update({ workspaceId, taskId, title: 'Fixed' });
    const { status, json } = await answer;
    expect([status, (json as ChangeEvent[]).map(({ id }) => id)]).to.deep.equal([200, [taskId]]);
  });

  it('of a client are given all the time that a timer takes', async () => {
    await start();
    const warnings: string[] = [];
    const warned = ({ name }: Error) => void warnings.push(name);
    process.on('warning', warned);
    try {
      const client = createClient({ url: api.url, token: sample.ada.token, timeout: 2 ** 31 - 1, retries: 0 });
      const answer = client.changes.list({ workspaceId: sample.ids.workspaceId, since, wait: 60 });
      await Promise.race([answer, timers.isSet(WAIT)]);
      timers.pass(WAIT);
      expect((await answer).items).to.deep.equal([]);
    } finally {
      process.off('warning', warned);
    }
    expect(warnings).to.deep.equal([]);
  });

  it('are refused for a wait that is too long or no number', async () => {
    await start();
    for (const bad of ['61', '-1', '1.5', 'x', '']) {
      const { status, pointers } = await get(`/changes?since=${since}&wait=${bad}`);
      expect([bad, status, pointers]).to.deep.equal([bad, 400, ['/wait']]);
    }
  });

  it('are bounded for each user and for all, and a client that goes away gives its place back', async () => {
    await start({ perUser: 1, perProcess: 2 });
    const gone = new AbortController();
    const url = `${api.url}/api/workspace/${sample.ids.workspaceId}/changes?since=${since}&wait=60`;
    const headers = { authorization: `Bearer ${sample.ada.token}` };
    const first = fetch(url, { headers, signal: gone.signal }).catch((error: unknown) => error);
    await timers.isSet(WAIT);
    const second = await wait();
    expect([second.status, second.json.code]).to.deep.equal([429, 'too-many-requests']);
    expect(second.headers.has('retry-after')).to.equal(true);
    // Others have places of their own, and nobody needs one who does not wait.
    expect((await wait(sample.cursor, sample.bob)).status).to.equal(200);
    expect((await get(`/changes?since=${since}`)).status).to.equal(200);
    gone.abort();
    await first;
    while ((await wait(sample.cursor)).status === 429);
    expect((await wait(sample.cursor)).status).to.equal(200);
  });

  it('end without events when their client closes its side of the connection, then or before', async () => {
    await start();
    const { pathname, port } = new URL(`${api.url}/api/workspace/${sample.ids.workspaceId}/changes`);
    const request =
      `GET ${pathname}?since=${since}&wait=60 HTTP/1.1\r\nHost: x\r\n` +
      `Authorization: Bearer ${sample.ada.token}\r\n\r\n`;
    for (const isBefore of [true, false]) {
      const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
      if (isBefore) socket.end(request);
      else {
        socket.write(request);
        await timers.isSet(WAIT);
        socket.end();
      }
      let answer = '';
      for await (const part of socket) answer += part as string;
      expect(answer, String(isBefore)).to.match(/^HTTP\/1\.1 200 /);
      expect(answer, String(isBefore)).to.include(`espalier-cursor: ${since}`);
    }
  });

  it('end without events when a host closes the app that it made', async () => {
    await start();
    const { engine, identity } = api.espalier;
    const app = createHttpApp({ engine, identity, ready: () => Promise.resolve() });
    const answer = app.fetch(
      new Request(`http://x/api/workspace/${sample.ids.workspaceId}/changes?since=${since}&wait=60`, {
        headers: { authorization: `Bearer ${sample.ada.token}` },
      }),
    );
    await timers.isSet(WAIT);
    app.close();
    const { status, headers } = await answer;
    expect([status, headers.get('espalier-cursor')]).to.deep.equal([200, since]);
    app.close();
  });

  it('end without events when the service closes', async () => {
    await start();
    const answer = wait();
    await timers.isSet(WAIT);
    await api.close();
    const { status, json, headers } = await answer;
    expect([status, json, headers.get('espalier-cursor')]).to.deep.equal([200, [], since]);
  });
});
