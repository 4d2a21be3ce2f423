/**
 * A text as a header carries it. `fetch` would tell anything else, such as a typographic quote, as a lost connection; the
 * service refuses such a token, and makes an id of its own for a request with such an id.
 */
export function sendable(text: string): string {
  return text.trim().replaceAll(/[^\x20-\x7e]/g, '?');
}
