import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newApi, type Api, type ApiParts, type Transport } from '../support.ts';

describe('limits on 401s', () => {
  let api: Api;
  afterEach(() => api.close());

  const start = async (parts: ApiParts = {}) => {
    api = await newApi('through a socket', { limits: { failuresPerMinute: 3 }, ...parts });
    return api.user('Ada');
  };

  const status = async (token: string, from?: string) => {
    const headers = from === undefined ? {} : { 'x-forwarded-for': from };
    return (await api.ask({ method: 'GET', path: '/api/me', token, headers })).status;
  };

  it('turn an address away, a valid token too, so that guessing does not pay', async () => {
    const { token } = await start();
    const seen = [];
    for (const one of ['esp_1', 'esp_2', token, 'esp_3', 'esp_4', token]) seen.push(await status(one));
    expect(seen).to.deep.equal([401, 401, 200, 401, 429, 429]);
    const over = await api.ask({ method: 'GET', path: '/api/me', token });
    expect(over.json.code).to.equal('too-many-requests');
    expect(Number(over.headers.get('retry-after'))).to.be.within(1, 60);
  });

  it('tell no more guesses that they are wrong when they come all at once', async () => {
    await start();
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => status(`esp_${i}`)));
    expect(all.filter((one) => one === 401)).to.have.length(3);
    expect(all.filter((one) => one === 429)).to.have.length(17);
  });

  it('count nothing else', async () => {
    const { token } = await start();
    for (const path of ['/api/me?x=1', '/api/nothing', '/metrics', '/api/workspace/none']) {
      for (let i = 0; i < 2; i += 1) await api.ask({ method: 'GET', path, token });
    }
    expect(await status(token)).to.equal(200);
  });

  it('believe no header of a client', async () => {
    await start();
    for (const from of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) expect(await status('x', from)).to.equal(401);
    expect(await status('x', '192.0.2.4')).to.equal(429);
  });

  it('believe no other header that names an address, trusted proxy or not', async () => {
    const { token } = await start({ trustedProxies: ['127.0.0.0/8'] });
    const names = ['forwarded', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip', 'x-client-ip', 'x-forwarded'];
    const ask = (i: number, bearer: string) => {
      const headers = Object.fromEntries(names.map((name) => [name, `for=192.0.2.${i};by=192.0.2.${i}`]));
      return api.ask({ method: 'GET', path: '/api/me', token: bearer, headers });
    };
    for (let i = 1; i <= 3; i += 1) expect((await ask(i, 'x')).status).to.equal(401);
    expect((await ask(4, token)).status).to.equal(429);
  });

  it('count for the address that a trusted proxy names last', async () => {
    const { token } = await start({ trustedProxies: ['127.0.0.0/8'] });
    for (const from of ['10.0.0.1, 192.0.2.1', '10.0.0.2, 192.0.2.1', '192.0.2.1']) {
      expect(await status('x', from)).to.equal(401);
    }
    expect(await status(token, '10.0.0.3, 192.0.2.1')).to.equal(429);
    expect(await status(token, '192.0.2.1, 192.0.2.9')).to.equal(200);
  });
});

describe('limits on invitations that are guessed', () => {
  let api: Api;
  afterEach(() => api.close());

  const look = async (token: string, id: string = randomUUID(), headers = {}) =>
    (await api.ask({ method: 'GET', path: `/api/workspace/invitation/${id}`, token, headers })).status;
  const join = async (token: string, id: string = randomUUID()) =>
    (await api.ask({ method: 'POST', path: `/api/workspace/invitation/${id}/join`, token })).status;

  const start = async (transport: Transport) => {
    api = await newApi(transport, {
      limits: { unknownInvitationsPerMinute: 3 },
      trustedProxies: ['127.0.0.0/8'],
    });
    const [ada, bob] = [await api.user('Ada'), await api.user('Bob')];
    const { id: workspaceId } = await api.espalier.as(ada.id).workspaces.create({ name: 'Acme' });
    const invite = async (email?: string) =>
      (await api.espalier.as(ada.id).invitations.create({ workspaceId, ...(email && { email }) })).id;
    return { ada, bob, invite, workspaceId };
  };

  it('turn a caller away who looks up what is not there or not theirs, by either way, a good id too', async () => {
    const { bob, ada, invite } = await start('in process');
    const open = await invite();
    const others = await invite('eve@example.org');
    expect(await look(bob.token, open)).to.equal(200);
    expect([await look(bob.token), await join(bob.token), await look(bob.token, others)]).to.deep.equal([
      404, 404, 404,
    ]);
    expect([await look(bob.token), await look(bob.token, open), await join(bob.token, open)]).to.deep.equal([
      429, 429, 429,
    ]);
    expect(await look(ada.token, open)).to.equal(200);
    const me = await api.ask({ method: 'GET', path: '/api/me', token: bob.token });
    expect(me.status).to.equal(200);
  });

  it('tell no more guesses that they are wrong when they come all at once', async () => {
    const { bob, invite } = await start('in process');
    const all = await Promise.all(Array.from({ length: 20 }, () => look(bob.token)));
    expect(all.filter((one) => one === 404)).to.have.length(3);
    expect(all.filter((one) => one === 429)).to.have.length(17);
    expect(await look(bob.token, await invite())).to.equal(429);
  });

  it('turn an address away, whichever users are behind it', async () => {
    const { ada, bob, invite } = await start('through a socket');
    const there = { 'x-forwarded-for': '192.0.2.1' };
    for (const { token } of [ada, bob, ada]) expect(await look(token, randomUUID(), there)).to.equal(404);
    const open = await invite();
    expect(await look(bob.token, open, there)).to.equal(429);
    expect(await look(bob.token, open, { 'x-forwarded-for': '192.0.2.2' })).to.equal(200);
  });

  it('count no other look-up that finds nothing, and no invitation that is there', async () => {
    const { ada, bob, invite, workspaceId } = await start('in process');
    for (let i = 0; i < 5; i += 1) {
      const path = `/api/workspace/${workspaceId}/invitation/${randomUUID()}`;
      expect((await api.ask({ method: 'GET', path, token: ada.token })).status).to.equal(404);
      expect(await look(ada.token, await invite())).to.equal(200);
      expect(await join(ada.token, await invite())).to.equal(409);
    }
    expect(await look(bob.token)).to.equal(404);
  });

  it('are off unless configured', async () => {
    api = await newApi('in process', { limits: { failuresPerMinute: 1, requestsPerMinute: 100 } });
    const { token } = await api.user('Ada');
    for (let i = 0; i < 30; i += 1) expect(await look(token)).to.equal(404);
  });
});
