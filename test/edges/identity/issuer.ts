import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

/** An OpenID Connect issuer on loopback: a discovery document, and keys that can be rotated. */
export interface LocalIssuer {
  readonly url: string;
  readonly jwksUrl: string;
  /** How often the keys were fetched. */
  readonly fetches: number;
  /** The public keys. */
  readonly keys: readonly JWK[];
  /** Signs with the newest key, or the one given. */
  sign(claims: Claims, how?: How): Promise<string>;
  /** Makes a new key. @returns the one before, no longer published */
  rotate(alg?: string): Promise<SigningKey>;
  /** What is answered in place of the keys. Null: the keys. */
  answer(with_: Answer | null): void;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly location?: string;
  /** Whether the answer never ends. */
  readonly stalls?: boolean;
}

export type Claims = Readonly<Record<string, unknown>>;

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export interface How {
  readonly header?: { readonly kid?: string | undefined };
  readonly key?: SigningKey;
}

export const AUDIENCE = 'https://espalier.example.org';

export async function localIssuer(alg = 'ES256'): Promise<LocalIssuer> {
  let count = 0;
  let fetches = 0;
  let other: Answer | null = null;
  const newKey = async (of = alg): Promise<SigningKey> => {
    const { publicKey, privateKey } = await generateKeyPair(of, { extractable: true });
    const kid = `key-${(count += 1)}`;
    return { kid, alg: of, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: of, use: 'sig' } };
  };
  let current = await newKey();
  const server = createServer((request, response) => {
    const isDiscovery = request.url === '/.well-known/openid-configuration';
    if (!isDiscovery) fetches++;
    const {
      status,
      body,
      location,
      stalls = false,
    }: Answer = other ?? {
      status: 200,
      body: JSON.stringify(isDiscovery ? { issuer: url, jwks_uri: `${url}/jwks` } : { keys: [current.jwk] }),
    };
    const headers = { 'content-type': 'application/json', connection: 'close', ...(location && { location }) };
    response.writeHead(status, headers);
    if (stalls) response.write(body);
    else response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    jwksUrl: `${url}/jwks`,
    get fetches() {
      return fetches;
    },
    get keys() {
      return [current.jwk];
    },
    sign(claims, { header = {}, key = current } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const all = { iss: url, aud: AUDIENCE, sub: 'ada', iat: now, exp: now + 300, ...claims };
      const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
      const { kid } = { kid: key.kid, ...header };
      return new SignJWT(given).setProtectedHeader({ alg: key.alg, ...(kid && { kid }) }).sign(key.privateKey);
    },
    async rotate(to) {
      const before = current;
      current = await newKey(to);
      return before;
    },
    answer(with_) {
      other = with_;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
