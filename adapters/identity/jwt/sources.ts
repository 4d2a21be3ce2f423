import { readFile } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import type { JSONWebKeySet } from 'jose';
import { requireSafeUrl } from './safe-url.ts';

/** Loads a JSON Web Key Set. */
export type LoadKeys = () => Promise<JSONWebKeySet>;

const TIMEOUT = 5_000;
const MAX_CHARACTERS = 1024 * 1024;

export function keysAt(url: string): LoadKeys {
  return () => fetchJson<JSONWebKeySet>(url);
}

export function keysIn(file: string): LoadKeys {
  return async () => JSON.parse(await readFile(file, 'utf8')) as JSONWebKeySet;
}

/** The keys of an OpenID Connect issuer. Its discovery document is read at each load, so that the URL of the keys may change. */
export function keysOf(issuer: string): LoadKeys {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  return async () => {
    const document = await fetchJson<{ readonly issuer?: unknown; readonly jwks_uri?: unknown }>(address);
    if (document.issuer !== issuer) {
      throw new Error(`${address} is of the issuer ${JSON.stringify(document.issuer)}, not ${JSON.stringify(issuer)}.`);
    }
    if (typeof document.jwks_uri !== 'string') throw new Error(`${address} names no jwks_uri.`);
    requireSafeUrl('jwks_uri', document.jwks_uri);
    return fetchJson<JSONWebKeySet>(document.jwks_uri);
  };
}

async function fetchJson<T>(url: string): Promise<T> {
  const headers = { accept: 'application/json' };
  const signal = AbortSignal.timeout(TIMEOUT);
  const response = await fetch(url, { headers, redirect: 'error', signal });
  if (!response.ok || response.body === null) throw new Error(`${url} answered ${response.status}.`);
  let text = '';
  const decoder = new TextDecoder();
  // While the body of a fetch is read, Node.js 20 may collect as garbage the objects through which its signal would
  // abort it.
  for await (const part of addAbortSignal(signal, Readable.fromWeb(response.body))) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    if (text.length > MAX_CHARACTERS) throw new Error(`${url} answered with more than ${MAX_CHARACTERS} characters.`);
  }
  return JSON.parse(text) as T;
}
