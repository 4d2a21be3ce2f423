import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { operations } from '../../../../adapters/schemas/index.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { ask } from '../valid-requests.ts';
import { newSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { newApi, overBoth, pathOf, type Answer, type Api, type Ask } from '../support.ts';

const SECRET = ['tokens.create', 'tokens.createFor', 'invitations.create'];

/** All of an answer that a client may go by. */
function told({ status, text, headers }: Answer): unknown {
  return [status, text, headers.get('location'), headers.get('etag'), headers.get('content-type')];
}

const keyed = (asked: Ask, key: string): Ask => ({ ...asked, headers: { ...asked.headers, 'idempotency-key': key } });

const titled = ({ ids, ada }: SampleWorkspace, title: string): Ask & { readonly token: string } => ({
  method: 'POST',
  path: `/api/workspace/${ids.workspaceId}/task`,
  body: { title, boardId: ids.boardId },
  token: ada.token,
});

async function titles(api: Api, { ids, ada }: SampleWorkspace, title: string): Promise<number> {
  const path = `/api/workspace/${ids.workspaceId}/task?q=${title}&count=true`;
  return Number((await api.ask({ method: 'GET', path, token: ada.token })).headers.get('x-total-count'));
}

/** What every effect leaves something in. */
function traces({ espalier }: Api, { ids, ada }: SampleWorkspace): Promise<unknown> {
  return espalier.store.read(async (tx) => [
    await tx.changeLog.list(ids.workspaceId, 0, 1_000),
    await tx.changes.list('ofWorkspace', { workspaceId: null }, { limit: 1_000 }),
    await tx.audit.list('ofWorkspace', { workspaceId: null }, { limit: 1_000, descending: true }),
    await tx.structures.ofUser(ada.id),
  ]);
}

overBoth('a POST with an Idempotency-Key', (open) => {
  for (const row of operations.filter(({ method }) => method === 'POST')) {
    it(`${row.useCase} happens once, and is answered alike`, async () => {
      const api = await open();
      const sample = await newSampleWorkspace(api);
      const asked = keyed(ask(row, pathOf(row, sample.ids), sample), 'k-1');
      const first = await api.ask(asked);
      expect([first.status, first.headers.get('idempotency-replayed')]).to.deep.equal([row.status, null]);
      const before = await traces(api, sample);
      const again = await api.ask(asked);
      if (SECRET.includes(row.useCase)) {
        expect([again.status, again.json.code]).to.deep.equal([409, 'secret-not-kept']);
        expect(again.text).not.to.contain(first.json.token ?? first.json.id);
      } else {
        expect(told(again)).to.deep.equal(told(first));
        expect(again.headers.get('idempotency-replayed')).to.equal('true');
      }
      expect(await traces(api, sample)).to.deep.equal(before);
    });
  }

  it('is refused with another body', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    await api.ask(keyed(titled(sample, 'one'), 'k'));
    const other = await api.ask(keyed(titled(sample, 'two'), 'k'));
    expect([other.status, other.json.code]).to.deep.equal([422, 'key-reused']);
    expect(await titles(api, sample, 'two')).to.equal(0);
  });

  it('shares its key with no other address, user or key', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const at = `/api/workspace/${sample.ids.workspaceId}`;
    const path = `${at}/page/${sample.folderId}/access/member`;
    const made = [
      await api.ask(keyed(titled(sample, 'same'), 'k')),
      await api.ask(keyed(titled(sample, 'same'), 'K')),
      await api.ask(keyed({ ...titled(sample, 'same'), token: sample.bob.token }, 'k')),
      await api.ask(
        keyed(
          { method: 'POST', path, body: { memberId: sample.bob.memberId, access: 300 }, token: sample.ada.token },
          'k',
        ),
      ),
    ];
    expect(made.map(({ status }) => status)).to.deep.equal([201, 201, 201, 200]);
    expect(await titles(api, sample, 'same')).to.equal(3);
  });

  it('must have a key of 1 to 255 visible characters, once it is known who asks', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    for (const key of ['', 'a b', 'é', 'x'.repeat(256), 'a, b', 'a\tb']) {
      const asked = keyed(titled(sample, 'odd'), key);
      const refused = await api.ask(asked);
      expect([refused.status, refused.json.code], key).to.deep.equal([400, 'invalid-input']);
      const { token: _, ...anonymous } = asked;
      expect((await api.ask(anonymous)).status, key).to.equal(401);
    }
    for (const key of ['!', '~', '"7f"', 'x'.repeat(255)]) {
      expect((await api.ask(keyed(titled(sample, 'good'), key))).status, key).to.equal(201);
    }
    const read = await api.ask({ ...keyed(titled(sample, ''), 'a b'), method: 'GET', body: undefined });
    expect(read.status).to.equal(200);
  });

  it('leaves its key free when it is refused', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const good = titled(sample, 'good');
    const body = good.body as object;
    const bad: readonly [number, Ask][] = [
      [401, { ...good, token: 'esp_x' }],
      [400, { ...good, body: { ...body, title: '' } }],
      [400, { ...good, raw: '{' }],
      [415, { ...good, headers: { 'content-type': 'text/plain' } }],
      [422, { ...good, body: { ...body, statusId: sample.ids.tagId } }],
      [422, { ...good, body: { ...body, boardId: sample.ids.tagId } }],
    ];
    for (const [status, asked] of bad) expect((await api.ask(keyed(asked, 'k'))).status).to.equal(status);
    const made = await api.ask(keyed(good, 'k'));
    expect([made.status, made.headers.get('idempotency-replayed')]).to.deep.equal([201, null]);
  });

  it('has one effect when it is sent many times at once', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const answers = await Promise.all(Array.from({ length: 12 }, () => api.ask(keyed(titled(sample, 'twelve'), 'k'))));
    expect(new Set(answers.map((answer) => JSON.stringify(told(answer)))).size).to.equal(1);
    expect(answers.filter(({ headers }) => headers.has('idempotency-replayed'))).to.have.length(11);
    expect(await titles(api, sample, 'twelve')).to.equal(1);
  });

  it('is answered again only to who may still do it', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const { ids, bob, ada } = sample;
    const asked = keyed({ ...titled(sample, 'mine'), token: bob.token }, 'k');
    const again = async () => {
      const { status, text } = await api.ask(asked);
      expect(text).not.to.contain('mine');
      return status;
    };
    expect((await api.ask(asked)).status).to.equal(201);
    const grant = { workspaceId: ids.workspaceId, pageId: ids.boardId, memberId: bob.memberId };
    await api.espalier.as(ada).access.grant({ ...grant, access: 100 });
    expect(await again()).to.equal(403);
    await api.espalier.as(ada).access.grant({ ...grant, access: 0 });
    expect(await again()).to.equal(422);
    await api.espalier.as(ada).members.remove({ workspaceId: ids.workspaceId, memberId: bob.memberId });
    expect(await again()).to.equal(404);
    await api.espalier.users.update({ userId: bob.id, disabled: true });
    expect(await again()).to.equal(401);
  });
});

describe('what is kept for an Idempotency-Key', () => {
  const folder = temporaryFolder();

  it('outlives a restart, byte for byte', async () => {
    const path = `${folder}/kept.db`;
    const start = () => newApi('through a socket', { espalier: createEspalier({ store: embeddedStore({ path }) }) });
    let api = await start();
    const sample = await newSampleWorkspace(api);
    const rows = operations.filter(({ method, useCase }) => method === 'POST' && !SECRET.includes(useCase));
    const asked = rows
      .filter(({ useCase }) => useCase !== 'invitations.join')
      .map((row) => keyed(ask(row, pathOf(row, sample.ids), sample), row.useCase));
    const answers: unknown[] = [];
    for (const one of asked) answers.push(told(await api.ask(one)));
    await api.close();
    api = await start();
    for (const [i, one] of asked.entries()) expect(told(await api.ask(one)), one.path).to.deep.equal(answers[i]);
    await api.close();
  });

  it('is kept for 24 hours', async () => {
    let now = Date.now();
    const espalier = createEspalier({ store: memoryStore(), clock: { now: () => now } });
    const api = await newApi('in process', { espalier });
    const sample = await newSampleWorkspace(api);
    const asked = keyed(titled(sample, 'daily'), 'k');
    await api.ask(asked);
    now += 86_399_000;
    await api.ask(asked);
    expect(await titles(api, sample, 'daily')).to.equal(1);
    now += 2_000;
    await api.ask(asked);
    expect(await titles(api, sample, 'daily')).to.equal(2);
    await api.close();
  });

  it('gives no secret again, even where the first request would now be refused', async () => {
    let now = Date.now();
    const espalier = createEspalier({ store: memoryStore(), clock: { now: () => now } });
    const api = await newApi('in process', { espalier });
    const { token } = await api.user('Ada');
    const body = { name: 'short', expiresAt: new Date(now + 60_000).toISOString() };
    const asked = keyed({ method: 'POST', path: '/api/me/token', body, token }, 'k');
    expect((await api.ask(asked)).status).to.equal(201);
    now += 120_000;
    const again = await api.ask(asked);
    expect([again.status, again.json.code]).to.deep.equal([409, 'secret-not-kept']);
    await api.close();
  });
});
