import { expect } from 'chai';
import { createClient } from '../../../../adapters/client/index.ts';
import { apiTokens, isToken } from '../../../../adapters/identity/index.ts';
import type { EspalierError } from '../../../../core/kernel/errors.ts';
import { newApi, overBoth } from '../support.ts';

describe('API tokens', () => {
  const { tokenFactory, identity } = apiTokens();

  it('are 160 random bits with a checksum, and never the same twice', () => {
    const tokens = Array.from({ length: 1_000 }, () => tokenFactory.token());
    expect(new Set(tokens.map(({ secret }) => secret)).size).to.equal(1_000);
    for (const { secret, hash } of tokens) {
      expect(secret).to.match(/^esp_[0-9A-Za-z]{33}$/);
      expect(hash).to.match(/^[0-9a-f]{64}$/);
      expect(isToken(secret)).to.equal(true);
    }
  });

  it('are told from mistyped ones without a look at the store', async () => {
    const { secret, hash } = tokenFactory.token();
    expect(await identity.authenticate(`Bearer ${secret}`)).to.deep.equal({ kind: 'token', hash });
    for (let i = 0; i < secret.length; i++) {
      const mistyped = secret.slice(0, i) + (secret[i] === 'a' ? 'b' : 'a') + secret.slice(i + 1);
      expect(await identity.authenticate(`Bearer ${mistyped}`), mistyped).to.equal(null);
    }
    expect(await identity.authenticate(undefined)).to.equal(null);
  });

  it('are borne by the scheme Bearer, and nothing stands before or behind them', async () => {
    const { secret, hash } = tokenFactory.token();
    for (const header of [`Bearer ${secret}`, `bEARER    ${secret}`]) {
      expect(await identity.authenticate(header), header).to.deep.equal({ kind: 'token', hash });
    }
    for (const header of [
      secret,
      `Basic ${secret}`,
      `x Bearer ${secret}`,
      `Bearer ${secret} x`,
      `Bearer ${secret},x`,
      `Bearer x${secret}`,
      `Bearer ${secret.slice(0, -1)}`,
      'Bearer ',
    ]) {
      expect(await identity.authenticate(header), header).to.equal(null);
    }
  });
});

describe('a token that no header can carry', () => {
  it('signs in nobody, through the client too', async () => {
    const api = await newApi('through a socket');
    const { token } = await api.user('Ada');
    const code = (given: string) =>
      createClient({ url: api.url, token: given, retries: 0 })
        .me.get()
        .then(
          () => 'ok',
          (error: EspalierError) => error.code,
        );
    expect(await code(` ${token}\n`)).to.equal('ok');
    for (const given of [`\u201c${token}\u201d`, `${token}\u2026`, token.replace('_', '_\n'), `${token}\0`]) {
      expect(await code(given), given).to.equal('unauthenticated');
    }
    await api.close();
  });
});

overBoth('the own tokens', (open) => {
  it('show the secret once, say when they were used, and end when revoked', async () => {
    const api = await open();
    const { token } = await api.user('Ada');
    const made = await api.ask({ method: 'POST', path: '/api/me/token', body: { name: 'sync' }, token });
    const use = () => api.ask({ method: 'GET', path: '/api/me', token: made.json.token });
    expect((await use()).status).to.equal(200);
    const list = await api.ask({ method: 'GET', path: '/api/me/token', token });
    const listed = (list.json as { id: string; lastUsedAt: string | null }[]).find(({ id }) => id === made.json.id);
    expect(listed!.lastUsedAt).to.be.a('string');
    expect(list.text).not.to.contain(made.json.token);
    const revoked = await api.ask({ method: 'DELETE', path: `/api/me/token/${made.json.id}`, token });
    expect(revoked.status).to.equal(204);
    expect((await use()).status).to.equal(401);
  });

  it('must end in the future, and then do', async () => {
    const api = await open();
    const { token } = await api.user('Ada');
    const body = { name: 'old', expiresAt: '2020-01-01T00:00:00Z' };
    const refused = await api.ask({ method: 'POST', path: '/api/me/token', body, token });
    expect([refused.status, refused.pointers]).to.deep.equal([400, ['/expiresAt']]);
  });
});
