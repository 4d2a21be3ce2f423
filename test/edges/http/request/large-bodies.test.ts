import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { parseJson, readJson } from '../../../../adapters/http/request/body.ts';
import type { RequestContext } from '../../../../adapters/http/request/request-context.ts';
import { rejected } from '../../../contract/rejected.ts';
import { collectGarbage } from '../../../fixtures/garbage.ts';

const PARTS = 200_000;
const LIMIT = 1_000_000;

async function heapInUse(): Promise<number> {
  await collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe('the body of a request', () => {
  /** Whether others have run before it is there for who has asked. */
  async function othersRan(text: string): Promise<boolean> {
    const parsing = parseJson(Buffer.from(JSON.stringify({ text })));
    let ran = false;
    setImmediate(() => (ran = true));
    expect(await parsing).to.deep.equal({ text });
    return ran;
  }

  it('is parsed in a turn of its own if it is large', async () => {
    expect(await othersRan('x'.repeat(100_000))).to.equal(true);
  });

  it('is parsed at once if it is small', async () => {
    expect(await othersRan('x')).to.equal(false);
  });

  it('is refused when it is no JSON, large or small', async () => {
    for (const text of ['[', `[${'1,'.repeat(50_000)}`]) await rejected('invalid-input', parseJson(Buffer.from(text)));
  });

  it('takes memory for its bytes, and not for the parts that it comes in', async () => {
    let held = 0;
    async function* parts(): AsyncIterableIterator<Uint8Array> {
      const before = await heapInUse();
      for (let count = 0; count < PARTS; count += 1) yield Uint8Array.of(0x20);
      yield Buffer.from('{}');
      held = (await heapInUse()) - before;
    }
    const request = new Request('http://x', { method: 'POST', headers: { 'content-type': 'application/json' } });
    const inProcess = { headers: request.headers, body: ReadableStream.from(parts()) };
    const onTheWire = Readable.from(parts(), { objectMode: false }) as IncomingMessage;
    for (const context of [
      { request: inProcess, incoming: undefined },
      { request, incoming: onTheWire },
    ]) {
      const { value, bytes } = await readJson(context as RequestContext, LIMIT, () => Promise.resolve());
      expect([value, bytes.length]).to.deep.equal([{}, PARTS + 2]);
      expect(held).to.be.lessThan(PARTS * 20);
    }
  });
});
