import { BoundedWeakCache } from '../../../core/kernel/bounded-weak-cache.ts';

/** JSON by record, each with a trailing comma. */
const texts = new BoundedWeakCache<object, Buffer>();

const OPEN = Buffer.from('[');
const CLOSE = ']'.charCodeAt(0);

/** A list as JSON. Frozen records are shared by all readers, so the text of each is cached. */
export function jsonList(records: readonly object[]): string | Uint8Array {
  if (records.length === 0 || !Object.isFrozen(records[0])) return JSON.stringify(records);
  const body = Buffer.concat([OPEN, ...records.map(textOf)]);
  body[body.length - 1] = CLOSE;
  return body;
}

function textOf(record: object): Buffer {
  const known = texts.get(record);
  if (known !== undefined) return known;
  const text = Buffer.from(`${JSON.stringify(record)},`);
  if (Object.isFrozen(record)) texts.set(record, text);
  return text;
}
