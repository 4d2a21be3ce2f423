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
      'Entity tags of the record as it was read, such as `"3-mB1x0dYq5WcT8fZa"`, or *. Send the tag unchanged. Only the part before the dash is compared: if it differs, the answer is 412. A version alone, such as `"3-"`, is accepted as well. A service can be configured to require the header for every PUT and DELETE of a record with a version: 428.',
    schema: tags,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags of the record that the client has. 304 if the record is unchanged.',
    schema: tags,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the request take effect once: for 24 hours the same user, address, key and body get the first answer again, ' +
      'if the user may still do this. Another body with the same key answers 422. An answer with a secret is not kept: ' +
      'its repetition answers 409. A refused request does not use up its key.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$', minLength: 1, maxLength: 255 },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description:
      'For a stream: the `id` of the last event received. It takes precedence over `since`. Browsers send it automatically.',
    schema: { type: 'string' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Identifies the request in logs and the audit trail: up to 128 letters, digits and `_.:/+=@-`, such as `nightly-sync/42`. Generated if it is absent or not valid.',
    schema: { type: 'string' },
  },
};

export const headers: Json = {
  RequestId: { description: 'Identifies the request in logs.', schema: { type: 'string', maxLength: 128 } },
  ETag: { description: 'The version of the record, if it has one, and a digest of the body.', schema: tag },
  Location: { description: 'The address of the created record.', schema: { type: 'string', maxLength: 1_000 } },
  EspalierCursor: {
    description:
      'The cursor after which to follow the changes of the workspace. For a paged list use the cursor of the first page.',
    schema: { type: 'string', maxLength: 80, examples: ['q8T0Vd1yK3xA.2n.1c'] },
  },
  Link: {
    description: 'The next page, with rel="next". Absent on the last page.',
    schema: { type: 'string', maxLength: 20_000 },
  },
  TotalCount: { description: 'The number of all matches.', schema: { type: 'integer', minimum: 0 } },
  IdempotencyReplayed: {
    description: 'Present if the answer is the one kept for the Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
  RateLimitLimit: { description: 'The number of requests that a token may make in a minute.', schema: count },
  RateLimitRemaining: { description: 'The number of requests left.', schema: count },
  RateLimitReset: { description: 'Seconds until the count restarts.', schema: count },
  Challenge: { description: 'How to sign in.', schema: { type: 'string', maxLength: 200 } },
};
