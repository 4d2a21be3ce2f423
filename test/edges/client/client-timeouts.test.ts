import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { createClient } from '../../../adapters/client/index.ts';
import type { TransferRecord } from '../../../core/model/transfer-record.ts';
import type { Session } from '../../../core/session.ts';
import { eachOf } from '../../fixtures/each-of.ts';
import { failure } from '../../fixtures/errors.ts';
import { collectGarbage } from '../../fixtures/garbage.ts';
import type { Api } from '../http/support.ts';
import { newClientService } from './service.ts';

describe('The client, when an answer is slow,', () => {
  let api: Api;
  let local: Session;
  let token: string;
  let workspaceId: string;

  before(async () => {
    ({ api, local, token, workspaceId } = await newClientService());
  });
  after(() => api.close());

  it('gives up an answer that does not come, also where a signal could end the call', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const session = createClient({ url, timeout: 500, retries: 0 });
      const { signal } = new AbortController();
      const got = failure(session.me.get(undefined, { signal }));
      const isOver = got.then(() => true);
      while (!(await Promise.race([isOver, collectGarbage().then(() => false)])));
      expect((await got).code).to.equal('store-unavailable');
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  it('gives up what is not answered, and says so', async () => {
    const hanging = createServer(({ url: path }, response) => {
      if (path === '/api/me/token') response.writeHead(200, { 'content-type': 'application/json' }).write('[');
    }).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const session = createClient({ url, token, retries: 0, timeout: 50 });
    expect((await failure(session.me.get())).code).to.equal('store-unavailable');
    expect((await failure(session.tokens.list({}))).code).to.equal('store-unavailable');
    const sink = () => Promise.resolve();
    expect((await failure(session.exports.workspace({ workspaceId, sink }))).code).to.equal('store-unavailable');
    const records = (async function* () {})();
    expect((await failure(session.imports.workspace({ records }))).code).to.equal('store-unavailable');
    hanging.closeAllConnections();
    hanging.close();
  });

  it('asks for a transfer again that was not answered in time', async () => {
    const records: TransferRecord[] = [];
    await local.exports.workspace({ workspaceId, sink: (record) => void records.push(record) });
    const afterSilence = () => {
      let asked = 0;
      const silent = ({ signal }: RequestInit) =>
        new Promise<never>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));
      return createClient({
        url: api.url,
        token,
        timeout: 2_000,
        fetch: (address, init) => ((asked += 1) === 1 ? silent(init) : fetch(address, init)),
      });
    };
    const exported: TransferRecord[] = [];
    await afterSilence().exports.workspace({ workspaceId, sink: (record) => void exported.push(record) });
    expect(exported).to.deep.equal(records);
    const imported = afterSilence().imports.workspace({ records: eachOf(records) });
    expect((await failure(imported)).code).to.equal('workspace-exists');
  });

  it('takes an answer that comes slowly for as long as it comes', async () => {
    const timeout = 1_000;
    const slowly = async (_url: string, { signal }: RequestInit) => {
      const parts = ['{"id":', '"', workspaceId, '"', '}'];
      const pull = async (body: ReadableStreamDefaultController) => {
        await setTimeout(0.4 * timeout, null, { signal: signal as AbortSignal });
        body.enqueue(new TextEncoder().encode(parts.shift()));
        if (parts.length === 0) body.close();
      };
      return new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'application/json' } });
    };
    const session = createClient({ url: 'http://127.0.0.1', token, retries: 0, timeout, fetch: slowly });
    expect(await session.workspaces.get({ workspaceId })).to.deep.equal({ id: workspaceId });
  });

  it('waits longer for an import to be taken, and for its answer, than for other data to move', async () => {
    const [timeout, answer] = [20, { workspace: { id: workspaceId } }];
    const late = async (_url: string, { body, signal }: RequestInit) => {
      for await (const part of body as ReadableStream<Uint8Array>) {
        expect(part.length).to.be.above(0);
        await setTimeout(3 * timeout, null, { signal: signal as AbortSignal });
      }
      return Response.json(answer, { status: 201 });
    };
    const session = createClient({ url: 'http://127.0.0.1', token, retries: 0, timeout, fetch: late });
    const records: TransferRecord[] = [];
    await local.exports.workspace({ workspaceId, sink: (record) => void records.push(record) });
    const many = Array.from({ length: 500 }, () => records[0]!);
    expect(await session.imports.workspace({ records: eachOf(many) })).to.deep.equal(answer);
    expect(await session.imports.workspace({ records: eachOf([]) })).to.deep.equal(answer);
  });
});
