import { expect } from 'chai';
import { createHttpApp } from '../../../../adapters/http/index.ts';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';

const FILES = [
  ['/board', 'text/html'],
  ['/board/board.js', 'text/javascript'],
  ['/board/board.css', 'text/css'],
  ['/board/sample.jsonl', 'application/x-ndjson'],
] as const;

function app(board?: boolean) {
  const { engine, identity } = createEspalier({ store: memoryStore() });
  return createHttpApp({ engine, identity, ready: () => Promise.resolve(), ...(board !== undefined && { board }) });
}

describe('/board', () => {
  it('is not there unless it is asked for', async () => {
    for (const served of [app(), app(false)]) {
      for (const [path] of FILES) {
        expect((await served.fetch(new Request(`http://localhost${path}`))).status, path).to.equal(401);
      }
    }
  });

  it('serves its files to everybody, compressed and with an entity tag', async () => {
    const served = app(true);
    for (const [path, type] of FILES) {
      const plain = await served.fetch(new Request(`http://localhost${path}`));
      expect(plain.status, path).to.equal(200);
      expect(plain.headers.get('content-type')).to.equal(`${type}; charset=utf-8`);
      const etag = plain.headers.get('etag')!;
      const again = new Request(`http://localhost${path}`, { headers: { 'if-none-match': etag } });
      expect((await served.fetch(again)).status, path).to.equal(304);
    }
    const coded = new Request('http://localhost/board/board.js', { headers: { 'accept-encoding': 'br' } });
    expect((await served.fetch(coded)).headers.get('content-encoding')).to.equal('br');
  });

  it('may load and run nothing but its own files', async () => {
    const page = await app(true).fetch(new Request('http://localhost/board'));
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).to.match(/default-src 'none'/);
    expect(policy).not.to.match(/unsafe|\*|http|data:/);
    expect(await page.text()).not.to.match(/ style=|<style| on\w+=|<script(?![^>]* src="\/board\/board.js")/);
  });

  it('is named by the page at the address of the service where it is there', async () => {
    const link = 'href="/board"';
    const welcome = async (board: boolean) => (await app(board).fetch(new Request('http://localhost/'))).text();
    expect(await welcome(true)).to.include(link);
    expect(await welcome(false)).not.to.include(link);
  });

  it('stays small: what a browser loads is at most 80 kB as it is sent', async () => {
    const served = app(true);
    let size = 0;
    for (const path of ['/board', '/board/board.js', '/board/board.css']) {
      const asked = new Request(`http://localhost${path}`, { headers: { 'accept-encoding': 'gzip' } });
      size += (await (await served.fetch(asked)).arrayBuffer()).byteLength;
    }
    expect(size).to.be.below(80_000);
  });
});
