import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { jwtIdentity } from '../../../../adapters/http/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { AUDIENCE, localIssuer, type LocalIssuer } from '../../identity/issuer.ts';
import { newApi, type Api, type ApiParts } from '../support.ts';

describe('requests with a JSON Web Token', () => {
  let issuer: LocalIssuer;
  let api: Api;
  beforeEach(async () => {
    issuer = await localIssuer();
  });
  afterEach(async () => {
    await api.close();
    await issuer.close();
  });

  const start = async (parts: ApiParts = {}, linkVerifiedEmail = false) => {
    const identity = jwtIdentity({ issuer: issuer.url, audience: AUDIENCE, linkVerifiedEmail });
    api = await newApi('in process', { espalier: createEspalier({ store: memoryStore(), identity }), ...parts });
  };
  const bob = { sub: 'bob', name: 'Bob', email: 'Bob@example.org', email_verified: true };
  const get = (path: string, token?: string) => api.ask({ method: 'GET', path, ...(token && { token }) });
  const post = (path: string, token: string, body?: unknown) => api.ask({ method: 'POST', path, token, body });

  it('sign a new user in, beside API tokens', async () => {
    await start();
    const token = await issuer.sign(bob);
    const [me, again] = [await get('/api/me', token), await get('/api/me', await issuer.sign(bob))];
    expect([me.status, me.json.name, me.json.email, me.json.emailVerified, me.json.administrator]).to.deep.equal([
      200,
      'Bob',
      'bob@example.org',
      true,
      false,
    ]);
    expect(again.text).to.equal(me.text);
    const made = await post('/api/me/token', token, { name: 'ci' });
    expect((await get('/api/me', made.json.token as string)).json.id).to.equal(me.json.id);
    expect((await get('/api/me/token', token)).json).to.have.length(1);
    expect((await get('/api/user', await issuer.sign({ ...bob, administrator: true }))).status).to.equal(403);
    expect((await get('/metrics', token)).status).to.equal(403);
  });

  it('make the user also where the request itself is refused, and never twice', async () => {
    await start();
    const token = await issuer.sign(bob);
    const wrong = await Promise.all([
      get('/api/workspace/none', token),
      post('/api/workspace', token, {}),
      get('/api/nothing', token),
      get('/api/me?x=1', token),
    ]);
    expect(wrong.map(({ status }) => status)).to.deep.equal([404, 400, 404, 400]);
    expect((await api.espalier.users.list()).items).to.have.length(1);
  });

  it('take up an addressed invitation with a verified address alone', async () => {
    await start();
    const ada = await api.user('Ada');
    const { json: workspace } = await post('/api/workspace', ada.token, { name: 'Acme' });
    const { json: invitation } = await post(`/api/workspace/${workspace.id}/invitation`, ada.token, {
      email: 'bob@example.org',
    });
    const address = `/api/workspace/invitation/${invitation.id}`;
    const unverified = await issuer.sign({ ...bob, email_verified: false });
    expect((await get(address, unverified)).status).to.equal(404);
    expect((await post(`${address}/join`, unverified)).status).to.equal(404);
    const verified = await issuer.sign(bob);
    expect((await get(address, verified)).status).to.equal(200);
    expect((await post(`${address}/join`, verified)).status).to.equal(201);
    const listed = await get('/api/workspace', verified);
    expect(listed.json.map(({ id }: { id: string }) => id)).to.deep.equal([workspace.id]);
  });

  it('sign in who is a user already where the issuer may, and are refused with a reason where not', async () => {
    await start();
    const ada = await api.user('Ada');
    const claims = { sub: 'ada', email: 'ada@example.org', email_verified: true };
    const refused = await get('/api/me', await issuer.sign(claims));
    expect([refused.status, refused.json.code]).to.deep.equal([401, 'unauthenticated']);
    expect(refused.json.detail).to.contain('e-mail address');
    await api.close();
    await start({}, true);
    const { id } = await api.user('Ada');
    expect(id).not.to.equal(ada.id);
    expect((await get('/api/me', await issuer.sign(claims))).json.id).to.equal(id);
    expect((await get('/api/me', await issuer.sign({ ...claims, sub: 'ada2' }))).status).to.equal(401);
  });

  it('are refused from the moment the user is disabled', async () => {
    await start();
    const token = await issuer.sign(bob);
    const { json: me } = await get('/api/me', token);
    await api.espalier.users.update({ userId: me.id as string, disabled: true });
    expect((await get('/api/me', token)).status).to.equal(401);
    expect((await post('/api/workspace', token, { name: 'X' })).status).to.equal(401);
  });

  it('are told what is wrong, and nothing of it is written down', async () => {
    await start();
    const table = [
      [await issuer.sign({ exp: 1 }), 'exp'],
      [await issuer.sign({ aud: 'other' }), 'aud'],
      [await issuer.sign({ iss: `${issuer.url}/` }), 'iss'],
      [await issuer.sign({ exp: undefined }), 'exp'],
      [await issuer.sign({ sub: undefined }), 'sub'],
    ] as const;
    for (const [token, claim] of table) {
      const answer = await get('/api/me', token);
      expect([answer.status, answer.json.code]).to.deep.equal([401, 'unauthenticated']);
      expect(answer.json.detail).to.contain(`(${claim})`);
      expect(answer.headers.get('www-authenticate')).to.equal('Bearer realm="espalier", error="invalid_token"');
      expect(JSON.stringify(api.log)).not.to.contain(token.split('.')[1]);
    }
    expect((await get('/api/me')).headers.get('www-authenticate')).to.equal('Bearer realm="espalier"');
    expect((await api.espalier.users.list()).items).to.deep.equal([]);
  });

  it('are answered 503 while the keys cannot be had, and API tokens go on', async () => {
    await start();
    const ada = await api.user('Ada');
    issuer.answer({ status: 500, body: '' });
    const away = await get('/api/me', await issuer.sign(bob));
    expect([away.status, away.json.code]).to.deep.equal([503, 'issuer-unavailable']);
    expect(Number(away.headers.get('retry-after'))).to.be.greaterThan(0);
    expect(away.text).not.to.contain(issuer.url);
    expect((await get('/api/me', ada.token)).status).to.equal(200);
  });

  it('count for their user, whatever token they come with', async () => {
    await start({ limits: { requestsPerMinute: 2 } });
    const left = async (claims: object) => {
      const answer = await get('/api/me', await issuer.sign({ ...bob, ...claims }));
      return [answer.status, answer.headers.get('ratelimit-remaining')];
    };
    expect(await left({})).to.deep.equal([200, '1']);
    expect(await left({ jti: 'another' })).to.deep.equal([200, '0']);
    expect(await left({ name: 'Robert' })).to.deep.equal([429, '0']);
    expect(await left({ sub: 'eve', email: undefined })).to.deep.equal([200, '1']);
  });
});
