import type { Engine } from '../../../core/engine.ts';
import { recordsFrom } from '../../formats/jsonl/index.ts';
import type { Authentication } from '../request/authentication.ts';
import type { RequestContext, Handler } from '../request/request-context.ts';
import { isUncompressed } from '../request/body.ts';
import { idempotencyKeyOf } from '../request/idempotency.ts';
import { requireAcceptable } from '../response/negotiation.ts';
import { IMPORT_LIMIT, STALL_TIMEOUT, type HttpOptions } from '../options.ts';
import { HttpError } from '../response/problem.ts';
import { queryReader } from '../request/query.ts';
import { jsonReply } from '../response/reply.ts';
import { signedIn } from '../request/signed-in.ts';
import { withoutRequestTimeout } from '../request/request-timeout.ts';
import { JSON_LINES } from '../../schemas/http-names.ts';
import { uploadOf } from './upload.ts';

const TYPE = /^application\/x-ndjson\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const readQuery = queryReader({});

/**
 * The most characters of a line. Parsing a line holds up other requests. This is nearly twice the size of a board with
 * as many statuses and tags as quotas allow by default; larger boards can be imported by the command line, in a process
 * of its own.
 */
const LONGEST_LINE = 4 * 1024 * 1024;

/** Imports an exported workspace from a stream. Access is checked before the body is read. */
export function importHandler(options: HttpOptions, engine: Engine, authentication: Authentication): Handler {
  const { importLimit = IMPORT_LIMIT, stallTimeout = STALL_TIMEOUT, basePath = '' } = options;
  return (context) =>
    signedIn(authentication, context, async (caller) => {
      const { request, requestId, search, incoming } = context;
      requireAcceptable(request);
      readQuery(search);
      requireLines(context);
      const upload = uploadOf(context, importLimit, stallTimeout);
      const idempotencyKey = idempotencyKeyOf(context, () => upload.digest());
      await authentication.requireAdministrator(caller);
      const call = { caller, requestId, ...(idempotencyKey && { idempotencyKey }) };
      try {
        const records = recordsFrom(upload.parts, LONGEST_LINE);
        const done = await withoutRequestTimeout(incoming, () => engine.imports.workspace(call, { records }));
        return jsonReply(201, JSON.stringify(done), { location: `${basePath}/api/workspace/${done.workspace.id}` });
      } finally {
        incoming?.resume();
      }
    });
}

function requireLines({ request: { headers } }: RequestContext): void {
  const isLines = TYPE.test(headers.get('content-type') ?? '');
  if (isLines && isUncompressed(headers)) return;
  throw new HttpError('unsupported-media-type', `The body must be ${JSON_LINES} in UTF-8, not compressed.`);
}
