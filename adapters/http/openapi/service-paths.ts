import { packageVersion } from '../public/packaged.ts';
import { exampleAnswer } from './examples.ts';
import { ETAG, problemResponse } from './responses.ts';
import type { Json } from './schema.ts';

/** The paths of the service itself, which concern no workspace. */
export function servicePaths(): Json {
  return {
    '/healthz': publicOperation('healthz', 'Check whether the process runs', 'The check does not use the store.', {
      200: state('ok'),
      500: shared('Internal'),
    }),
    '/readyz': publicOperation(
      'readyz',
      'Check whether the service can answer requests',
      'The check reads from the store.',
      {
        200: state('ready'),
        500: shared('Internal'),
        503: shared('Unavailable'),
      },
    ),
    '/metrics': {
      get: {
        operationId: 'metrics',
        tags: ['Service'],
        summary: 'Read the metrics for Prometheus',
        description: 'For service administrators.',
        responses: {
          200: text('text/plain', 'The metrics.', 'metrics'),
          401: shared('Unauthenticated'),
          403: shared('Forbidden'),
          429: shared('TooManyRequests'),
          503: shared('Unavailable'),
        },
      },
    },
    '/api/openapi.json': publicOperation(
      'openapi',
      'Read this document',
      'Every operation of the service, in OpenAPI 3.1.',
      {
        200: documentResponse(),
        304: shared('NotModified'),
        400: shared('InvalidInput'),
        406: shared('NotAcceptable'),
      },
    ),
    '/': publicOperation(
      'welcome',
      'Read the welcome page',
      'The page that a browser shows at the address of the service.',
      {
        200: {
          ...text('text/html', 'A page with the name, the version and links.', 'welcome'),
          headers: ETAG,
        },
        304: shared('NotModified'),
        400: shared('InvalidInput'),
        406: problemResponse('The Accept header excludes text/html.', { codes: ['not-acceptable'] }),
      },
    ),
    '/api/docs': publicOperation('docs', 'Browse this document', 'A page that loads nothing from other servers.', {
      200: {
        ...text('text/html', 'A page that loads nothing from other servers.', 'docs'),
        headers: ETAG,
      },
      304: shared('NotModified'),
      400: shared('InvalidInput'),
      406: problemResponse('The Accept header excludes text/html.', { codes: ['not-acceptable'] }),
    }),
  };
}

function publicOperation(operationId: string, summary: string, description: string, responses: Json): Json {
  return { get: { operationId, tags: ['Service'], summary, description, security: [], responses } };
}

function shared(name: string): Json {
  return { $ref: `#/components/responses/${name}` };
}

function text(type: string, description: string, operationId: string): Json {
  return { description, content: { [type]: { schema: { type: 'string' }, ...exampleAnswer(operationId) } } };
}

function state(value: string): Json {
  return {
    description: 'Yes.',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['status'],
          properties: { status: { type: 'string', const: value, description: 'The state.' } },
        },
        example: { status: value },
      },
    },
  };
}

function documentResponse(): Json {
  return {
    description: 'The document.',
    headers: ETAG,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          additionalProperties: true,
          required: ['openapi'],
          properties: { openapi: { type: 'string', description: 'The OpenAPI version of the document.' } },
        },
        example: { openapi: '3.1.0', info: { title: 'Espalier', version: packageVersion() }, paths: {} },
      },
    },
  };
}
