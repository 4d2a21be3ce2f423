import type { Json } from './schema.ts';

const tag = { type: 'string', maxLength: 1_000, examples: ['"3-mB1x0dYq5WcT8fZa"'] };

export const parameters: Json = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'Entity tags of the record as it was read, or *. The version in them is compared; another answers 412.',
    schema: tag,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags of the record as it is known. 304 when it is still like that.',
    schema: tag,
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Names the request in logs and the audit trail. Made up when absent or not usable.',
    schema: { type: 'string', pattern: '^[\\w.:/+=@-]{1,128}$', maxLength: 128 },
  },
};

export const headers: Json = {
  RequestId: { description: 'Names the request in logs.', schema: { type: 'string', maxLength: 128 } },
  ETag: { description: 'The version of the record and a digest of the body.', schema: tag },
  Location: { description: 'Where to find it.', schema: { type: 'string', maxLength: 1_000 } },
  Link: {
    description: 'The next part, with rel="next". Absent on the last one.',
    schema: { type: 'string', maxLength: 20_000 },
  },
  TotalCount: { description: 'How many there are in all.', schema: { type: 'integer', minimum: 0 } },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
  Challenge: { description: 'How to sign in.', schema: { type: 'string', maxLength: 200 } },
};
