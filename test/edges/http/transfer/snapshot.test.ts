import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createHttpApp, type Logger } from '../../../../adapters/http/index.ts';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { SnapshotItem } from '../../../../core/index.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { newSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { newApi, overBoth, type Api } from '../support.ts';

const LINES = 'application/x-ndjson';

const snapshot = (api: Api, { ids }: SampleWorkspace, token?: string, method = 'GET', query = '') =>
  api.ask({
    method,
    path: `/api/workspace/${ids.workspaceId}/snapshot${query}`,
    ...(token !== undefined && { token }),
  });

overBoth('a snapshot', (open) => {
  it('begins with the cursor, and ends with the checksum of all lines before', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const { status, headers, text } = await snapshot(api, sample, sample.ada.token);
    expect([status, headers.get('content-type')]).to.deep.equal([200, LINES]);
    const lines = text.split('\n');
    expect(lines.pop()).to.equal('');
    const end = lines.pop()!;
    const sha256 = createHash('sha256')
      .update(`${lines.join('\n')}\n`)
      .digest('hex');
    expect(JSON.parse(end)).to.deep.equal({ kind: 'end', sha256 });
    const [head, ...records] = lines.map((line) => JSON.parse(line) as SnapshotItem);
    expect(head).to.deep.equal({ kind: 'head', cursor: headers.get('espalier-cursor') });
    expect(new Set(records.map(({ kind }) => kind))).to.include.keys('workspace', 'member', 'page', 'board', 'task');
    const at = `/api/workspace/${sample.ids.workspaceId}/changes?since=${headers.get('espalier-cursor')}`;
    expect((await api.ask({ method: 'GET', path: at, token: sample.ada.token })).json).to.deep.equal([]);
  });

  it('is for members, who are told before anything is sent', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const { ada, bob, gus, eve, ids } = sample;
    for (const method of ['GET', 'HEAD']) {
      const status = async (token?: string) => (await snapshot(api, sample, token, method)).status;
      for (const { token } of [ada, bob, gus]) expect(await status(token)).to.equal(200);
      expect(await status(eve.token)).to.equal(404);
      expect(await status()).to.equal(401);
      expect(await status('esp_x')).to.equal(401);
    }
    expect((await snapshot(api, sample, ada.token, 'HEAD')).headers.has('espalier-cursor')).to.equal(true);
    expect((await snapshot(api, sample, ada.token, 'GET', '?x=1')).status).to.equal(400);
    const path = `/api/workspace/${ids.workspaceId}/snapshot`;
    const asJson = { method: 'GET', path, token: ada.token, headers: { accept: 'application/json' } };
    expect((await api.ask(asJson)).status).to.equal(406);
    expect((await api.ask({ ...asJson, path: '/api/workspace/none/snapshot', headers: {} })).status).to.equal(404);
  });
});

describe('snapshots that take long', () => {
  let api: Api;
  let sample: SampleWorkspace;
  let timers: ManualTimers;
  let log: { readonly level: 'info' | 'error'; readonly fields: object }[];
  let app: ReturnType<typeof createHttpApp>;
  let open: () => Promise<Response>;

  beforeEach(async () => {
    timers = new ManualTimers();
    api = await newApi('in process', { espalier: createEspalier({ store: memoryStore(), timers }) });
    sample = await newSampleWorkspace(api);
    const { espalier } = api;
    const { workspaceId, boardId } = sample.ids;
    const draft = (n: number) => ({ title: `Task ${n}`, boardId, description: 'x'.repeat(50_000) });
    const tasks = Array.from({ length: 300 }, (_, n) => draft(n));
    await espalier.as(sample.ada).tasks.createMany({ workspaceId, tasks });
    const { engine, identity, store } = espalier;
    log = [];
    const logger: Logger = {
      info: (fields) => log.push({ level: 'info', fields }),
      error: (fields) => log.push({ level: 'error', fields }),
    };
    app = createHttpApp({ engine, identity, ready: () => store.ready(), logger });
    const address = `http://localhost/api/workspace/${workspaceId}/snapshot`;
    open = async () => app.fetch(new Request(address, { headers: { authorization: `Bearer ${sample.bob.token}` } }));
  });
  afterEach(() => api.close());

  it('are two at once for one user, and one that is broken off makes room for another', async () => {
    const [first, second] = [await open(), await open()];
    const third = await open();
    expect([first.status, second.status, third.status]).to.deep.equal([200, 200, 429]);
    expect(await third.json()).to.include({ code: 'too-many-requests' });
    expect(third.headers.has('retry-after')).to.equal(true);
    await first.body!.cancel();
    let again: Response;
    do {
      await new Promise(setImmediate);
      again = await open();
    } while (again.status === 429);
    expect(again.status).to.equal(200);
    await Promise.all([second.body!.cancel(), again.body!.cancel()]);
  });

  it('are two at once with exports of the same user', async () => {
    const read = (what: string) => {
      const address = `http://localhost/api/workspace/${sample.ids.workspaceId}/${what}`;
      return app.fetch(new Request(address, { headers: { authorization: `Bearer ${sample.ada.token}` } }));
    };
    const both = [await read('export'), await read('snapshot')];
    for (const { status } of both) expect(status).to.equal(200);
    for (const what of ['export', 'snapshot']) expect((await read(what)).status).to.equal(429);
    expect((await open()).status, 'of another user').to.equal(200);
    for (const { body } of both) await body!.cancel();
  });

  it('break off without their last line when the reader may see less', async () => {
    const response = await open();
    const { workspaceId } = sample.ids;
    const members = await api.espalier.as(sample.ada).members.list({ workspaceId });
    const { id: memberId } = members.find(({ userId }) => userId === sample.bob.id)!;
    await api.espalier.as(sample.ada).members.remove({ workspaceId, memberId });
    expect(await response.text().catch((error: unknown) => error)).to.be.instanceOf(Error);
  });

  it('are logged with why they broke off, and without a stack: nothing has failed', async () => {
    const [late, left] = [await open(), await open()];
    const ends = () => log.filter(({ fields }) => !('status' in fields));
    await left.body!.cancel();
    while (ends().length === 0) await new Promise(setImmediate);
    timers.pass(240_000);
    expect(await late.text().catch((error: unknown) => error)).to.be.instanceOf(Error);
    expect(ends().map(({ level, fields }) => [level, { ...fields, requestId: '' }])).to.deep.equal([
      ['info', { requestId: '', reason: 'The reader has gone.' }],
      [
        'info',
        {
          requestId: '',
          code: 'snapshot-incomplete',
          reason: 'A snapshot takes at most 240 seconds, with its reader.',
        },
      ],
    ]);
  });
});
