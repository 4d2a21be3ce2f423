import { createHmac, generateKeyPairSync, sign as signBytes, type KeyPairKeyObjectResult } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import type { Identity } from '../../../core/ports/identity.ts';
import { outcome } from '../../fixtures/world/world.ts';

/** Tokens that are made by hand, and what an identity says of them. */

export const NOW = Math.floor(Date.now() / 1000);

export const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
export const ask = (identity: Identity, token: string) => identity.authenticate(`Bearer ${token}`);
/** `ok`, `nobody`, or the code of the refusal. */
export const told = async (identity: Identity, token: string) => {
  const asked = ask(identity, token);
  const code = await outcome(asked);
  return code === 'ok' && (await asked) === null ? 'nobody' : code;
};

export async function localKey(kid: string) {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { jwk: { ...(await exportJWK(publicKey)), kid } };
}

export function hmac(header: object, claims: object, key: string | Uint8Array): string {
  const hash = (header as { alg: string }).alg.replace('HS', 'sha');
  const input = `${encoded(header)}.${encoded(claims)}`;
  return `${input}.${createHmac(hash, key).update(input).digest('base64url')}`;
}

/** By length: making one takes its time. */
const rsaPairs = new Map<number, KeyPairKeyObjectResult>();

/** Signed with a key of its own, whatever the header says: a library would refuse to write some of these. */
export function byHand(header: object, payload: string, modulusLength = 2048) {
  const { publicKey, privateKey } = rsaPairs.get(modulusLength) ?? generateKeyPairSync('rsa', { modulusLength });
  rsaPairs.set(modulusLength, { publicKey, privateKey });
  const input = `${encoded(header)}.${Buffer.from(payload).toString('base64url')}`;
  const signature = signBytes('sha256', Buffer.from(input), privateKey).toString('base64url');
  return { token: `${input}.${signature}`, jwk: publicKey.export({ format: 'jwk' }) };
}
