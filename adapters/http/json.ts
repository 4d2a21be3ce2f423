import { Kept } from '../../core/kept.ts';

const isArray = (shown: object): shown is readonly object[] => Array.isArray(shown);

/** Each with a comma behind it. */
const texts = new Kept<object, Buffer>();

const [OPEN, CLOSE] = ['[', ']'].map((text) => text.charCodeAt(0)) as [number, number];

/** As JSON. Of records that are frozen, and so the same for everybody who gets them, each is written once. */
export function jsonOf(shown: object | readonly object[]): string | Uint8Array {
  if (!isArray(shown) || shown.length === 0 || !Object.isFrozen(shown[0])) return JSON.stringify(shown);
  const items = shown.map(textOf);
  const size = items.reduce((sum, { length }) => sum + length, 1);
  const body = Buffer.allocUnsafe(size);
  body[0] = OPEN;
  let at = 1;
  for (const item of items) {
    body.set(item, at);
    at += item.length;
  }
  body[size - 1] = CLOSE;
  return body;
}

function textOf(record: object): Buffer {
  const known = texts.get(record);
  if (known !== undefined) return known;
  const text = Buffer.from(`${JSON.stringify(record)},`);
  if (Object.isFrozen(record)) texts.set(record, text);
  return text;
}
