/** Bytes on a connection. */
export interface Frame {
  readonly what: string;
  readonly bytes: string;
}

/** Requests whose frame is not what HTTP says, each to be refused and the connection closed. */
export function hostileFrames(token: string): readonly Frame[] {
  const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  const hidden = `GET /api/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const post = (headers: string, body: string) => `POST /api/workspace HTTP/1.1\r\n${head}${headers}\r\n${body}`;
  const get = (headers: string) => `GET /api/me HTTP/1.1\r\n${head}${headers}\r\n`;
  const frames: Readonly<Record<string, string>> = {
    'length and chunks': post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${hidden}`),
    'chunks and length': post('Transfer-Encoding: chunked\r\nContent-Length: 6\r\n', `0\r\n\r\n${hidden}`),
    'two lengths': post('Content-Length: 0\r\nContent-Length: 40\r\n', hidden),
    'two equal lengths': post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'),
    'a list of lengths': post('Content-Length: 0, 40\r\n', hidden),
    'a negative length': post('Content-Length: -1\r\n', '{}'),
    'a signed length': post('Content-Length: +2\r\n', '{}'),
    'a hexadecimal length': post('Content-Length: 0x2\r\n', '{}'),
    'a broken length': post('Content-Length: 2a\r\n', '{}'),
    'an overlong length': post('Content-Length: 99999999999999999999999\r\n', '{}'),
    'a length past the limit': post('Content-Length: 1073741824\r\n', '{}'),
    'an empty length': post('Content-Length: \r\n', '{}'),
    'a coding that is none': post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${hidden}`),
    'a coding behind chunked': post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${hidden}`),
    'chunked twice': post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${hidden}`),
    'a space before the colon': post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${hidden}`),
    'a folded header': post('Transfer-Encoding:\r\n chunked\r\n', `zz\r\n\r\n${hidden}`),
    'a vertical tab in the coding': post('Transfer-Encoding: \u000bchunked\r\n', `0\r\n\r\n${hidden}`),
    'a chunk size that is none': post('Transfer-Encoding: chunked\r\n', `zz\r\n{}\r\n0\r\n\r\n`),
    'a negative chunk size': post('Transfer-Encoding: chunked\r\n', `-2\r\n{}\r\n0\r\n\r\n`),
    'an overlong chunk size': post('Transfer-Encoding: chunked\r\n', `fffffffffffffffff\r\n{}`),
    'a chunk longer than told': post('Transfer-Encoding: chunked\r\n', `1\r\n{}\r\n0\r\n\r\n`),
    'an overlong chunk extension': post('Transfer-Encoding: chunked\r\n', `2;${'x'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`),
    'a bare line feed in a header': get('X-A: b\nX-C: d\r\n').replace('\r\n\r\n', '\n\r\n'),
    'a bare carriage return': get('X-A: b\rX-C: d\r\n'),
    'NUL in a header': get('X-A: b\u0000c\r\n'),
    'a header without a name': get(': b\r\n'),
    'a header without a colon': get('X-A\r\n'),
    'a header with a space in its name': get('X A: b\r\n'),
    'headers past the limit': get(`X-A: ${'x'.repeat(40_000)}\r\n`),
    'many headers': get('X-A: b\r\n'.repeat(12_000)),
    'no host': 'GET /api/me HTTP/1.1\r\n\r\n',
    'HTTP/2 in plain': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'HTTP/9.9': 'GET /api/me HTTP/9.9\r\nHost: a\r\n\r\n',
    'HTTP/0.9': 'GET /api/me\r\n\r\n',
    'a method that is none': 'STEAL /api/me HTTP/1.1\r\nHost: a\r\n\r\n',
    'a method in lower case': 'get /api/me HTTP/1.1\r\nHost: a\r\n\r\n',
    'no method': ' /api/me HTTP/1.1\r\nHost: a\r\n\r\n',
    'TLS on a plain port': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
    noise: '\u0000\u0001\u0002\u0003\r\n\r\n',
    'another protocol': 'EHLO localhost\r\n',
  };
  return Object.entries(frames).map(([what, bytes]) => ({ what, bytes }));
}

/** Methods that the address of the caller's own profile does not take. */
export const METHODS = ['POST', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'MKCOL', 'LOCK', 'SEARCH', 'PURGE', 'QUERY'];
