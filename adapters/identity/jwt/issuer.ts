import type { JSONWebKeySet } from 'jose';
import type { Clock } from '../../../core/ports/clock.ts';
import {
  A_BOOLEAN,
  A_STRING,
  numberFrom,
  type OptionRule,
  requireOptions,
  STRINGS,
  withFunctions,
} from '../../../core/kernel/options.ts';
import { requireSafeUrl } from './safe-url.ts';
import { invalidIssuer } from './invalid-issuer.ts';

/** A token issuer, and how to verify its tokens. */
export interface JwtIssuer {
  /** Compared with `iss` exactly. 1-500 characters without white space. */
  readonly issuer: string;
  /** `aud` must contain one of these. */
  readonly audience: string | readonly string[];
  /** Default: from the discovery document of the issuer (OpenID Connect). */
  readonly keys?: JwtKeys;
  /** `alg` may be one of these. Default: every asymmetric one, or `HS256` with a secret. */
  readonly algorithms?: readonly string[];
  /** Tolerated clock skew, in seconds, 0 to 300. Default 30. */
  readonly clockTolerance?: number;
  /** Whether a verified e-mail address links to the existing user with that address. Default false. */
  readonly linkVerifiedEmail?: boolean;
  /** How long keys are cached, in seconds, 1 to 86,400. Default 600. */
  readonly keyMaxAge?: number;
  /** The clock. Default: that of the machine. */
  readonly clock?: Clock;
}

/** The source of the keys that verify tokens. */
export type JwtKeys =
  /** URL of a JSON Web Key Set: https, or http on loopback. */
  | { readonly url: string }
  /** A file with a JSON Web Key Set, reloaded like one at a URL. */
  | { readonly file: string }
  /** The keys themselves. */
  | { readonly jwks: JSONWebKeySet }
  /** A secret shared with the issuer, at least as long as the hash of the algorithm: 32 bytes for `HS256`. */
  | { readonly secret: string | Uint8Array };

export interface ResolvedIssuer extends JwtIssuer {
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  readonly clockTolerance: number;
  readonly keyMaxAge: number;
}

const ASYMMETRIC = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
const SECRET_BYTES: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 };

const RULES: Readonly<Record<keyof JwtIssuer, OptionRule>> = {
  issuer: A_STRING,
  audience: [(value) => typeof value === 'string' || STRINGS[0](value), 'must be a string, or a list of them'],
  keys: [isKeys, 'must be one of { url }, { file }, { jwks } and { secret }'],
  algorithms: STRINGS,
  clockTolerance: numberFrom(0, 300),
  linkVerifiedEmail: A_BOOLEAN,
  keyMaxAge: numberFrom(1, 86_400),
  clock: withFunctions('a clock, such as { now: () => Date.now() }', 'now'),
};

function isKeys(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const [[kind, given] = [], ...others] = Object.entries(value) as [string, unknown][];
  if (others.length > 0) return false;
  if (kind === 'jwks') return Array.isArray((given as Partial<JSONWebKeySet> | null)?.keys);
  if (kind === 'secret' && given instanceof Uint8Array) return true;
  return ['url', 'file', 'secret'].includes(kind ?? '') && typeof given === 'string';
}

/** @throws `invalid-input` that says what to change */
export function resolveIssuer(given: JwtIssuer): ResolvedIssuer {
  requireOptions(given, RULES, ['issuer', 'audience']);
  const { issuer, keys, clockTolerance = 30, keyMaxAge = 600 } = given;
  if (!/^\S{1,500}$/u.test(issuer)) throw invalidIssuer('issuer', 'must be 1 to 500 characters without white space');
  const audience = typeof given.audience === 'string' ? [given.audience] : given.audience;
  if (audience.length === 0 || audience.includes(''))
    throw invalidIssuer('audience', 'must name the audience of the tokens');
  if (keys === undefined) requireSafeUrl('issuer', issuer);
  else if ('url' in keys) requireSafeUrl('keys/url', keys.url);
  return { ...given, audience, clockTolerance, keyMaxAge, algorithms: algorithmsOf(given) };
}

/** A secret and public keys need different algorithms: else the public key could be used as the secret. */
function algorithmsOf({ keys, algorithms }: JwtIssuer): readonly string[] {
  const secret = keys !== undefined && 'secret' in keys ? keys.secret : null;
  const usable = secret === null ? ASYMMETRIC : Object.keys(SECRET_BYTES);
  const chosen = algorithms ?? (secret === null ? usable : ['HS256']);
  const strange = chosen.find((one) => !usable.includes(one));
  if (chosen.length === 0 || strange !== undefined) {
    throw invalidIssuer(
      'algorithms',
      `must be of ${usable.join(', ')} with ${secret === null ? 'public keys' : 'a secret'}`,
    );
  }
  const needed = Math.max(...chosen.map((one) => SECRET_BYTES[one] ?? 0));
  if (secret !== null && Buffer.byteLength(secret) < needed) {
    throw invalidIssuer('keys/secret', `must have at least ${needed} bytes for ${chosen.join(', ')}`);
  }
  return chosen;
}
