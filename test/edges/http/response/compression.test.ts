import { request as ask, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createHttpApp, type HttpApp, type HttpOptions } from '../../../../adapters/http/index.ts';
import { codingFor, compressible } from '../../../../adapters/http/response/compression.ts';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { newApi } from '../support.ts';

describe('the Accept-Encoding header', () => {
  it('chooses what the client likes best, and the smaller of two that it likes as well', () => {
    for (const [header, expected] of [
      ['gzip', 'gzip'],
      ['GZIP', 'gzip'],
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip;q=1, br;q=0.5', 'gzip'],
      ['gzip; q=0.2, br; q=0.1, *;q=0', 'gzip'],
      ['*', 'br'],
      ['br;q=0, *', 'gzip'],
      ['identity;q=1, gzip;q=0.5', null],
      ['gzip;q=0', null],
      ['deflate', null],
      ['', null],
      [null, null],
      [`${'x,'.repeat(600)}gzip`, null],
    ] as const) {
      expect(codingFor(header), String(header)).to.equal(expected);
    }
  });
});

describe('compression', () => {
  const plain = { br: brotliDecompressSync, gzip: gunzipSync } as const;

  async function open(given: Partial<HttpOptions> = {}) {
    const espalier = createEspalier({ store: memoryStore() });
    const { engine, identity } = espalier;
    const app = createHttpApp({ engine, identity, ready: () => espalier.store.ready(), ...given });
    const user = await espalier.users.create({ name: 'Ada', email: 'ada@example.org', administrator: true });
    const { token } = await espalier.tokens.createFor({ userId: user.id, name: 'test' });
    const ada = espalier.as(user);
    const workspace = await ada.workspaces.create({ name: 'Acme' });
    const board = await ada.boards.create({ workspaceId: workspace.id, name: 'Dev' });
    await ada.statuses.create({ workspaceId: workspace.id, boardId: board.id, name: 'Todo' });
    const description = 'What is to be done. '.repeat(300);
    const task = await ada.tasks.create({ workspaceId: workspace.id, boardId: board.id, title: 'Task', description });
    return { app, ada, workspace, task, token, tasks: `/api/workspace/${workspace.id}/task` };
  }

  const send = (app: HttpApp, token: string, path: string, headers: Record<string, string>, method = 'GET') =>
    app.fetch(new Request(`http://x${path}`, { method, headers: { authorization: `Bearer ${token}`, ...headers } }));

  for (const coding of ['br', 'gzip'] as const) {
    it(`gives ${coding} to a client that accepts it, and the same without it`, async () => {
      const { app, token, task, tasks } = await open();
      for (const path of [tasks, `${tasks}/${task.id}`, '/api/openapi.json', '/api/docs/start.js']) {
        const [as, coded] = await Promise.all([
          send(app, token, path, {}),
          send(app, token, path, { 'accept-encoding': coding }),
        ]);
        expect([as.status, as.headers.get('content-encoding')]).to.deep.equal([200, null]);
        for (const { headers } of [as, coded]) expect(headers.get('vary'), path).to.equal('Accept-Encoding');
        const body = Buffer.from(await as.arrayBuffer());
        const sent = Buffer.from(await coded.arrayBuffer());
        expect(coded.headers.get('content-length')).to.equal(String(sent.length));
        const isSmall = body.length < 4_096;
        expect(coded.headers.get('content-encoding'), path).to.equal(isSmall ? null : coding);
        if (isSmall) continue;
        expect(sent.length).to.be.lessThan(body.length / 2);
        expect(plain[coding](sent).equals(body)).to.equal(true);
        // Of each coding its own, and none where there was none.
        const tag = as.headers.get('etag');
        expect(coded.headers.get('etag')).to.equal(tag === null ? null : tag.replace(/"$/, `+${coding}"`));
      }
    });
  }

  it('leaves it at 304 whatever coding the client has, and at 200 once the record has changed', async () => {
    const { app, ada, token, task, tasks, workspace } = await open();
    const path = `${tasks}/${task.id}`;
    const get = async (known: string, accept: string) => {
      const { status, headers } = await send(app, token, path, { 'if-none-match': known, 'accept-encoding': accept });
      return [status, headers.get('etag'), headers.get('vary'), headers.get('content-encoding')];
    };
    const etag = (await send(app, token, path, {})).headers.get('etag')!;
    const tags = ['', '+gzip', '+br'].map((coding) => etag.replace(/"$/, `${coding}"`));
    for (const tag of tags) {
      for (const accept of ['identity', 'gzip', 'br']) {
        expect(await get(`"x", ${tag}`, accept)).to.deep.equal([304, tag, 'Accept-Encoding', null]);
      }
    }
    await ada.comments.create({ workspaceId: workspace.id, taskId: task.id, content: 'New' });
    for (const tag of tags) expect((await get(tag, 'gzip'))[0]).to.equal(200);
  });

  it('takes the tag of a compressed record for an update', async () => {
    const { app, token, task, tasks } = await open();
    const path = `${tasks}/${task.id}`;
    const { headers } = await send(app, token, path, { 'accept-encoding': 'br' });
    const put = (tag: string) =>
      app.fetch(
        new Request(`http://x${path}`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'if-match': tag },
          body: '{"title":"Other"}',
        }),
      );
    expect((await put(headers.get('etag')!)).status).to.equal(200);
    expect((await put(headers.get('etag')!)).status).to.equal(412);
  });

  it('is never of an answer that holds a secret, of one to a POST, nor where it is switched off', async () => {
    const { app, ada, token, workspace } = await open();
    for (let i = 0; i < 30; i += 1) await ada.invitations.create({ workspaceId: workspace.id, role: 20 });
    const list = await send(app, token, `/api/workspace/${workspace.id}/invitation`, { 'accept-encoding': 'gzip' });
    expect([list.status, list.headers.get('content-encoding'), list.headers.get('vary')]).to.deep.equal([
      200,
      null,
      null,
    ]);
    expect((await list.text()).length).to.be.greaterThan(4_096);
    const other = await open({ compression: false });
    const off = await send(other.app, other.token, other.tasks, { 'accept-encoding': 'gzip' });
    expect([off.status, off.headers.get('content-encoding'), off.headers.get('vary')]).to.deep.equal([200, null, null]);
  });

  it('names all that an answer depends on', async () => {
    const { app, token, tasks } = await open({ corsOrigins: ['https://app.example.org'] });
    const vary = async (path: string) => (await send(app, token, path, {})).headers.get('vary');
    expect(await vary(tasks)).to.equal('Origin, Accept-Encoding');
    expect(await vary('/api/audit')).to.equal('Origin, Accept, Accept-Encoding');
    expect(await vary('/api/nothing')).to.equal('Origin');
  });

  it('is of no more than two answers at once: others go out as they are', async () => {
    const { coded } = compressible({ status: 200, body: 'x'.repeat(100_000) });
    const made = await Promise.all([coded!('gzip'), coded!('br'), coded!('gzip')]);
    expect(made.map((one) => one === null)).to.deep.equal([false, false, true]);
    expect(await coded!('gzip')).not.to.equal(null);
  });

  it('shows in a HEAD as in the GET', async () => {
    const api = await newApi('through a socket');
    const head = (method: string, path: string) =>
      new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
        ask(api.url + path, { method, headers: { 'accept-encoding': 'gzip', 'x-request-id': 'one' } }, (response) => {
          response.setEncoding('latin1');
          text(response).then(
            (body) => resolve({ status: response.statusCode!, headers: response.headers, body }),
            reject,
          );
        }).end();
      });
    try {
      const got = await head('GET', '/api/openapi.json');
      const told = await head('HEAD', '/api/openapi.json');
      expect(got.headers['content-encoding']).to.equal('gzip');
      expect(told).to.deep.equal({ ...got, headers: { ...got.headers, date: told.headers.date }, body: '' });
    } finally {
      await api.close();
    }
  });
});
