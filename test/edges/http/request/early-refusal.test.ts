import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { apiTokens } from '../../../../adapters/identity/index.ts';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { type Asked, countingStore } from '../../../fixtures/store/counting-store.ts';
import { newApi, type Api } from '../support.ts';

/** As large as a body may be. It is not sent unless a test says so. */
const LENGTH = 1_000_000;

describe('a large body', () => {
  let api: Api;
  let asked: Asked;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    const counting = countingStore(memoryStore());
    asked = counting.asked;
    api = await newApi('through a socket', { espalier: createEspalier({ store: counting.store }) });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    return api.close();
  });

  const unknownToken = () => apiTokens().tokenFactory.token().secret;

  /** Sends the head of a request, and nothing of its body. */
  function ask(token: string, ...headers: readonly string[]): Socket {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.setEncoding('utf8').on('error', () => {});
    sockets.push(socket);
    const lines = ['PUT /api/me HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`, ...headers];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return socket;
  }

  const head = async (socket: Socket): Promise<string> => ((await once(socket, 'data')) as [string])[0];

  async function toTheEnd(socket: Socket, text = ''): Promise<string> {
    socket.on('data', (chunk: string) => (text += chunk));
    await once(socket, 'close');
    return text;
  }

  const JSON_TYPE = 'Content-Type: application/json';
  const LARGE = `Content-Length: ${LENGTH}`;

  it('is not waited for when its token is made up, whether it tells its length or not', async () => {
    for (const length of [LARGE, 'Transfer-Encoding: chunked']) {
      expect(await head(ask(unknownToken(), JSON_TYPE, length)), length).to.match(/^HTTP\/1\.1 401 /);
    }
  });

  it('is not waited for when it would be refused: first for who sends it, then for its size and type', async () => {
    const { token } = await api.user('Ada');
    for (const [given, headers, status] of [
      [unknownToken(), ['Content-Type: text/plain', `Content-Length: ${LENGTH * 2}`], 401],
      [unknownToken(), ['Content-Type: text/plain', LARGE], 401],
      [token, ['Content-Type: text/plain', `Content-Length: ${LENGTH * 2}`], 413],
      [token, [JSON_TYPE, LARGE], 413],
      [token, ['Content-Type: text/plain', 'Content-Length: 10000'], 415],
    ] as const) {
      expect(await head(ask(given, ...headers))).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
    }
  });

  it('costs one look at the store more than a small one, which costs none', async () => {
    const { token } = await api.user('Ada');
    await api.ask({ method: 'GET', path: '/api/me', token });
    await api.espalier.idle();
    for (const [length, expected] of [
      [4_096, 0],
      [4_097, 1],
    ] as const) {
      asked.reads = 0;
      const raw = '{"name":"Ada"}'.padEnd(length);
      expect((await api.ask({ method: 'PUT', path: '/api/me', raw, token })).status).to.equal(200);
      expect(asked.reads, String(length)).to.equal(expected);
    }
  });

  it('is asked for, where the client waits for that, only from who may send it', async () => {
    const { token } = await api.user('Ada');
    const wait = 'Expect: 100-continue';
    for (const [given, headers, status] of [
      [unknownToken(), [JSON_TYPE, LARGE], 401],
      ['esp_nonsense', [JSON_TYPE, 'Content-Length: 2'], 401],
      [token, ['Content-Type: text/plain', 'Content-Length: 2'], 415],
      [token, [JSON_TYPE, `Content-Length: ${LENGTH * 2}`], 413],
    ] as const) {
      const text = await toTheEnd(ask(given, ...headers, wait));
      // What comes next on the connection could be that body, or another request.
      expect(text).to.match(new RegExp(`^HTTP/1\\.1 ${status} [^]*\r\nconnection: close\r\n`, 'i'));
    }
    const body = '{"name":"Ada B"}';
    const socket = ask(token, JSON_TYPE, `Content-Length: ${body.length}`, wait, 'Connection: close');
    expect(await head(socket)).to.equal('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    expect(await toTheEnd(socket)).to.match(/^HTTP\/1\.1 200 [^]*"name":"Ada B"/);
  });

  it('counts for nothing when its token is revoked while it comes', async () => {
    const { id, token } = await api.user('Ada');
    const body = JSON.stringify({ name: 'Ada B' }).padEnd(5_000);
    const socket = ask(token, JSON_TYPE, `Content-Length: ${body.length}`, 'Expect: 100-continue', 'Connection: close');
    expect(await head(socket)).to.match(/^HTTP\/1\.1 100 /);
    await api.espalier.users.update({ userId: id, disabled: true });
    socket.write(body);
    expect(await toTheEnd(socket)).to.match(/^HTTP\/1\.1 401 /);
    expect((await api.espalier.users.get({ userId: id })).name).to.equal('Ada');
  });
});
