import { BoundedWeakCache } from '../../../core/kernel/bounded-weak-cache.ts';
import { entityTag } from './conditional.ts';
import { jsonRecord, MAX_KEPT_BYTES, toOwnBuffer, type JsonText } from './json.ts';

/** A record as it is sent, and its entity tag. */
export interface RecordText {
  readonly body: JsonText;
  readonly etag: string;
}

/** The most characters of a cached text. */
const MAX_KEPT = 16_384;

/** By frozen record, which all readers share. */
const shared = new BoundedWeakCache<object, RecordText>(MAX_KEPT_BYTES);

/** Cached if the record is frozen: then reading it again costs no JSON and no digest. */
export function recordText(record: object): RecordText | Promise<RecordText> {
  const known = shared.get(record);
  if (known !== undefined) return known;
  const text = jsonRecord(record);
  if (typeof text !== 'string') return partedText(record, text);
  if (text.length > MAX_KEPT || !Object.isFrozen(record)) return { body: text, etag: entityTag(record, text) };
  const kept = { body: toOwnBuffer(text), etag: entityTag(record, text) };
  shared.set(record, kept, kept.body.length);
  return kept;
}

async function partedText(record: object, text: Promise<JsonText>): Promise<RecordText> {
  const body = await text;
  return { body, etag: await entityTag(record, body) };
}
