import { urlFault } from '../../adapters/client/base-url.ts';
import { usage } from '../io/failure.ts';
import { isLoopback } from '../service/loopback.ts';

/**
 * @param from the flag, variable or argument that it comes from.
 * @throws a usage failure unless it can be the URL of a service
 */
export function requireServiceUrl(from: string, text: string): void {
  const fault = urlFault(text);
  if (fault !== null) throw usage(`${from} ${fault}.`, ...meant(text));
}

/** The address with a scheme, as a hint. An invalid URL is not repeated otherwise, as it may contain a password. */
function meant(text: string): readonly string[] {
  if (text.includes('://') || urlFault(`http://${text}`) !== null) return [];
  const { hostname } = new URL(`http://${text}`);
  return [`Did you mean ${isLoopback(hostname.replace(/^\[|\]$/g, '')) ? 'http' : 'https'}://${text}?`];
}
