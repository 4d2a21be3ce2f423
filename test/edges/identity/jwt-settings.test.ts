import { expect } from 'chai';
import { jwtIdentity, type JwtIssuer } from '../../../adapters/http/index.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { AUDIENCE } from './issuer.ts';

describe('settings of an issuer', () => {
  const settle = (given: Partial<JwtIssuer>) => {
    jwtIdentity({ issuer: 'https://issuer.example.org', audience: AUDIENCE, ...given });
  };

  it('are taken up to their bounds, and no further', () => {
    const secret = (bytes: number, ...algorithms: string[]): Partial<JwtIssuer> => ({
      keys: { secret: new Uint8Array(bytes) },
      ...(algorithms.length > 0 && { algorithms }),
    });
    const good: readonly Partial<JwtIssuer>[] = [
      { clockTolerance: 0 },
      { clockTolerance: 300 },
      { keyMaxAge: 1 },
      { keyMaxAge: 86_400 },
      { issuer: 'x'.repeat(500), keys: { jwks: { keys: [] } } },
      { issuer: 'http://localhost:1' },
      { issuer: 'http://127.100.20.3' },
      { issuer: 'http://[::1]:1' },
      { keys: { url: 'https://keys.example.org/jwks' } },
      secret(32),
      secret(48, 'HS384'),
      secret(64, 'HS256', 'HS512'),
      ...'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'
        .split(' ')
        .map((one) => ({ algorithms: [one] })),
    ];
    for (const given of good) expect(() => settle(given), JSON.stringify(given)).not.to.throw();
    const wrong: readonly (readonly [given: Partial<JwtIssuer>, pointer: string])[] = [
      [{ clockTolerance: 301 }, '/clockTolerance'],
      [{ keyMaxAge: 86_401 }, '/keyMaxAge'],
      [{ issuer: `https://${'x'.repeat(493)}` }, '/issuer'],
      [{ issuer: 'http://xlocalhost' }, '/issuer'],
      [{ issuer: 'http://localhost.example.org' }, '/issuer'],
      [{ issuer: 'ftp://localhost' }, '/issuer'],
      [{ audience: ['a', ''] }, '/audience'],
      [{ keys: { url: 'http://10.0.0.1/jwks' } }, '/keys/url'],
      [secret(31), '/keys/secret'],
      [secret(47, 'HS384'), '/keys/secret'],
      [secret(63, 'HS512', 'HS256'), '/keys/secret'],
      [secret(64, 'RS256'), '/algorithms'],
      [{ algorithms: ['RS256', 'HS256'] }, '/algorithms'],
      ...[{}, { jwk: { keys: [] } }, { url: 5 }, { file: 5 }, { secret: 5 }, { jwks: {} }, { jwks: null }].map(
        (keys) => [{ keys: keys as never }, '/keys'] as const,
      ),
      [{ keys: { jwks: { keys: [] }, secret: 'x'.repeat(32) } }, '/keys'],
      [{ clock: {} as never }, '/clock'],
    ];
    for (const [given, pointer] of wrong) {
      expect(() => settle(given), pointer)
        .to.throw(EspalierError)
        .with.nested.property('errors[0].pointer', pointer);
    }
  });

  it('are given for one issuer at least, as no token would be accepted', () => {
    expect(() => jwtIdentity())
      .to.throw(EspalierError)
      .with.nested.property('errors[0].pointer', '/issuer');
  });

  it('are given once for each issuer, as the tokens of one would be refused by those of the other', () => {
    const one = { issuer: 'https://issuer.example.org', audience: AUDIENCE };
    expect(() => jwtIdentity(one, { ...one, audience: 'other' }))
      .to.throw(EspalierError)
      .with.nested.property('errors[0].pointer', '/issuer');
  });
});
