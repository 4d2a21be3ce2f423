import { expect } from 'chai';
import { createHttpApp } from '../../../../adapters/http/index.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { newApi, overBoth } from '../support.ts';
import { LINES, exported, expectNothing, fill, imported, summed, text } from './transfers.ts';

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
    const named = { 'content-type': 'Application/X-NDJSON', 'content-encoding': 'Identity' };
    expect((await imported(api, token, await text(), named)).status).to.equal(201);
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
