import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { jwtIdentity, type JwtIssuer } from '../../../adapters/http/index.ts';
import { collectGarbage } from '../../fixtures/garbage.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { AUDIENCE, localIssuer, type LocalIssuer } from './issuer.ts';
import { byHand, localKey, NOW, told } from './tokens.ts';

const folder = temporaryFolder();

describe('the keys of an issuer', () => {
  let issuer: LocalIssuer;
  let now: number;
  const clock = { now: () => now };
  beforeEach(async () => {
    issuer = await localIssuer();
    now = Date.now();
  });
  afterEach(() => issuer.close());

  const at = (given: Partial<JwtIssuer> = {}) =>
    jwtIdentity({ issuer: issuer.url, audience: AUDIENCE, clock, keys: { url: issuer.jwksUrl }, ...given });
  const discovered = (url = issuer.url) => jwtIdentity({ issuer: url, audience: AUDIENCE, clock });
  const lasting = { exp: NOW + 86_400 };

  for (const [where, named] of [
    ['at a URL', true],
    ['by discovery', false],
  ] as const) {
    it(`${where} are fetched once for many tokens, and anew for a new key and when they are old`, async () => {
      const identity = named ? at() : discovered();
      const tokens = await Promise.all(Array.from({ length: 10 }, (_, i) => issuer.sign({ ...lasting, sub: `s${i}` })));
      const outcomes = await Promise.all(tokens.map((token) => told(identity, token)));
      expect(new Set(outcomes)).to.deep.equal(new Set(['ok']));
      expect(issuer.fetches).to.equal(1);
      const before = await issuer.rotate();
      const [fresh, old] = [await issuer.sign(lasting), await issuer.sign(lasting, { key: before })];
      now += 29_000;
      expect([await told(identity, fresh), await told(identity, old)]).to.deep.equal(['unauthenticated', 'ok']);
      expect(issuer.fetches).to.equal(1);
      now += 1_000;
      expect([await told(identity, fresh), await told(identity, old)]).to.deep.equal(['ok', 'unauthenticated']);
      expect(issuer.fetches).to.equal(2);
      await issuer.rotate();
      now += 599_000;
      expect(await told(identity, fresh)).to.equal('ok');
      now += 1_000;
      expect(await told(identity, fresh)).to.equal('unauthenticated');
      expect(issuer.fetches).to.equal(3);
    });
  }

  it('are not fetched for every token that names an unknown one', async () => {
    const identity = at();
    expect(await told(identity, await issuer.sign({}))).to.equal('ok');
    const strange = await Promise.all(
      Array.from({ length: 50 }, (_, i) => issuer.sign(lasting, { header: { kid: `strange-${i}` } })),
    );
    now += 30_000;
    for (const token of strange) expect(await told(identity, token)).to.equal('unauthenticated');
    expect(issuer.fetches).to.equal(2);
  });

  it('that cannot be had are the fault of nobody who calls, and are asked for again after a while', async () => {
    const identity = at();
    const token = await issuer.sign(lasting);
    for (const answer of [
      { status: 500, body: '' },
      { status: 200, body: 'not json' },
      { status: 200, body: '{"keys":7}' },
      { status: 302, body: '' },
      { status: 200, body: `"${'x'.repeat(1_100_000)}"` },
    ]) {
      issuer.answer(answer);
      const { fetches } = issuer;
      for (let i = 0; i < 5; i++) expect(await told(identity, token)).to.equal('issuer-unavailable');
      expect(issuer.fetches).to.equal(fetches + 1);
      now += 5_000;
    }
    issuer.answer(null);
    expect(await told(identity, token)).to.equal('ok');
  });

  it('are asked for again when an answer never ends, also where garbage is collected meanwhile', async () => {
    const identity = at();
    const token = await issuer.sign(lasting);
    issuer.answer({ status: 200, body: '{"keys":[', stalls: true });
    const collecting = setInterval(() => void collectGarbage(), 500);
    try {
      expect(await told(identity, token)).to.equal('issuer-unavailable');
    } finally {
      clearInterval(collecting);
    }
    now += 5_000;
    issuer.answer(null);
    expect(await told(identity, token)).to.equal('ok');
  });

  it('that are known are used while the issuer is away, until they are old', async () => {
    const identity = at();
    const token = await issuer.sign(lasting);
    expect(await told(identity, token)).to.equal('ok');
    const strange = await issuer.sign(lasting, { header: { kid: 'strange' } });
    await issuer.close();
    now += 599_000;
    expect(await told(identity, strange)).to.equal('issuer-unavailable');
    expect(await told(identity, token)).to.equal('ok');
    now += 1_000;
    expect(await told(identity, token)).to.equal('issuer-unavailable');
  });

  it('are not taken from a discovery document of another issuer', async () => {
    const other = `${issuer.url}/`;
    const identity = discovered(other);
    expect(await told(identity, await issuer.sign({ ...lasting, iss: other }))).to.equal('issuer-unavailable');
  });

  it('are not taken from an answer that is no good, whatever it holds', async () => {
    const token = await issuer.sign(lasting);
    const keys = { keys: issuer.keys };
    for (const [status, body, outcome] of [
      [200, keys, 'ok'],
      [200, { ...keys, more: 'x'.repeat(900_000) }, 'ok'],
      [200, { ...keys, more: 'x'.repeat(1_100_000) }, 'issuer-unavailable'],
      [404, keys, 'issuer-unavailable'],
      [500, keys, 'issuer-unavailable'],
    ] as const) {
      issuer.answer({ status, body: JSON.stringify(body) });
      expect(await told(at(), token), `${status}`).to.equal(outcome);
    }
  });

  it('are not looked for where an answer points to', async () => {
    const other = await localIssuer();
    issuer.answer({ status: 302, body: '', location: other.jwksUrl });
    expect(await told(at(), await other.sign({ ...lasting, iss: issuer.url }))).to.equal('issuer-unavailable');
    expect(other.fetches).to.equal(0);
    await other.close();
  });

  it('are taken from where the discovery document says, unless anyone might be there', async () => {
    const token = await issuer.sign(lasting);
    const document = (jwks_uri: unknown, from = issuer.url) =>
      JSON.stringify({ issuer: from, jwks_uri, keys: issuer.keys });
    const anywhere = issuer.jwksUrl.replace('127.0.0.1', '0.0.0.0');
    for (const [body, outcome] of [
      [document(issuer.jwksUrl), 'ok'],
      [document(anywhere), 'issuer-unavailable'],
      [document([issuer.jwksUrl]), 'issuer-unavailable'],
      [document(issuer.jwksUrl, 'https://other.example.org'), 'issuer-unavailable'],
    ] as const) {
      issuer.answer({ status: 200, body });
      expect(await told(discovered(), token), body.slice(0, 100)).to.equal(outcome);
    }
    // The slash at the end of an issuer is part of its name, and not doubled in the address.
    const slash = `${issuer.url}/`;
    issuer.answer({ status: 200, body: document(issuer.jwksUrl, slash) });
    expect(await told(discovered(slash), await issuer.sign({ ...lasting, iss: slash }))).to.equal('ok');
  });

  it('that were fetched before the clock was set back are fetched anew', async () => {
    const identity = at();
    const token = await issuer.sign({ ...lasting, iat: undefined });
    expect(await told(identity, token)).to.equal('ok');
    now -= 60_000;
    expect(await told(identity, token)).to.equal('ok');
    expect(issuer.fetches).to.equal(2);
  });

  it('are read from a file, and read anew', async () => {
    const file = join(folder, 'jwks.json');
    const write = () => writeFile(file, JSON.stringify({ keys: issuer.keys }));
    const identity = at({ keys: { file } });
    const token = await issuer.sign(lasting);
    expect(await told(identity, token)).to.equal('issuer-unavailable');
    await write();
    now += 5_000;
    expect(await told(identity, token)).to.equal('ok');
    await issuer.rotate();
    await write();
    now += 30_000;
    expect(await told(identity, await issuer.sign(lasting))).to.equal('ok');
    expect(await told(identity, token)).to.equal('unauthenticated');
  });

  it('must be named by a token where several would do', async () => {
    const keys = [(await localKey('a')).jwk, ...issuer.keys];
    const identity = at({ keys: { jwks: { keys } } });
    expect(await told(identity, await issuer.sign(lasting))).to.equal('ok');
    expect(await told(identity, await issuer.sign(lasting, { header: { kid: undefined } }))).to.equal(
      'unauthenticated',
    );
  });

  it('that are too weak are not used', async () => {
    const { token, jwk } = byHand(
      { alg: 'RS256', kid: 'weak' },
      JSON.stringify({ iss: issuer.url, aud: AUDIENCE, sub: 'ada', ...lasting }),
      1024,
    );
    expect(await told(at({ keys: { jwks: { keys: [{ ...jwk, kid: 'weak' }] } } }), token)).to.equal('unauthenticated');
  });
});
