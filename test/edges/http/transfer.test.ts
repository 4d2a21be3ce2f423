import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as send, type ClientRequest } from 'node:http';
import { expect } from 'chai';
import { createHttpApp, startService } from '../../../adapters/http/index.ts';
import { newSampleWorkspace, type SampleWorkspace } from './sample-workspace.ts';
import { newApi, overBoth, type Answer, type Api, type ApiParts } from './support.ts';

const LINES = 'application/x-ndjson';

const exported = (api: Api, { ids }: SampleWorkspace, token?: string, method = 'GET'): Promise<Answer> =>
  api.ask({ method, path: `/api/workspace/${ids.workspaceId}/export`, ...(token !== undefined && { token }) });

function imported(api: Api, token: string, raw: string, headers: Record<string, string> = {}): Promise<Answer> {
  return api.ask({ method: 'POST', path: '/api/import', token, raw, headers: { 'content-type': LINES, ...headers } });
}

/** Puts tasks of 50,000 characters each on the board. */
async function fill({ espalier }: Api, { ids, ada }: SampleWorkspace, tasks: number, description = 'x'.repeat(50_000)) {
  if (tasks === 0) return;
  const { workspaceId, boardId } = ids;
  const draft = (i: number) => ({ title: `Task ${i}`, boardId, description });
  await espalier.as(ada).tasks.createMany({ workspaceId, tasks: Array.from({ length: tasks }, (_, i) => draft(i)) });
}

/** The export of an sample that is somewhere else, with so many tasks. */
async function text(tasks = 0, description?: string): Promise<string> {
  const api = await newApi('in process');
  const sample = await newSampleWorkspace(api);
  await fill(api, sample, tasks, description);
  const answer = await exported(api, sample, sample.ada.token);
  await api.close();
  return answer.text;
}

/** Lines with the checksum that fits them. */
function summed(lines: string): string {
  const at = lines.lastIndexOf('{"kind":"end"');
  const sha256 = createHash('sha256').update(lines.slice(0, at)).digest('hex');
  return lines.slice(0, at) + lines.slice(at).replace(/"sha256":"\w+"/, `"sha256":"${sha256}"`);
}

/** Nothing of a workspace, once what was left has been removed. */
async function expectNothing({ espalier }: Api): Promise<void> {
  await espalier.idle();
  const left = await espalier.store.read(async (tx) => [
    await tx.workspaces.list('all', {}, { limit: 10 }),
    await tx.jobs.list('all', {}, { limit: 10 }),
  ]);
  expect(left).to.deep.equal([[], []]);
}

overBoth('a whole workspace', (open) => {
  it('goes out, comes in, and goes out the same', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const out = await exported(api, sample, sample.ada.token);
    expect([out.status, out.headers.get('content-type')]).to.deep.equal([200, LINES]);
    const other = await open();
    const admin = await other.user('Root', { administrator: true });
    const came = await imported(other, admin.token, out.text);
    const { workspace, count } = came.json;
    expect([came.status, workspace.id, count.task, count.comment]).to.deep.equal([201, sample.ids.workspaceId, 2, 1]);
    expect(came.headers.get('location')).to.equal(`/api/workspace/${workspace.id}`);
    const { token } = await other.espalier.tokens.createFor({ userId: sample.ada.id, name: 'test' });
    expect((await exported(other, sample, token)).text).to.equal(out.text);
  });

  it('goes out to its owners only, and others are told before anything is sent', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const { ids, ada, bob, gus, eve } = sample;
    for (const method of ['GET', 'HEAD']) {
      const status = async (token?: string) => (await exported(api, sample, token, method)).status;
      expect(await status(ada.token)).to.equal(200);
      for (const { token } of [bob, gus]) expect(await status(token)).to.equal(403);
      expect(await status(eve.token)).to.equal(404);
      expect(await status()).to.equal(401);
    }
    const at = (path: string, headers = {}) => api.ask({ method: 'GET', path, token: ada.token, headers });
    expect((await at('/api/workspace/none/export')).json.code).to.equal('not-found');
    expect((await at(`/api/workspace/${ids.workspaceId}/export?x=1`)).status).to.equal(400);
    expect((await at(`/api/workspace/${ids.workspaceId}/export`, { accept: 'application/json' })).status).to.equal(406);
    expect((await at(`/api/workspace/${ids.workspaceId.toUpperCase()}/export`)).status).to.equal(200);
  });

  it('comes in for service administrators only', async () => {
    const api = await open();
    const lines = await text();
    const eve = await api.user('Else');
    const refused = await imported(api, eve.token, lines);
    expect([refused.status, refused.json.code]).to.deep.equal([403, 'forbidden']);
    expect((await imported(api, eve.token, 'what is not even read')).status).to.equal(403);
    expect((await imported(api, 'esp_x', lines)).status).to.equal(401);
    expect((await imported(api, 'esp_x', '', { 'content-type': 'text/plain' })).status).to.equal(401);
    await expectNothing(api);
  });

  it('comes in once for an Idempotency-Key', async () => {
    const api = await open();
    const lines = await text(3);
    const { token } = await api.user('Root', { administrator: true });
    const first = await imported(api, token, lines, { 'idempotency-key': 'k' });
    const again = await imported(api, token, lines, { 'idempotency-key': 'k' });
    expect([first.status, again.status, again.text]).to.deep.equal([201, 201, first.text]);
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
    const codes = [
      (await imported(api, token, `${lines}\n`, { 'idempotency-key': 'k' })).json.code,
      (await imported(api, token, await text(1), { 'idempotency-key': 'k' })).json.code,
      (await imported(api, token, lines, { 'idempotency-key': 'l' })).json.code,
      (await imported(api, token, lines)).json.code,
      (await imported(api, token, lines, { 'idempotency-key': '' })).json.code,
    ];
    expect(codes).to.deep.equal([
      'invalid-input',
      'key-reused',
      'workspace-exists',
      'workspace-exists',
      'invalid-input',
    ]);
  });

  it('is refused with the number of a line that would take long to parse', async () => {
    const api = await open();
    const { token } = await api.user('Root', { administrator: true });
    const [head, second, ...rest] = (await text(1)).split('\n');
    const { status, json } = await imported(
      api,
      token,
      [head, second!.replace('{', `{${' '.repeat(4_194_304)}`), ...rest].join('\n'),
    );
    expect([status, json.code, json.errors?.[0]?.pointer]).to.deep.equal([400, 'invalid-input', '/2']);
    await expectNothing(api);
  });

  it('leaves nothing behind when it is damaged, and then comes in', async () => {
    const api = await open();
    const { token } = await api.user('Root', { administrator: true });
    const lines = await text(1_000, '');
    const rows = lines.split('\n');
    const damaged = [
      '',
      '{}',
      'no JSON',
      rows.slice(0, -2).join('\n'),
      lines.slice(0, lines.length / 2),
      lines.replace('Task 900', 'Task 901'),
      `${lines}{}`,
      summed(lines.replace('Task 900', 'Task \\u0000')),
      summed(lines.replace('Task 900', 'Task \\ud800')),
      rows.toSpliced(2, 0, '{"kind":"user","record":{"__proto__":1}}').join('\n'),
    ];
    for (const bad of damaged) {
      await api.espalier.idle();
      const refused = await imported(api, token, bad);
      expect([refused.status, refused.json.code], bad.slice(0, 20)).to.deep.equal([400, 'invalid-input']);
    }
    await expectNothing(api);
    expect((await imported(api, token, lines)).status).to.equal(201);
  });

  it('must come as JSON Lines, in the open', async () => {
    const api = await open();
    const { token } = await api.user('Root', { administrator: true });
    for (const headers of [{ 'content-type': 'application/json' }, { 'content-encoding': 'gzip' }]) {
      expect((await imported(api, token, await text(), headers)).status).to.equal(415);
    }
  });

  it('may be larger than other bodies', async () => {
    const api = await open();
    const { token } = await api.user('Root', { administrator: true });
    const lines = await text(40);
    expect(lines.length).to.be.greaterThan(2_000_000);
    expect((await imported(api, token, lines)).json.count.task).to.equal(42);
  });
});

describe('an export', () => {
  it('goes out as it was when it began', async () => {
    const api = await newApi('in process');
    const sample = await newSampleWorkspace(api);
    await fill(api, sample, 100);
    const { engine, identity, store } = api.espalier;
    const app = createHttpApp({ engine, identity, ready: () => store.ready() });
    const { workspaceId, boardId } = sample.ids;
    const headers = { authorization: `Bearer ${sample.ada.token}` };
    const address = `http://localhost/api/workspace/${workspaceId}/export`;
    const before = await (await app.fetch(new Request(address, { headers }))).text();
    const reader = (await app.fetch(new Request(address, { headers }))).body!.getReader();
    const parts = [await reader.read()];
    await api.espalier.as(sample.ada).boards.delete({ workspaceId, boardId });
    await api.espalier.idle();
    while (!parts.at(-1)!.done) parts.push(await reader.read());
    expect(Buffer.concat(parts.map(({ value }) => value ?? new Uint8Array())).toString()).to.equal(before);
    expect(parts.length).to.be.greaterThan(50);
    expect((await exported(api, sample, sample.ada.token)).text.length).to.be.lessThan(10_000);
    await api.close();
  });
});

describe('an import that does not come to its end', () => {
  const apis: Api[] = [];
  afterEach(async () => {
    for (const api of apis.splice(0)) await api.close();
  });

  async function started(parts: ApiParts = {}) {
    const api = await newApi('in process', parts);
    apis.push(api);
    const { espalier } = api;
    const { token } = await api.user('Root', { administrator: true });
    const { engine, identity } = espalier;
    const log: { status?: number }[] = [];
    let logged = () => {};
    const info = (line: object) => {
      log.push(line);
      logged();
    };
    const logger = { info, error: info };
    const service = await startService({ engine, identity, ready: () => Promise.resolve(), port: 0, logger, ...parts });
    const close = api.close.bind(api);
    const whole = { ...api, close: () => service.close().then(close) };
    apis.splice(apis.indexOf(api), 1, whole);
    const upload = (headers: Record<string, string | number> = {}, path = '/api/import'): ClientRequest =>
      send(service.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': LINES, ...headers },
      });
    const nextLine = () => new Promise<void>((resolve) => (logged = resolve));
    return { api: whole, upload, log, nextLine, service, token };
  }

  const statusOf = async (sending: ClientRequest): Promise<number> => {
    const [response] = await once(sending, 'response');
    response.resume();
    return response.statusCode;
  };

  it('leaves nothing when the client goes away', async () => {
    const lines = await text(1_000, '');
    const { api, upload, log, nextLine } = await started();
    const sending = upload({ 'content-length': lines.length });
    sending.on('error', () => {});
    const over = nextLine();
    sending.write(lines.slice(0, lines.length - 100), () => sending.destroy());
    await over;
    expect(log.map(({ status }) => status)).to.deep.equal([400]);
    await expectNothing(api);
  });

  it('leaves nothing when it comes to a halt', async () => {
    const lines = await text(1_000, '');
    const { api, upload } = await started({ stallTimeout: 200 });
    const sending = upload();
    sending.write(lines.slice(0, -100));
    expect(await statusOf(sending)).to.equal(400);
    sending.destroy();
    await expectNothing(api);
  });

  it('is refused when it is too large, whether it tells or not', async () => {
    const lines = await text(30);
    const { api, upload } = await started({ importLimit: 1_000_000 });
    for (const headers of [{ 'content-length': lines.length }, {}]) {
      const sending = upload(headers);
      sending.on('error', () => {});
      sending.write(lines.slice(0, 10));
      sending.end(lines.slice(10));
      expect(await statusOf(sending)).to.equal(413);
    }
    await expectNothing(api);
  });

  it('may take longer than other requests', async () => {
    const lines = await text(1_000, '');
    const { upload, service } = await started({ requestTimeout: 20 });
    const sending = upload();
    const begun = performance.now();
    for (const part of lines.match(/[^]{1,50000}/g) ?? []) {
      sending.write(part);
      // Meanwhile it does something else.
      await (await fetch(`${service.url}/healthz`)).text();
    }
    while (performance.now() - begun < 100) await (await fetch(`${service.url}/healthz`)).text();
    sending.end();
    expect(await statusOf(sending)).to.equal(201);
  });

  it('cuts other requests off that do not come in in time', async () => {
    const { upload } = await started({ requestTimeout: 20 });
    const sending = upload({ 'content-type': 'application/json' }, '/api/workspace');
    sending.on('error', () => {});
    sending.write('{');
    expect(await statusOf(sending)).to.equal(408);
  });

  it('ends an export whose client goes away', async () => {
    const { api, service, log, nextLine } = await started();
    const sample = await newSampleWorkspace(api);
    await fill(api, sample, 400);
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${sample.ada.token}` };
    const path = `/api/workspace/${sample.ids.workspaceId}/export`;
    const response = await fetch(service.url + path, { headers, signal: stop.signal });
    await response.body!.getReader().read();
    const over = nextLine();
    stop.abort();
    await over;
    expect(String((log.at(-1) as { err?: Error }).err)).to.contain('gone');
  });
});
