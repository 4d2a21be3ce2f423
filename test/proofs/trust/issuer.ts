import { SignJWT, UnsecuredJWT } from 'jose';
import { jwtIdentity } from '../../../adapters/http/index.ts';
import type { Clock } from '../../../core/ports/clock.ts';
import type { Identity } from '../../../core/ports/identity.ts';

const ISSUER = 'https://issuer.example.org';
const AUDIENCE = 'https://espalier.example.org';
const SECRET = 's'.repeat(32);
const HOUR = 3_600;

/** An issuer whose verified addresses sign in who is a user already. */
export function issuer(clock: Clock): {
  readonly identity: Identity;
  /** @param secret null: not at all */
  readonly signed: (claims: Readonly<Record<string, unknown>>, secret?: string | null) => Promise<string>;
} {
  const keys = { secret: SECRET };
  const identity = jwtIdentity({ issuer: ISSUER, audience: AUDIENCE, keys, linkVerifiedEmail: true, clock });
  return {
    identity,
    async signed(claims, secret = SECRET) {
      const exp = clock.now() / 1000 + 24 * HOUR;
      const all = { iss: ISSUER, aud: AUDIENCE, exp, ...claims };
      if (secret === null) return new UnsecuredJWT(all).encode();
      return new SignJWT(all).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));
    },
  };
}
