import { BoundedWeakCache } from '../../../core/kernel/bounded-weak-cache.ts';
import { Yielder } from '../../event-loop/yield.ts';

/** JSON as it is sent. What is large comes in parts, so that nothing copies all of it at once. */
export type JsonText = string | Uint8Array | readonly Uint8Array[];

/** Items of a list that are written together with whatever is around it. */
const FEW = 16;

/** A list as JSON, written in steps between which others run. */
export async function jsonList(records: readonly object[]): Promise<JsonText> {
  const [first] = records;
  if (first === undefined) return '[]';
  if (records.length <= FEW && !Object.isFrozen(first)) return JSON.stringify(records);
  const text = new PartedText();
  text.add(OPEN);
  await addItems(text, records);
  text.add(CLOSE);
  return text.parts();
}

/** A record as JSON. Lists in it that are long are written in steps between which others run. */
export async function jsonRecord(record: object): Promise<JsonText> {
  if (!Object.values(record).some(isLong)) return JSON.stringify(record);
  const fields = Object.entries(record).filter(([, value]) => value !== undefined);
  const text = new PartedText();
  for (const [n, [name, value]] of fields.entries()) {
    const key = `${n === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    if (!isLong(value)) {
      text.add(Buffer.from(key + JSON.stringify(value)));
      continue;
    }
    text.add(Buffer.from(`${key}[`));
    await addItems(text, value);
    text.add(CLOSE);
  }
  text.add(Buffer.from('}'));
  return text.parts();
}

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

function isLong(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.length > FEW && typeof value[0] === 'object';
}

/** Bytes that are written at once, about. */
const GROUP = 65_536;
const MOST_IN_GROUP = 512;
/** Bytes that are written in the time of one unit of a `Yielder`. */
const UNIT = 2_048;

/** Adds the items of a list that is not empty. */
async function addItems(text: PartedText, items: readonly object[]): Promise<void> {
  const yielder = new Yielder();
  let most = FEW;
  for (let next = 0; next < items.length;) {
    const item = items[next]!;
    const count = Object.isFrozen(item) ? 1 : Math.min(most, items.length - next);
    const bytes = Object.isFrozen(item) ? textOf(item) : textOfAll(items.slice(next, next + count));
    text.add(bytes);
    const pause = yielder.step(1 + bytes.length / UNIT);
    if (pause !== null) await pause;
    next += count;
    // As many of the next as are about that large.
    most = Math.max(1, Math.min(MOST_IN_GROUP, Math.floor((GROUP * count) / bytes.length)));
  }
  text.dropComma();
}

/** JSON by frozen record, which all readers share, each with a trailing comma. */
const texts = new BoundedWeakCache<object, Buffer>();

function textOf(record: object): Buffer {
  const known = texts.get(record);
  if (known !== undefined) return known;
  const text = Buffer.from(`${JSON.stringify(record)},`);
  texts.set(record, text);
  return text;
}

function textOfAll(records: readonly object[]): Buffer {
  return Buffer.from(`${JSON.stringify(records).slice(1, -1)},`);
}

/** Bytes of a part, at least. */
const PART = 1_048_576;

/** Text to which more is added. */
class PartedText {
  readonly #closed: Buffer[] = [];
  #open: Buffer[] = [];
  #size = 0;

  add(bytes: Buffer): void {
    if (this.#size >= PART) this.#close();
    this.#open.push(bytes);
    this.#size += bytes.length;
  }

  /** Takes the last character away. */
  dropComma(): void {
    const last = this.#open.pop()!;
    this.#open.push(last.subarray(0, -1));
  }

  parts(): Uint8Array | readonly Uint8Array[] {
    this.#close();
    return this.#closed.length === 1 ? this.#closed[0]! : this.#closed;
  }

  #close(): void {
    this.#closed.push(Buffer.concat(this.#open));
    this.#open = [];
    this.#size = 0;
  }
}
