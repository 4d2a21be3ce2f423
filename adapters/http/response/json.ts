import { BoundedWeakCache } from '../../../core/kernel/bounded-weak-cache.ts';

/** Each with a comma behind it. */
const texts = new BoundedWeakCache<object, Buffer>();

const OPEN = Buffer.from('[');
const CLOSE = ']'.charCodeAt(0);

/** A list as JSON. Of records that are frozen, and so the same for everybody who gets them, each is written once. */
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
