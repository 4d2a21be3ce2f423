import { expect } from 'chai';
import { staticHandler } from '../../../../adapters/http/response/static-file.ts';
import type { RequestContext } from '../../../../adapters/http/request/request-context.ts';

const TEXT = 'The same for everybody. '.repeat(1_000);

function context(): RequestContext {
  const request = new Request('http://localhost/board/board.js');
  return { request, responseHeaders: {} } as unknown as RequestContext;
}

describe('answers that are the same for everybody', () => {
  it('are read once and compressed once, and are the same bytes for all', async () => {
    let loads = 0;
    const load = async () => {
      loads += 1;
      return TEXT;
    };
    const handle = staticHandler(load, { type: 'text/javascript' });
    const replies = await Promise.all(Array.from({ length: 800 }, () => handle(context())));
    expect(loads).to.equal(1);
    expect(new Set(replies.map(({ body }) => body)).size).to.equal(1);
    for (const coding of ['br', 'gzip'] as const) {
      const coded = await Promise.all(replies.map((reply) => reply.coded!(coding)));
      expect(new Set(coded).size, coding).to.equal(1);
    }
  });

  it('are read again by the next request when that failed', async () => {
    let loads = 0;
    const load = async () => {
      loads += 1;
      if (loads === 1) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
      return TEXT;
    };
    const handle = staticHandler(load, { type: 'text/javascript' });
    const failed = await Promise.resolve(handle(context())).then(
      () => 'answered',
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(failed).to.equal('EMFILE');
    expect((await handle(context())).status).to.equal(200);
  });
});
