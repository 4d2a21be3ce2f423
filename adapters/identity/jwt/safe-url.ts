import { invalidIssuer } from './invalid-issuer.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Requires https except on loopback: who can modify the response can sign in as anyone. @throws `invalid-input` */
export function requireSafeUrl(field: string, text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!isSafe) throw invalidIssuer(field, 'must be an https URL, or http on this machine');
}
