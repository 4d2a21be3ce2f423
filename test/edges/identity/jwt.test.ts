import { createPublicKey } from 'node:crypto';
import { expect } from 'chai';
import { exportSPKI, importJWK, type CryptoKey } from 'jose';
import { jwtIdentity, type JwtIssuer } from '../../../adapters/http/index.ts';
import type { EspalierError } from '../../../core/kernel/errors.ts';
import type { Identity } from '../../../core/ports/identity.ts';
import { AUDIENCE, localIssuer, type Claims, type LocalIssuer } from './issuer.ts';
import { ask, byHand, encoded, hmac, NOW, told } from './tokens.ts';

const SECRET = 's'.repeat(64);

describe('a JSON Web Token', () => {
  let issuer: LocalIssuer;
  let identity: Identity;
  before(async () => {
    issuer = await localIssuer('RS256');
  });
  beforeEach(() => {
    identity = of();
  });
  after(() => issuer.close());

  const of = (given: Partial<JwtIssuer> = {}) => jwtIdentity({ issuer: issuer.url, audience: AUDIENCE, ...given });
  const bare = (): Claims => ({ iss: issuer.url, aud: AUDIENCE, sub: 'ada', iat: NOW, exp: NOW + 3_600 });

  it('says who calls', async () => {
    const exp = NOW + 3_600;
    const claims = { sub: 'ada|1', exp, name: ' Ada ', email: 'Ada@example.org', email_verified: true };
    expect(await ask(identity, await issuer.sign(claims))).to.deep.equal({
      kind: 'external',
      issuer: issuer.url,
      subject: 'ada|1',
      name: 'Ada',
      verifiedEmail: 'Ada@example.org',
      links: false,
      expiresAt: new Date((exp + 30) * 1_000).toISOString(),
    });
    const linking = of({ linkVerifiedEmail: true });
    expect(await ask(linking, await issuer.sign(claims))).to.include({ links: true });
  });

  const EMAILS: readonly (readonly [claims: Claims, expected: string | null])[] = [
    [{ email: 'a@example.org', email_verified: true }, 'a@example.org'],
    [{ email: 'a@example.org' }, null],
    [{ email: 'a@example.org', email_verified: false }, null],
    [{ email: 'a@example.org', email_verified: 'true' }, null],
    [{ email: 'a@example.org', email_verified: 1 }, null],
    [{ email: ['a@example.org'], email_verified: true }, null],
    [{ email: 'a@example.org, b@example.org', email_verified: true }, null],
    [{ email: 'a@example.org\0', email_verified: true }, null],
    [{ email: `${'a'.repeat(250)}@example.org`, email_verified: true }, null],
    [{ email_verified: true }, null],
  ];
  for (const [claims, expected] of EMAILS) {
    it(`with ${JSON.stringify(claims).slice(0, 70)} has the address ${expected}`, async () => {
      expect(await ask(identity, await issuer.sign(claims))).to.include({ verifiedEmail: expected });
    });
  }

  const NAMES: readonly (readonly [claims: Claims, expected: string])[] = [
    [{ name: 'x'.repeat(300) }, 'x'.repeat(200)],
    [{ name: '  ', preferred_username: 'ada' }, 'ada'],
    [{ name: 7, email: 'a@example.org' }, 'ada'],
    [{ email: 'a@example.org', email_verified: true }, 'a@example.org'],
    [{ name: 'b@example.org', preferred_username: 'b@example.org', email: 'a@example.org' }, 'ada'],
    [{ sub: 'b@example.org', email: 'b@example.org' }, 'User'],
    [{ name: 'a\0b' }, 'ada'],
    [{ name: '\ud800' }, 'ada'],
    [{ name: `${'x'.repeat(199)} y` }, 'x'.repeat(199)],
    [{ sub: ' ' }, 'User'],
  ];
  for (const [claims, expected] of NAMES) {
    it(`with ${JSON.stringify(claims).slice(0, 50)} is called ${expected.slice(0, 20)}`, async () => {
      expect(await ask(identity, await issuer.sign(claims))).to.include({ name: expected });
    });
  }

  const CLAIMS: readonly (readonly [what: string, claims: () => Claims, expected: string])[] = [
    ['as it should be', () => ({}), 'ok'],
    ['for several', () => ({ aud: ['other', AUDIENCE] }), 'ok'],
    ['for another', () => ({ aud: 'other' }), 'unauthenticated'],
    ['for a part of the audience', () => ({ aud: AUDIENCE.slice(0, -1) }), 'unauthenticated'],
    ['for nobody', () => ({ aud: undefined }), 'unauthenticated'],
    ['for no text', () => ({ aud: { [AUDIENCE]: true } }), 'unauthenticated'],
    ['of another issuer', () => ({ iss: 'https://other.example.org' }), 'unauthenticated'],
    ['of the issuer with a slash', () => ({ iss: `${issuer.url}/` }), 'unauthenticated'],
    ['of the issuer in capitals', () => ({ iss: issuer.url.toUpperCase() }), 'unauthenticated'],
    ['of a list of issuers', () => ({ iss: [issuer.url] }), 'unauthenticated'],
    ['of no issuer', () => ({ iss: undefined }), 'unauthenticated'],
    ['without a subject', () => ({ sub: undefined }), 'unauthenticated'],
    ['with an empty subject', () => ({ sub: '' }), 'unauthenticated'],
    ['with a number as subject', () => ({ sub: 7 }), 'unauthenticated'],
    ['with NUL in its subject', () => ({ sub: 'ada\0' }), 'unauthenticated'],
    ['with a subject as long as may be', () => ({ sub: 'x'.repeat(255) }), 'ok'],
    ['with a long subject', () => ({ sub: 'x'.repeat(256) }), 'unauthenticated'],
    ['that expires in a far year', () => ({ exp: 253_402_300_799 }), 'ok'],
    ['that expires after the last year', () => ({ exp: 253_402_300_800 }), 'unauthenticated'],
    ['that was issued as soon as may be', () => ({ iat: NOW + 30 }), 'ok'],
    ['that was issued a second later', () => ({ iat: NOW + 31 }), 'unauthenticated'],
    ['that does not expire', () => ({ exp: undefined }), 'unauthenticated'],
    ['that expires in a text', () => ({ exp: String(NOW + 300) }), 'unauthenticated'],
    ['that expires in milliseconds', () => ({ exp: (NOW + 300) * 1000 }), 'unauthenticated'],
    ['that expires just now', () => ({ exp: NOW - 10 }), 'ok'],
    ['that has expired', () => ({ exp: NOW - 60 }), 'unauthenticated'],
    ['that is valid soon', () => ({ nbf: NOW + 10 }), 'ok'],
    ['that is valid later', () => ({ nbf: NOW + 60 }), 'unauthenticated'],
    ['that was issued soon', () => ({ iat: NOW + 10 }), 'ok'],
    ['that was issued later', () => ({ iat: NOW + 60 }), 'unauthenticated'],
    ['that was issued in a text', () => ({ iat: 'now' }), 'unauthenticated'],
    ['that does not say when it was issued', () => ({ iat: undefined }), 'ok'],
    ['that is long', () => ({ groups: 'x'.repeat(8_000) }), 'ok'],
    ['that is too long', () => ({ groups: 'x'.repeat(16_384) }), 'unauthenticated'],
  ];
  for (const [what, claims, expected] of CLAIMS) {
    it(`${what}: ${expected}`, async () => {
      const clock = { now: () => NOW * 1000 };
      expect(await told(of({ clock }), await issuer.sign({ ...bare(), ...claims() }))).to.equal(expected);
    });
  }

  it('that expires at infinity is refused', async () => {
    const payload = JSON.stringify({ ...bare(), exp: 0 }).replace('"exp":0', '"exp":1e999');
    const { token, jwk } = byHand({ alg: 'RS256', kid: 'k' }, payload);
    expect(await told(of({ keys: { jwks: { keys: [{ ...jwk, kid: 'k' }] } } }), token)).to.equal('unauthenticated');
  });

  const HEADERS: readonly (readonly [what: string, header: object, expected: string])[] = [
    ['typ JWT', { typ: 'JWT' }, 'ok'],
    ['typ of an access token', { typ: 'at+jwt' }, 'ok'],
    ['typ in full', { typ: 'application/JWT' }, 'ok'],
    ['typ of an access token in full', { typ: 'application/at+jwt' }, 'ok'],
    ['a fingerprint', { x5t: 'abc' }, 'ok'],
    ['typ of a logout token', { typ: 'logout+jwt' }, 'unauthenticated'],
    ['typ that is no text', { typ: ['JWT'] }, 'unauthenticated'],
    ['a compression', { zip: 'DEF' }, 'unauthenticated'],
    ['a key of its own', { jwk: { kty: 'oct', k: 'AA' } }, 'unauthenticated'],
    ['a place to get keys', { jku: 'http://127.0.0.1:9/jwks' }, 'unauthenticated'],
    ['a place to get certificates', { x5u: 'http://127.0.0.1:9/cert' }, 'unauthenticated'],
    ['a certificate', { x5c: ['MIIB'] }, 'unauthenticated'],
    ['something critical', { crit: ['exp'], exp: 1 }, 'unauthenticated'],
    ['an unencoded payload', { b64: false, crit: ['b64'] }, 'unauthenticated'],
    ['no kid, where there is one key', { kid: undefined }, 'ok'],
    ['an unknown kid', { kid: 'key-0' }, 'unauthenticated'],
    ['an empty kid', { kid: '' }, 'unauthenticated'],
    ['a path as kid', { kid: '../../../../dev/null' }, 'unauthenticated'],
    ['a query as kid', { kid: "' OR 1=1 --" }, 'unauthenticated'],
    ['a kid of the prototype', { kid: '__proto__' }, 'unauthenticated'],
    ['an object as kid', { kid: { $ne: null } }, 'unauthenticated'],
    ['a list as kid', { kid: ['key-1'] }, 'unauthenticated'],
    ['a long kid', { kid: 'k'.repeat(5_000) }, 'unauthenticated'],
    ['another alg of the same key', { alg: 'PS256' }, 'unauthenticated'],
  ];
  for (const [what, header, expected] of HEADERS) {
    it(`with ${what} in its header: ${expected}`, async () => {
      const { token, jwk } = byHand({ alg: 'RS256', kid: 'key-1', ...header }, JSON.stringify(bare()));
      const keys = { jwks: { keys: [{ ...jwk, kid: 'key-1', alg: 'RS256' }] } };
      expect(await told(of({ keys }), token)).to.equal(expected);
    });
  }

  it('without a signature is refused, however none is written', async () => {
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '', null, undefined]) {
      const token = `${encoded({ alg })}.${encoded(bare())}.`;
      expect(await told(identity, token), String(alg)).to.equal('unauthenticated');
      expect(await told(of({ keys: { secret: SECRET } }), token), String(alg)).to.equal('unauthenticated');
      expect(await told(identity, `${token}${(await issuer.sign({})).split('.')[2]}`)).to.equal('unauthenticated');
    }
  });

  it('that takes the public key for a secret is refused, in whatever form it has the key', async () => {
    const [jwk] = issuer.keys;
    const publicKey = (await importJWK(jwk!, 'RS256')) as CryptoKey;
    const pem = await exportSPKI(publicKey);
    const der = createPublicKey(pem).export({ type: 'spki', format: 'der' });
    for (const key of [pem, `${pem}\n`, pem.trim(), der, JSON.stringify(jwk), Buffer.from(jwk!.n!, 'base64url')]) {
      for (const kid of ['key-1', undefined]) {
        const token = hmac({ alg: 'HS256', kid }, bare(), key);
        expect(await told(identity, token)).to.equal('unauthenticated');
        expect(await told(of({ keys: { jwks: { keys: [...issuer.keys] } } }), token)).to.equal('unauthenticated');
      }
    }
  });

  it('is refused where a key set holds a secret', async () => {
    const keys = { jwks: { keys: [{ kty: 'oct', k: Buffer.from(SECRET).toString('base64url'), kid: 's' }] } };
    expect(await told(of({ keys }), hmac({ alg: 'HS256', kid: 's' }, bare(), SECRET))).to.equal('unauthenticated');
  });

  it('signed with another key, or changed, is refused', async () => {
    const other = await localIssuer('RS256');
    const token = await other.sign({ iss: issuer.url });
    await other.close();
    expect(await told(identity, token)).to.equal('unauthenticated');
    const [header, , signature] = (await issuer.sign({})).split('.');
    expect(await told(identity, `${header}.${encoded({ ...bare(), sub: 'eve' })}.${signature}`)).to.equal(
      'unauthenticated',
    );
    expect(await told(identity, `${header}.${encoded(bare())}.${signature?.slice(0, -4)}`)).to.equal('unauthenticated');
  });

  it('is refused with what is wrong with it', async () => {
    const other = await localIssuer('RS256');
    const reason = (token: string, given: Partial<JwtIssuer> = {}) =>
      ask(of({ clock: { now: () => NOW * 1000 }, ...given }), token).then(
        () => 'none',
        (error: unknown) => (error as EspalierError).detail,
      );
    const two = { jwks: { keys: [...issuer.keys, { ...other.keys[0]!, kid: 'key-2' }] } };
    for (const [token, given, expected] of [
      [await issuer.sign({ ...bare(), exp: NOW - 60 }), {}, 'expired (exp)'],
      [await issuer.sign({ ...bare(), aud: 'other' }), {}, '(aud)'],
      [await issuer.sign({ ...bare(), nbf: NOW + 60 }), {}, '(nbf)'],
      [await issuer.sign(bare()), { algorithms: ['ES256'] }, '(alg)'],
      [await issuer.sign(bare(), { header: { kid: undefined } }), { keys: two }, '(kid)'],
      [await issuer.sign(bare(), { header: { kid: 'key-9' } }), { keys: two }, 'a key of its issuer'],
      [await other.sign(bare()), {}, 'a key of its issuer'],
      ['e30.e30.', {}, '(iss)'],
      ['x.y.z', {}, 'not a JSON Web Token'],
    ] as const) {
      expect(await reason(token, given)).to.contain(expected);
    }
    await other.close();
  });

  it('is signed with an algorithm of the list', async () => {
    const token = await issuer.sign({});
    expect(await told(of({ algorithms: ['ES256', 'RS256'] }), token)).to.equal('ok');
    expect(await told(of({ algorithms: ['ES256'] }), token)).to.equal('unauthenticated');
  });

  it('by a shared secret is taken with that secret and algorithm alone', async () => {
    const shared = of({ keys: { secret: SECRET } });
    expect(await told(shared, hmac({ alg: 'HS256' }, bare(), SECRET))).to.equal('ok');
    expect(await told(of({ keys: { secret: Buffer.from(SECRET) } }), hmac({ alg: 'HS256' }, bare(), SECRET))).to.equal(
      'ok',
    );
    expect(await told(shared, hmac({ alg: 'HS512' }, bare(), SECRET))).to.equal('unauthenticated');
    expect(await told(shared, hmac({ alg: 'HS256' }, bare(), `${SECRET}s`))).to.equal('unauthenticated');
    expect(await told(shared, hmac({ alg: 'HS256' }, bare(), ''))).to.equal('unauthenticated');
    expect(await told(shared, await issuer.sign({}))).to.equal('unauthenticated');
  });

  it('that is none is not looked at, or refused', async () => {
    const { fetches } = issuer;
    for (const text of ['', 'a', 'a.b', 'a.b.c.d.e', 'esp_abc', '{}', 'ä.ö.ü']) {
      expect(await told(identity, text), text).to.equal('nobody');
    }
    for (const text of ['..', 'a.b.c', `${encoded([])}.${encoded([])}.x`, `${encoded(7)}.${encoded(null)}.`]) {
      expect(await told(identity, text), text).to.equal('unauthenticated');
    }
    expect(await identity.authenticate(undefined)).to.equal(null);
    expect(await identity.authenticate('Basic YTpi')).to.equal(null);
    expect(issuer.fetches).to.equal(fetches);
  });

  it('is told by its issuer from those of others side by side', async () => {
    const other = await localIssuer();
    const both = jwtIdentity(
      { issuer: issuer.url, audience: AUDIENCE },
      { issuer: other.url, audience: 'other', linkVerifiedEmail: true },
    );
    expect(await ask(both, await issuer.sign({}))).to.include({ issuer: issuer.url, links: false });
    expect(await ask(both, await other.sign({ aud: 'other' }))).to.include({ issuer: other.url, links: true });
    expect(await told(both, await issuer.sign({ iss: other.url, aud: 'other' }))).to.equal('unauthenticated');
    await other.close();
  });

  it('is refused by settings that would make it unsafe', () => {
    const wrong: readonly Partial<JwtIssuer>[] = [
      { issuer: '' },
      { issuer: 'https://a b' },
      { issuer: 'no-url' },
      { issuer: 'http://issuer.example.org' },
      { audience: [] },
      { audience: '' },
      { keys: { url: 'http://issuer.example.org/jwks' } },
      { keys: { url: 'http://127.0.0.1.example.org/jwks' } },
      { keys: { url: 'file:///etc/keys' } },
      { keys: { secret: 's'.repeat(31) } },
      { keys: { secret: 's'.repeat(32) }, algorithms: ['HS256', 'HS512'] },
      { keys: { secret: SECRET }, algorithms: ['RS256'] },
      { algorithms: ['HS256'] },
      { algorithms: ['none'] },
      { algorithms: [] },
      { clockTolerance: -1 },
      { clockTolerance: 301 },
      { clockTolerance: NaN },
      { keyMaxAge: 0 },
    ];
    for (const given of wrong) {
      expect(() => of(given), JSON.stringify(given))
        .to.throw()
        .with.property('code', 'invalid-input');
    }
  });
});
