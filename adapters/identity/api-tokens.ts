import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { TokenFactory } from '../../core/ports/context.ts';
import type { Identity } from '../../core/ports/identity.ts';
import { bearerOf } from './bearer.ts';

const PREFIX = 'esp_';
const RANDOM_BYTES = 20;
/** Characters of 160 bits and of 32 bits in base 62. */
const RANDOM_LENGTH = 27;
const CHECKSUM_LENGTH = 6;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TOKEN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * API tokens: `esp_`, 160 random bits and a CRC-32 of the text before it, both in base 62. The
 * checksum rejects mistyped tokens without a look-up in the store, and lets scanners recognise leaked
 * ones. Only the SHA-256 is stored.
 */
export function apiTokens(): { readonly tokenFactory: TokenFactory; readonly identity: Identity } {
  return {
    tokenFactory: {
      token() {
        const body = PREFIX + base62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), RANDOM_LENGTH);
        const secret = body + checksum(body);
        return { secret, hash: hashOf(secret) };
      },
    },
    identity: {
      authenticate(authorization) {
        const token = bearerOf(authorization);
        if (token === undefined || !isToken(token)) return Promise.resolve(null);
        return Promise.resolve({ kind: 'token', hash: hashOf(token) });
      },
    },
  };
}

/** Whether a text has the form of a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

function hashOf(token: string): string {
  return hash('sha256', token, 'hex');
}

function checksum(body: string): string {
  let text = '';
  for (let rest = crc32(body), i = 0; i < CHECKSUM_LENGTH; i++, rest = Math.floor(rest / 62))
    text = DIGITS[rest % 62]! + text;
  return text;
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)]! + text;
  return text.padStart(length, '0');
}
