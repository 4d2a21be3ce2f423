const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Whether a text has the form of the id of a record: a UUID, in either case. */
export function isId(text: string): boolean {
  return text.length === 36 && UUID.test(text);
}
