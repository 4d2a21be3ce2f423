import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createHttpApp } from '../../../../adapters/http/index.ts';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';

describe('a host that mounts the service', () => {
  it('hears of the end of each response in the asynchronous context of its request', async () => {
    const paths = Array.from({ length: 20 }, (_, i) => `/api/workspace/${i}`);
    // All are answered in one turn of the event loop.
    let arrived = 0;
    let arriveAll: () => void = () => undefined;
    const allArrived = new Promise<void>((resolve) => (arriveAll = resolve));
    const authenticate = async () => {
      if ((arrived += 1) === paths.length) arriveAll();
      await allArrived;
      return null;
    };
    const espalier = createEspalier({ store: memoryStore(), identity: { authenticate } });
    const { engine, identity, store } = espalier;
    const app = createHttpApp({ engine, identity, ready: () => store.ready() });
    const requests = new AsyncLocalStorage<string>();
    const ended: Promise<readonly [string, ...unknown[]]>[] = [];
    const server = createServer((message, response) => {
      const path = message.url!;
      requests.run(path, () => {
        const heard = ['finish', 'close'].map(
          (event) => new Promise((resolve) => response.on(event, () => resolve(requests.getStore()))),
        );
        ended.push(Promise.all(heard).then((contexts) => [path, ...contexts] as const));
        app.listener(message, response);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const headers = { authorization: 'Bearer x' };
    const statuses = await Promise.all(paths.map(async (path) => (await fetch(url + path, { headers })).status));
    expect(new Set(statuses)).to.deep.equal(new Set([401]));
    const contexts = await Promise.all(ended);
    expect(contexts).to.have.deep.members(paths.map((path) => [path, path, path]));
    app.close();
    server.close();
    await espalier.close();
  });
});
