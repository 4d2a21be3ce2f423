import { connect } from 'node:net';
import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { startService, type Service } from '../../../../adapters/http/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { heard } from '../heard.ts';

describe('what a client sends beside the rules of HTTP', () => {
  let service: Service;
  let port: number;
  before(async () => {
    const { engine, identity, store } = createEspalier({ store: memoryStore() });
    service = await startService({ engine, identity, ready: () => store.ready(), port: 0 });
    port = Number(new URL(service.url).port);
  });
  after(() => service.close());

  it('survives what is no HTTP', async () => {
    for (const text of [
      'nonsense\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
    ]) {
      const socket = connect(port, '127.0.0.1');
      const said = heard(socket);
      socket.write(text);
      expect(await said).to.match(/^HTTP\/1\.1 4/);
    }
    for (const target of [
      '*',
      '//',
      '/%',
      '/%zz/%ff',
      '/api/workspace/%E0%A4%A',
      'http://elsewhere/api/me',
      'http://elsewhere:99999/api/me',
      'http://[elsewhere/api/me',
      'ftp://elsewhere/healthz',
      'http://elsewhere/../api/me',
      '/a/../../api/me',
    ]) {
      const socket = connect(port, '127.0.0.1');
      const said = heard(socket);
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(await said, target).to.match(/^HTTP\/1\.1 401 [\s\S]*"code":"unauthenticated"/);
    }
    expect((await fetch(`${service.url}/healthz`)).status).to.equal(200);
  });

  it('takes a head of up to 32 KiB', async () => {
    for (const [length, status] of [
      [31_000, 200],
      [33_000, 431],
    ] as const) {
      const socket = connect(port, '127.0.0.1');
      const said = heard(socket);
      socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: ${'x'.repeat(length)}\r\n\r\n`);
      expect(await said, String(length)).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
    }
  });

  it('refuses what another server on the way may have read in another sense', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: 1\r\n`).join('');
    for (const [text, status] of [
      ['GET /healthz\r\n\r\n', 400],
      ['GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n', 400],
      ['GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
      ['GET /healthz HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n', 400],
      ['GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', 400],
      ['GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n', 200],
      [`GET /healthz HTTP/1.1\r\nHost: a\r\n${fields(100)}\r\n`, 400],
      [`GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${fields(98)}\r\n`, 200],
      ['GET /healthz HTTP/1.0\r\n\r\n', 200],
    ] as const) {
      const socket = connect(port, '127.0.0.1');
      const said = heard(socket);
      socket.write(text);
      expect(await said, text).to.match(new RegExp(`^HTTP/1\\.1 ${status} [^]*connection: close`, 'i'));
    }
  });
});
