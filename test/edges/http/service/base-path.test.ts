import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { createClient } from '../../../../adapters/client/index.ts';
import { createHttpApp, serve, type Service } from '../../../../adapters/http/index.ts';
import { createEspalier, type Espalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { EspalierError } from '../../../../core/kernel/errors.ts';
import { throws } from '../../../fixtures/errors.ts';
import { startChromium } from '../../../fixtures/process/chromium.ts';

const BASE_PATH = '/tools/tracker';

describe('a service with a base path', function () {
  this.timeout(60_000);
  let espalier: Espalier;
  let service: Service;
  let token: string;

  before(async () => {
    espalier = createEspalier({ store: memoryStore() });
    const ada = await espalier.users.create({ name: 'Ada', email: 'ada@example.org', administrator: true });
    ({ token } = await espalier.tokens.createFor({ userId: ada.id, name: 'test' }));
    service = await serve(espalier, { port: 0, board: true, basePath: BASE_PATH });
  });
  after(() => service.close());

  const ask = (url: string) => fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const post = (path: string, body: string, type = 'application/json') =>
    fetch(service.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body,
    });
  const recordAt = async (path: string | null): Promise<unknown> =>
    (await ask(new URL(path!, service.url).href)).json();

  it('has it in its address, and serves nothing elsewhere', async () => {
    const { origin, pathname } = new URL(service.url);
    expect(pathname).to.equal(BASE_PATH);
    for (const path of ['', '/', '/api/me', '/healthz', '/board', '/api/docs/show.js']) {
      expect((await ask(`${service.url}${path}`)).status, path).to.equal(200);
    }
    for (const path of ['/', '/api/me', '/healthz', '/board', '/tools', '/tools/trackerapi/me', '/tools/tracker/..']) {
      expect((await ask(`${origin}${path}`)).status, path).to.equal(404);
    }
  });

  it('is named with it by each of its pages', async () => {
    const document = (await (await ask(`${service.url}/api/openapi.json`)).json()) as { servers: { url: string }[] };
    expect(document.servers[0]!.url).to.equal(BASE_PATH);
    for (const [page, paths] of [
      ['', 6],
      ['/board', 3],
      ['/api/docs', 4],
      ['/api/docs/show.js', 1],
    ] as const) {
      const text = await (await fetch(`${service.url}${page}`)).text();
      const named = Array.from(text.matchAll(/(?<=["'])\/\w[^"']*/g), ([path]) => path);
      expect(new Set(named).size, page).to.equal(paths);
      for (const path of named) {
        expect(path).to.match(/^\/tools\/tracker\/\w/);
        expect((await fetch(new URL(path, service.url))).status, path).to.equal(200);
      }
    }
  });

  it('is called by the client, and tells where records and further slices are', async () => {
    const ada = createClient({ url: service.url, token });
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev' });
    await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
    for (const title of ['One', 'Two']) await ada.tasks.create({ workspaceId, boardId, title });
    const first = await ask(`${service.url}/api/workspace/${workspaceId}/task?limit=1`);
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link')!)!;
    expect(await recordAt(next!)).to.have.nested.property('[0].title', 'Two');
    const made = await post(`/api/workspace/${workspaceId}/task`, JSON.stringify({ boardId, title: 'Three' }));
    expect(await recordAt(made.headers.get('location'))).to.include({ title: 'Three' });
    const lines = await (await ask(`${service.url}/api/workspace/${workspaceId}/export`)).text();
    await ada.workspaces.delete({ workspaceId });
    const imported = await post('/api/import', lines, 'application/x-ndjson');
    expect(await recordAt(imported.headers.get('location'))).to.include({ id: workspaceId });
    await ada.workspaces.delete({ workspaceId });
  });

  it('refuses what cannot begin a path', async () => {
    const { engine, identity } = espalier;
    const ready = () => Promise.resolve();
    for (const basePath of ['tracker', '/', '/tracker/', '//x', '/a/../b', '/.', '/a b', '/%41', '/:id', '/*', 7]) {
      const make = () => createHttpApp({ engine, identity, ready, basePath: basePath as string });
      throws(
        make,
        ({ code, errors }: EspalierError) => code === 'invalid-input' && errors[0]!.pointer === '/basePath',
        String(basePath),
      );
    }
    for (const basePath of ['', '/tracker', '/a/b-c/d.e_f~g']) createHttpApp({ engine, identity, ready, basePath });
  });

  describe('in a browser', () => {
    let browser: Browser;
    let page: Page;
    const failed: string[] = [];

    before(async function () {
      browser = await startChromium(this);
      page = await browser.newPage();
      page.on('response', (answer) => answer.status() >= 400 && failed.push(`${answer.status()} ${answer.url()}`));
    });
    after(() => browser?.close());
    afterEach(() => expect(failed.splice(0)).to.deep.equal([]));

    it('shows its board, and loads the sample', async () => {
      await page.goto(`${service.url}/board#token=${token}`);
      await page.getByRole('button', { name: 'Load the sample' }).click();
      await page.locator('.card', { hasText: 'Write the README' }).waitFor();
    });

    it('keeps the token for itself, not for another service of the host', async () => {
      const { engine, identity } = espalier;
      const ready = () => Promise.resolve();
      const apps = ['/one', '/two'].map((basePath) =>
        createHttpApp({ engine, identity, ready, board: true, basePath }),
      );
      const host = createServer((message, response) =>
        apps[Number(message.url!.startsWith('/two'))]!.listener(message, response),
      );
      await once(host.listen(0, '127.0.0.1'), 'listening');
      const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
      try {
        await page.goto(`${url}/one/board#token=${token}`);
        await page.getByRole('button', { name: 'Sign out' }).waitFor();
        await page.goto(`${url}/two/board`);
        await page.getByLabel('API token').waitFor();
      } finally {
        host.close();
      }
    });

    it('shows its reference', async () => {
      await page.goto(`${service.url}/api/docs`);
      await page.getByRole('heading', { name: 'How to get a token', exact: true }).waitFor();
    });
  });
});
