import { ENTITY_TAGS } from '../response/conditional.ts';
import type { Json } from './schema.ts';

const examples = ['"3-mB1x0dYq5WcT8fZa"'];
const tag = { type: 'string', maxLength: 1_000, examples };
/** Without an example: the reference page would send it when somebody tries an operation, and get 412. */
const tags = { type: 'string', pattern: ENTITY_TAGS.source };

const count = { type: 'integer', minimum: 0 };

export const parameters: Json = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'Entity tags of the record as it was read, such as `"3-mB1x0dYq5WcT8fZa"`, or *. What stands before the dash in them is compared, and another answers 412: send the tag as it came. A version alone, such as `"3-"`, is taken as well. A service may be run so that no PUT or DELETE of a record with a version goes without: 428.',
    schema: tags,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags of the record as it is known. 304 when it is still like that.',
    schema: tags,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the request happen once: for 24 hours the same user, address, key and body get the first answer again, ' +
      'if they may still do it. Another body with the same key answers 422; an answer that held a secret is not kept, ' +
      'and its repetition answers 409. A request that was refused leaves its key free.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$', minLength: 1, maxLength: 255 },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description:
      'For a stream: the `id` of the last event that came, which goes before `since`. Browsers send it by themselves.',
    schema: { type: 'string' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Names the request in logs and the audit trail: up to 128 letters, digits and `_.:/+=@-`, such as `nightly-sync/42`. Made up when it is absent or anything else.',
    schema: { type: 'string' },
  },
};

export const headers: Json = {
  RequestId: { description: 'Names the request in logs.', schema: { type: 'string', maxLength: 128 } },
  ETag: { description: 'The version of the record and a digest of the body.', schema: tag },
  Location: { description: 'Where to find it.', schema: { type: 'string', maxLength: 1_000 } },
  EspalierCursor: {
    description:
      'The cursor from which the changes of the workspace follow what was read or made. For a paged list use that of the first page.',
    schema: { type: 'string', maxLength: 80, examples: ['q8T0Vd1yK3xA.2n.1c'] },
  },
  Link: {
    description: 'The next part, with rel="next". Absent on the last one.',
    schema: { type: 'string', maxLength: 20_000 },
  },
  TotalCount: { description: 'How many there are in all.', schema: { type: 'integer', minimum: 0 } },
  IdempotencyReplayed: {
    description: 'Present when the answer is the one kept for the Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
  RateLimitLimit: { description: 'How many requests a token may make in a minute.', schema: count },
  RateLimitRemaining: { description: 'How many of them are left.', schema: count },
  RateLimitReset: { description: 'Seconds until the count starts again.', schema: count },
  Challenge: { description: 'How to sign in.', schema: { type: 'string', maxLength: 200 } },
};
