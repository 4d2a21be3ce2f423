import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import { createHttpApp, type HttpApp } from '../../../../adapters/http/index.ts';
import { createEspalier, type Espalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { readJson } from '../../../../adapters/http/request/body.ts';
import type { RequestContext } from '../../../../adapters/http/request/request-context.ts';
import { newApi, type Api } from '../support.ts';
import { refusalOf } from '../refusal.ts';

const LIMIT = 16;

const known = () => Promise.resolve();

type Parts = string | readonly string[];

/** A request whose body comes in parts, and tells no length. */
function requestContext(body: Parts | null, headers: Record<string, string> = {}): RequestContext {
  const parts = typeof body === 'string' ? [body] : body;
  const stream = parts && ReadableStream.from(parts.map((part) => new TextEncoder().encode(part)));
  const given = { 'content-type': 'application/json', ...headers };
  const request = new Request('http://x', {
    method: 'POST',
    headers: given,
    body: stream,
    duplex: 'half',
  });
  return { request, incoming: undefined } as RequestContext;
}

describe('a body in process', () => {
  const answer = (body: Parts | null, headers?: Record<string, string>) =>
    refusalOf(readJson(requestContext(body, headers), LIMIT, known));

  it('is JSON, in one part or several', async () => {
    for (const body of ['{"a":"ä"}', ['{"a', '":"ä', '"}']]) {
      const { value, bytes } = await readJson(requestContext(body), LIMIT, known);
      expect([value, new TextDecoder().decode(bytes)]).to.deep.equal([{ a: 'ä' }, '{"a":"ä"}']);
    }
  });

  it('may be missing, of whatever type', async () => {
    for (const body of [null, '', []]) {
      const { value, bytes } = await readJson(requestContext(body, { 'content-type': 'text/plain' }), LIMIT, known);
      expect([value, bytes.length]).to.deep.equal([undefined, 0]);
    }
  });

  it('is taken up to the limit, whether it tells its length or not', async () => {
    const most = JSON.stringify('x'.repeat(LIMIT - 2));
    expect(await answer(most)).to.equal('ok');
    expect(await answer(most, { 'content-length': String(LIMIT) })).to.equal('ok');
    expect(await answer(`${most} `)).to.equal('content-too-large');
    expect(await answer([most, ' '])).to.equal('content-too-large');
    expect(await answer(['x'.repeat(LIMIT), 'x'])).to.equal('content-too-large');
  });

  it('is refused by the length it tells, before any of it is read', async () => {
    const unread = requestContext('{}', { 'content-length': String(LIMIT + 1) });
    expect(await refusalOf(readJson(unread, LIMIT, known))).to.equal('content-too-large');
    expect(unread.request.bodyUsed).to.equal(false);
  });

  it('is read behind 4 KiB only when it is known who sends it', async () => {
    const small = JSON.stringify('x'.repeat(4_094));
    const large = JSON.stringify('x'.repeat(4_095));
    for (const [parts, length, expected] of [
      [[small], null, 0],
      [[small], small.length, 0],
      [[large], null, 1],
      [[large], large.length, 1],
      [[large.slice(0, 4_000), large.slice(4_000)], null, 1],
    ] as const) {
      let asked = 0;
      const headers: Record<string, string> = length === null ? {} : { 'content-length': String(length) };
      await readJson(requestContext(parts, headers), 10_000, () => Promise.resolve(void (asked += 1)));
      expect(asked).to.equal(expected);
    }
    const nobody = () => Promise.reject(new EspalierError('unauthenticated', ''));
    let read = 0;
    const stream = new ReadableStream({
      pull(controller) {
        read += 1;
        controller.enqueue(new Uint8Array(3_000).fill(0x20));
      },
    });
    const request = new Request('http://x', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    });
    const context = { request, incoming: undefined } as RequestContext;
    expect(await refusalOf(readJson(context, 1_000_000, nobody))).to.equal('unauthenticated');
    expect(read).to.be.lessThan(5);
  });

  it('is refused when the host has read it, or reads it', async () => {
    const read = requestContext('{}');
    await read.request.json();
    expect(await refusalOf(readJson(read, LIMIT, known))).to.equal('invalid-input');
    const held = requestContext('{}');
    held.request.body!.getReader();
    expect(await refusalOf(readJson(held, LIMIT, known))).to.equal('invalid-input');
  });

  it('is refused when it breaks off, early or late', async () => {
    for (const length of [0, 10, 5_000]) {
      const headers = { 'content-type': 'application/json' };
      const body = ReadableStream.from(
        (function* () {
          yield new Uint8Array(length).fill(0x20);
          throw new Error('The client is gone.');
        })(),
      );
      const request = new Request('http://x', { method: 'POST', headers, body, duplex: 'half' });
      const context = { request, incoming: undefined } as RequestContext;
      expect(await refusalOf(readJson(context, 1_000_000, known)), String(length)).to.equal('invalid-input');
    }
  });

  it('is of the one type, in UTF-8', async () => {
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json;charset=utf-8',
      'application/json ; charset = "UTF-8" ',
    ]) {
      expect(await answer('{}', { 'content-type': type }), type).to.equal('ok');
    }
    for (const type of [
      'text/plain',
      'application/jsonx',
      'xapplication/json',
      'application/json; charset=latin1',
      'application/json; charset=utf8',
      'application/json; charset=utf-8; x=y',
      'application/json; x=y',
      'application/json, text/plain',
      '',
    ]) {
      expect(await answer('{}', { 'content-type': type }), type).to.equal('unsupported-media-type');
    }
    const untyped = requestContext('{}');
    untyped.request.headers.delete('content-type');
    expect(await refusalOf(readJson(untyped, LIMIT, known))).to.equal('unsupported-media-type');
  });

  it('is not compressed', async () => {
    for (const encoding of ['identity', 'Identity']) {
      expect(await answer('{}', { 'content-encoding': encoding }), encoding).to.equal('ok');
    }
    for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip']) {
      expect(await answer('{}', { 'content-encoding': encoding }), encoding).to.equal('unsupported-media-type');
    }
  });

  it('is well-formed', async () => {
    for (const body of ['{', '{}}', "{'a':1}", 'NaN', '\u0001'])
      expect(await answer(body), body).to.equal('invalid-input');
    const broken = new Request('http://x', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Uint8Array.from([0x22, 0xff, 0x22]),
    });
    expect(
      await refusalOf(readJson({ request: broken, incoming: undefined } as RequestContext, LIMIT, known)),
    ).to.equal('invalid-input');
  });
});

describe('a body as it comes over the wire', () => {
  let api: Api;
  let url: URL;
  let token: string;
  afterEach(() => api.close());

  /** What is answered to a PUT of the own user that is sent in parts, until the connection ends. */
  async function answerTo(headers: readonly string[], ...parts: readonly string[]): Promise<string> {
    const socket = connect(Number(url.port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => {});
    // Rather no answer than none for ever.
    socket.setTimeout(20_000, () => socket.destroy());
    const lines = [
      'PUT /api/me HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${token}`,
      'Connection: close',
      ...headers,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    for (const part of parts) socket.write(part);
    await once(socket, 'close');
    return `${/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]} ${/"code":"([\w-]+)"/.exec(text)?.[1] ?? 'ok'}`;
  }

  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const JSON_TYPE = 'Content-Type: application/json';
  const CHUNKED = 'Transfer-Encoding: chunked';

  it('is held to the limit, in one part or several, with a length or without', async () => {
    api = await newApi('through a socket', { bodyLimit: LIMIT });
    url = new URL(api.url);
    ({ token } = await api.user('Ada'));
    const most = '{"name":"Ada B"}';
    expect(most).to.have.length(LIMIT);
    expect(await answerTo([JSON_TYPE, `Content-Length: ${LIMIT}`], most)).to.equal('200 ok');
    expect(await answerTo([JSON_TYPE, CHUNKED], chunk(most), chunk(''))).to.equal('200 ok');
    expect(await answerTo([JSON_TYPE, CHUNKED], chunk('{"name"'), chunk(':"Ada B"}'), chunk(''))).to.equal('200 ok');
    const over = '413 content-too-large';
    expect(await answerTo([JSON_TYPE, `Content-Length: ${LIMIT + 1}`], `${most} `)).to.equal(over);
    expect(await answerTo([JSON_TYPE, CHUNKED], chunk(`${most} `), chunk(''))).to.equal(over);
    expect(await answerTo([JSON_TYPE, CHUNKED], chunk(most), chunk(' '), chunk(' '), chunk(''))).to.equal(over);
  });

  it('is taken whatever else its client expects, and answered like any other', async () => {
    api = await newApi('through a socket');
    url = new URL(api.url);
    ({ token } = await api.user('Ada'));
    const expectation = 'Expect: 200-ok';
    expect(await answerTo([JSON_TYPE, 'Content-Length: 16', expectation], '{"name":"Ada B"}')).to.equal('200 ok');
    expect(await answerTo([JSON_TYPE, 'Content-Length: 2', expectation], '[]')).to.equal('400 invalid-input');
    expect(api.log).to.have.length(2);
  });

  it('is cut off when it does not come in time, and no other request is', async () => {
    api = await newApi('through a socket', { requestTimeout: 50 });
    url = new URL(api.url);
    ({ token } = await api.user('Ada'));
    for (const headers of [
      [JSON_TYPE, 'Content-Length: 16'],
      [JSON_TYPE, CHUNKED],
    ]) {
      expect(await answerTo(headers)).to.equal('408 ok');
    }
    expect(await answerTo([])).to.equal('400 invalid-input');
    expect((await api.ask({ method: 'GET', path: '/api/me', token })).status).to.equal(200);
  });
});

describe('a body that the host has read', () => {
  const sends = [
    ['/api/workspace', 'application/json', JSON.stringify({ name: 'Acme' })],
    ['/api/import', 'application/x-ndjson', '{}'],
  ] as const;
  let espalier: Espalier;
  let app: HttpApp;
  let token: string;

  beforeEach(async () => {
    espalier = createEspalier({ store: memoryStore() });
    const { id: userId } = await espalier.users.create({ name: 'Ada', email: 'ada@example.org', administrator: true });
    ({ token } = await espalier.tokens.createFor({ userId, name: 'laptop' }));
    const { engine, identity } = espalier;
    app = createHttpApp({ engine, identity, ready: () => Promise.resolve() });
  });
  afterEach(() => espalier.close());

  async function expectRefused(answer: Response): Promise<void> {
    expect(answer.status).to.equal(400);
    expect(((await answer.json()) as { detail: string }).detail).to.include('already been read');
  }

  for (const [path, type, body] of sends) {
    const init = () => ({ method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': type }, body });

    it(`is refused at once, and as what it is: ${path} of a server`, async () => {
      const server = createServer((message, response) => {
        message.resume().once('end', () => app.listener(message, response));
      }).listen(0, '127.0.0.1');
      try {
        await once(server, 'listening');
        const { port } = server.address() as AddressInfo;
        await expectRefused(await fetch(`http://127.0.0.1:${port}${path}`, init()));
      } finally {
        server.close();
      }
    });

    it(`is refused at once, and as what it is: ${path} as a Request`, async () => {
      const request = new Request(`http://localhost${path}`, init());
      await request.text();
      await expectRefused(await app.fetch(request));
    });
  }
});
