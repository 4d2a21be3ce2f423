import { noRecords } from '../../../core/model/transfer-record.ts';
import { JSON_LINES } from '../../schemas/http-names.ts';
import { streams } from '../../schemas/index.ts';
import { Workspace } from '../../schemas/noun/workspace.ts';
import { exampleAnswer, IMPORTED_TEXT } from './examples.ts';
import { problemResponse } from './responses.ts';
import { ID_OR_ALIAS, schemaOf, type Json } from './schema.ts';
import type { ProblemCode } from '../response/problem.ts';

const shared = (name: string): Json => ({ $ref: `#/components/responses/${name}` });
const parameter = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });
const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` });
const lines = (example: Json): Json => ({ [JSON_LINES]: { schema: { type: 'string' }, ...example } });
const FORMAT = 'JSON Lines: a head, a line for each record, and a last line with a checksum.';

const always: Json = {
  400: shared('InvalidInput'),
  401: shared('Unauthenticated'),
  403: shared('Forbidden'),
  429: shared('TooManyRequests'),
  500: shared('Internal'),
  503: shared('Unavailable'),
};

const outgoing: Json = {
  ...always,
  404: shared('NotFound'),
  406: problemResponse('The Accept header excludes application/x-ndjson.', { codes: ['not-acceptable'] }),
};

const workspace: Json = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The workspace.',
  schema: ID_OR_ALIAS,
  example: 'acme',
};

/** The paths of exports and imports of whole workspaces, and of snapshots of what a member sees. */
export function transferPaths(): Json {
  return {
    [streams.export.path]: {
      get: {
        operationId: streams.export.useCase,
        tags: ['Workspaces'],
        summary: 'Export a whole workspace',
        description:
          'For owners. The workspace at one moment, without tokens and pending invitations. An export stops after ' +
          'an hour, and when the caller can no longer sign in or is no longer an owner. A user can run at most two exports and ' +
          `snapshots at once. ${FORMAT}`,
        parameters: [workspace, parameter('RequestId')],
        responses: {
          200: {
            description: 'The workspace. Truncated if the export fails.',
            headers: { ...requestId, 'Espalier-Cursor': header('EspalierCursor') },
            content: lines(exampleAnswer(streams.export.useCase)),
          },
          ...outgoing,
        },
      },
    },
    [streams.snapshot.path]: {
      get: {
        operationId: streams.snapshot.useCase,
        tags: ['Workspaces'],
        summary: 'Read everything that the caller sees of a workspace',
        description:
          'The state at one cursor. The first line has the cursor: follow the changes from there. Then come a line for ' +
          'the workspace, each active member, page (parents before children), board and task with its comments, as ' +
          'lists and single reads show them. The last line has the SHA-256 of all lines before it. A snapshot stops ' +
          'without it after 240 seconds, and when the caller may see less than at the start. A user can run at ' +
          'most two exports and snapshots at once.',
        parameters: [workspace, parameter('RequestId')],
        responses: {
          200: {
            description: 'The snapshot. Truncated if it fails.',
            headers: { ...requestId, 'Espalier-Cursor': header('EspalierCursor') },
            content: lines(exampleAnswer(streams.snapshot.useCase)),
          },
          ...outgoing,
        },
      },
    },
    [streams.import.path]: {
      post: {
        operationId: streams.import.useCase,
        tags: ['Imports'],
        summary: 'Import an exported workspace',
        description:
          'For service administrators. The import keeps all ids, and is complete or has no effect. A user whose e-mail ' +
          `address is known here is the existing user. ${FORMAT}`,
        parameters: [parameter('IdempotencyKey'), parameter('RequestId')],
        requestBody: { required: true, content: lines({ example: IMPORTED_TEXT }) },
        responses: {
          201: {
            description: 'Imported.',
            headers: {
              ...requestId,
              Location: header('Location'),
              'Idempotency-Replayed': header('IdempotencyReplayed'),
            },
            content: { 'application/json': { schema: imported(), ...exampleAnswer(streams.import.useCase) } },
          },
          ...always,
          406: shared('NotAcceptable'),
          409: conflict(['workspace-exists', 'alias-taken', 'email-taken', 'quota-exceeded']),
          413: shared('ContentTooLarge'),
          415: problemResponse('The body is not application/x-ndjson in UTF-8.', { codes: ['unsupported-media-type'] }),
          422: conflict(['key-reused']),
        },
      },
    },
  };
}

const conflict = (codes: readonly ProblemCode[]): Json =>
  problemResponse(`${codes.map((code) => `\`${code}\``).join(', ')}.`, { codes, useCase: streams.import.useCase });

const requestId: Json = { 'X-Request-Id': header('RequestId') };

const KINDS = Object.keys(noRecords());

function imported(): Json {
  const { properties } = schemaOf(Workspace, true) as { properties: Record<string, unknown> };
  const { role: _, memberId: __, ...own } = properties;
  const exactly = (fields: Json): Json => ({
    type: 'object',
    additionalProperties: false,
    required: Object.keys(fields),
    properties: fields,
  });
  const count = (kind: string): Json => ({
    type: 'integer',
    minimum: 0,
    description: `The number of records of kind ${kind}.`,
  });
  return exactly({
    workspace: { ...exactly(own), description: 'The imported workspace.' },
    count: {
      ...exactly(Object.fromEntries(KINDS.map((kind) => [kind, count(kind)]))),
      description: 'The number of records, by kind.',
    },
  });
}
