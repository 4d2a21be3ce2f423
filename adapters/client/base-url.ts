import { invalid } from '../../core/kernel/errors.ts';

/** What is wrong with the base URL of a service, or null. It repeats nothing of the URL, which may hold a password. */
export function urlFault(url: string): string | null {
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url))
    return 'must be an address that starts with http:// or https://';
  const { username, password } = new URL(url);
  if (username !== '' || password !== '') return 'must not contain a user or password: use a token';
  return /[?#]/.test(url) ? 'must not have a query or a fragment' : null;
}

/** The base URL of a service, without slashes at its end. @throws `invalid-input` if it is not one */
export function baseOf(url: string): string {
  const fault = urlFault(url);
  if (fault !== null) throw invalid('/url', fault);
  return url.replace(/\/+$/, '');
}
