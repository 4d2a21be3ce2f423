import { expect } from 'chai';
import { operations } from '../../../../adapters/schemas/index.ts';
import { apiTokens } from '../../../../adapters/identity/index.ts';
import { ask } from '../valid-requests.ts';
import { newSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { newApi, overBoth, pathOf, type Api, type Ask, type Transport } from '../support.ts';

/** Requests with something wrong that has to come second. */
function wrongs({ ids }: SampleWorkspace): Readonly<Record<string, Ask>> {
  const path = `/api/workspace/${ids.workspaceId}`;
  return {
    'an unknown path': { method: 'GET', path: '/api/nothing/at/all' },
    'a method that is not allowed': { method: 'PATCH', path },
    'an answer that is not wanted': { method: 'GET', path, headers: { accept: 'text/html' } },
    'a body that is too large': { method: 'PUT', path, raw: 'x'.repeat(1024 * 1024 + 1) },
    'a body of another type': { method: 'PUT', path, raw: 'x', headers: { 'content-type': 'text/plain' } },
    'a body that is no JSON': { method: 'PUT', path, raw: '{' },
    'a field that is not valid': { method: 'PUT', path, body: { name: '' } },
    'an unknown parameter': { method: 'GET', path: `${path}?x=1` },
    'a header that is not valid': { method: 'PUT', path, body: {}, headers: { 'if-match': 'x' } },
    'another header that is not valid': { method: 'GET', path, headers: { 'if-none-match': 'x' } },
    'dates in the wrong order': {
      method: 'POST',
      path: `${path}/task`,
      body: { title: 'T', boardId: ids.boardId, plannedStartDate: '2026-01-02', plannedEndDate: '2026-01-01' },
    },
    'an id that is none': { method: 'GET', path: '/api/workspace/none' },
  };
}

overBoth('the order of checks', (open) => {
  it('puts 401 first, for a token that never was, is revoked, or whose user is disabled', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const revoked = await api.espalier.as(sample.bob).tokens.create({ name: 'old' });
    await api.espalier.as(sample.bob).tokens.revoke({ tokenId: revoked.id });
    await api.espalier.users.update({ userId: sample.gus.id, disabled: true });
    const forged = apiTokens().tokenFactory.token().secret;
    for (const token of [undefined, 'esp_x', `${sample.ada.token}x`, forged, revoked.token, sample.gus.token]) {
      for (const [why, asked] of Object.entries(wrongs(sample))) {
        const answer = await api.ask({ ...asked, ...(token === undefined ? {} : { token }) });
        expect([answer.status, answer.json.code], `${why} with ${token}`).to.deep.equal([401, 'unauthenticated']);
      }
    }
  });

  it('takes the scheme in any case, and no other scheme', async () => {
    const api = await open();
    const { token } = await api.user('Ada');
    const status = async (authorization: string) =>
      (await api.ask({ method: 'GET', path: '/api/me', headers: { authorization } })).status;
    expect(await status(`bearer ${token}`)).to.equal(200);
    for (const other of [token, `Basic ${token}`, `Bearer ${token} x`, 'Bearer', `Bearer ${token}, Bearer ${token}`]) {
      expect(await status(other), other).to.equal(401);
    }
  });

  it('puts bad input before what is hidden, and that before what is forbidden', async () => {
    const api = await open();
    const { ids, eve, bob } = await newSampleWorkspace(api);
    const path = `/api/workspace/${ids.workspaceId}`;
    const status = async (asked: Ask) => (await api.ask(asked)).status;
    expect(await status({ method: 'PUT', path, body: { name: '' }, token: eve.token })).to.equal(400);
    const malformed = { 'if-none-match': 'x' };
    expect(await status({ method: 'GET', path, headers: malformed, token: eve.token })).to.equal(400);
    expect(await status({ method: 'PUT', path, body: { name: 'x' }, token: eve.token })).to.equal(404);
    expect(await status({ method: 'PUT', path, body: { name: 'x' }, token: bob.token })).to.equal(403);
    const stale = { 'if-match': '"9-x"' };
    expect(await status({ method: 'PUT', path, body: { name: 'x' }, headers: stale, token: eve.token })).to.equal(404);
    expect(await status({ method: 'PUT', path, body: { name: 'x' }, headers: stale, token: bob.token })).to.equal(403);
  });

  it('puts a stale version before what cannot be used or is in conflict', async () => {
    const api = await open();
    const { ids, ada } = await newSampleWorkspace(api);
    const path = `/api/workspace/${ids.workspaceId}/task/${ids.taskId}`;
    const body = { statusId: ids.taskId };
    const ask = (headers: Record<string, string>) => api.ask({ method: 'PUT', path, body, headers, token: ada.token });
    expect((await ask({ 'if-match': '"9-x"' })).status).to.equal(412);
    expect((await ask({})).status).to.equal(422);
  });
});

for (const transport of ['in process', 'through a socket'] satisfies Transport[]) {
  describe(`what is hidden looks as if it did not exist, ${transport}`, () => {
    let api: Api;
    let sample: SampleWorkspace;
    let foreign: SampleWorkspace;
    before(async () => {
      api = await newApi(transport);
      sample = await newSampleWorkspace(api);
      foreign = await newSampleWorkspace({ ...api, user: (name, given) => api.user(`${name}2`, given) });
    });
    after(() => api.close());

    async function nothing(asked: Ask): Promise<string> {
      const answer = await api.ask(asked);
      expect([answer.status, answer.json?.code], `${asked.method} ${asked.path}`).to.deep.equal([404, 'not-found']);
      const headers = [...answer.headers].filter(([name]) => !['x-request-id', 'date', 'keep-alive'].includes(name));
      return JSON.stringify([headers, answer.text]);
    }

    for (const row of operations.filter(({ path }) => path.includes('{'))) {
      it(`${row.method} ${row.path}`, async () => {
        const seen = new Set<string>([await nothing({ method: 'GET', path: '/api/nothing', token: sample.ada.token })]);
        const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => (name === 'id' ? 'workspaceId' : name!));
        // The type of a link is a word of the interface, and names nothing.
        const good = ask(row, pathOf(row, sample.ids), sample);
        const [, query] = good.path.split('?');
        const at = (ids: Readonly<Record<string, string>>) =>
          pathOf(row, ids) + (query === undefined ? '' : `?${query}`);
        for (const name of names.filter((each) => each !== 'type')) {
          const elsewhere = (foreign.ids as Readonly<Record<string, string>>)[name]!;
          const others = [
            '00000000-0000-7000-8000-000000000001',
            'none',
            '%zz',
            'a%2Fb',
            '..%2f',
            `${sample.ids.taskId}x`,
          ];
          // What belongs to no workspace is not foreign, and who administrates the service may import everywhere.
          const isShared = names.length === 1 && ['userId', 'tokenId', 'invitationId'].includes(name);
          const foreigns = isShared || row.useCase === 'imports.board' ? [] : [elsewhere];
          for (const id of [...others, ...foreigns])
            seen.add(await nothing({ ...good, path: at({ ...sample.ids, [name]: id }) }));
        }
        if (names.includes('workspaceId') && row.useCase !== 'imports.board') {
          seen.add(await nothing({ ...good, path: at(sample.ids), token: sample.eve.token }));
          seen.add(await nothing({ ...good, path: at(sample.ids), token: foreign.ada.token }));
        }
        // Gus sees no page, and of members only the own row.
        if (/\/(?:page|board|task)\/\{|\{memberId\}$/.test(row.path) && !row.path.includes('batch')) {
          seen.add(await nothing({ ...good, path: at(sample.ids), token: sample.gus.token }));
        }
        expect(seen.size, [...seen].join('\n')).to.equal(1);
      });
    }
  });
}
