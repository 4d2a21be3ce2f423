import { decodeJwt, decodeProtectedHeader, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { EspalierError, invalid } from '../../../core/kernel/errors.ts';
import type { Identity } from '../../../core/ports/identity.ts';
import { bearerOf } from '../bearer.ts';
import { callerFrom, END_OF_EXPIRIES } from './claims.ts';
import { invalidIssuer } from './invalid-issuer.ts';
import { resolveIssuer, type JwtIssuer, type ResolvedIssuer } from './issuer.ts';
import { rotatingKeys } from './keys.ts';
import { reasonOf, refused } from './refused.ts';
import { keysAt, keysIn, keysOf } from './sources.ts';

const COMPACT = /^[\w-]*\.[\w-]*\.[\w-]*$/;
/** The most characters of a token. Longer ones are rejected unread. */
const MAX_LENGTH = 16_384;
/** Accepted values of `typ`. Other tokens, such as logout tokens, are rejected. */
const TYPES = new Set(['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);
/** Headers with which a token would supply its own key. */
const OWN_KEY = ['jwk', 'jku', 'x5u', 'x5c'];

type Verify = (token: string) => Promise<JWTPayload>;

/**
 * Authenticates by JSON Web Tokens of these issuers. Only keys are cached: every token is fully verified, and every
 * call looks up its caller.
 *
 * @throws `invalid-input` for an invalid issuer configuration
 */
export function jwtIdentity(...issuers: readonly JwtIssuer[]): Identity {
  if (issuers.length === 0) throw invalid('/issuer', 'is required');
  const known = new Map(
    issuers.map(resolveIssuer).map((issuer) => [issuer.issuer, { issuer, verify: verifier(issuer) }]),
  );
  if (known.size < issuers.length) throw invalidIssuer('issuer', 'is given twice: audience takes a list');
  return {
    async authenticate(authorization) {
      const token = bearerOf(authorization);
      if (token === undefined || !COMPACT.test(token)) return null;
      if (token.length > MAX_LENGTH) throw refused(`The token is longer than ${MAX_LENGTH} characters.`);
      try {
        // Not verified yet: only used to choose the keys.
        const { iss } = decodeJwt(token);
        const found = typeof iss === 'string' ? known.get(iss) : undefined;
        if (found === undefined) throw refused('This service does not trust the issuer (iss) of the token.');
        requireOrdinary(decodeProtectedHeader(token));
        return callerFrom(await found.verify(token), found.issuer);
      } catch (error) {
        throw error instanceof EspalierError ? error : refused(reasonOf(error), error);
      }
    },
  };
}

function verifier(issuer: ResolvedIssuer): Verify {
  const { audience, clockTolerance, clock = { now: Date.now }, keys } = issuer;
  const secret = keys !== undefined && 'secret' in keys ? keys.secret : null;
  const key = secret === null ? publicKeys(issuer) : () => bytesOf(secret);
  return async (token) => {
    const now = clock.now();
    const { payload } = await jwtVerify(token, key, {
      algorithms: [...issuer.algorithms],
      issuer: issuer.issuer,
      audience: [...audience],
      requiredClaims: ['sub', 'exp'],
      clockTolerance,
      currentDate: new Date(now),
    });
    const { exp = Infinity, iat = 0 } = payload;
    if (exp >= END_OF_EXPIRIES) throw refused('The token has no expiry time (exp) in seconds.');
    if (iat > now / 1000 + clockTolerance) throw refused('The token was issued in the future (iat): check the clocks.');
    return payload;
  };
}

function publicKeys({ issuer, keys, keyMaxAge, clock = { now: Date.now } }: ResolvedIssuer): JWTVerifyGetKey {
  const maxAge = keyMaxAge * 1000;
  if (keys === undefined) return rotatingKeys(keysOf(issuer), maxAge, clock);
  if ('url' in keys) return rotatingKeys(keysAt(keys.url), maxAge, clock);
  if ('file' in keys) return rotatingKeys(keysIn(keys.file), maxAge, clock);
  if ('jwks' in keys) return rotatingKeys(() => Promise.resolve(keys.jwks), Infinity, clock);
  throw new TypeError('A secret is not a public key.');
}

function bytesOf(secret: string | Uint8Array): Uint8Array {
  return typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
}

function requireOrdinary(header: object): void {
  const own = OWN_KEY.find((name) => Object.hasOwn(header, name));
  if (own !== undefined) throw refused(`The token contains a key of its own (${own}).`);
  if (Object.hasOwn(header, 'zip')) throw refused('The token is compressed (zip).');
  const { typ } = header as { readonly typ?: unknown };
  if (typ !== undefined && !(typeof typ === 'string' && TYPES.has(typ.toLowerCase()))) {
    throw refused('The token has a type (typ) that cannot sign in a user.');
  }
}
