/**
 * A text in the form that a header can carry. `fetch` would report any other character, such as a typographic quote, as
 * a lost connection. The service refuses a token with such a character, and replaces a request id with one by its own.
 */
export function sendable(text: string): string {
  return text.trim().replaceAll(/[^\x20-\x7e]/g, '?');
}
