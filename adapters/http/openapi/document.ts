import { packageVersion } from '../packaged.ts';
import { STATUS } from '../response/problem.ts';
import { bodySchemas, operationPaths } from './operations.ts';
import { INTRODUCTION } from './introduction.ts';
import { exampleAnswer, METHOD_NOT_ALLOWED } from './examples.ts';
import { problemResponse, sharedResponses } from './responses.ts';
import { recordSchemas, type Json } from './schema.ts';
import { headers, parameters } from './shared.ts';
import { transferPaths } from './transfers.ts';

/**
 * The OpenAPI 3.1 document, from the schemas that validate requests.
 *
 * @param basePath what the paths of the service begin with
 */
export function openApi(basePath = ''): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Espalier',
      version: packageVersion(),
      summary: 'A headless work-management engine.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath, description: 'The service that serves this document.' }],
    security: [{ token: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: { ...operationPaths(), ...transferPaths(), ...servicePaths() },
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API token, `esp_...`, or a JSON Web Token of an issuer that the service trusts. The first request of a user creates the user.',
        },
      },
      schemas: { ...recordSchemas(), ...bodySchemas(), Problem },
      parameters,
      headers,
      responses: sharedResponses(),
    },
  };
}

const TAGS = {
  Workspaces: 'The workspaces of the caller.',
  Members: 'The members of a workspace.',
  Invitations: 'Offers to join a workspace.',
  Pages: 'The page tree of a workspace.',
  'Page access': 'The levels of members on pages, and why.',
  Boards: 'Boards with their statuses and tags.',
  Tasks: 'Tasks on boards.',
  Trash: 'Deleted pages, boards and tasks, until they are restored or purged.',
  Comments: 'Comments on tasks.',
  Me: 'The user of the caller and its tokens.',
  Users: 'Users of the service, for service administrators.',
  Imports: 'Imports from other systems, for service administrators.',
  Service: 'The service itself.',
};

/** RFC 9457. */
const Problem = {
  type: 'object',
  description: 'An error, as defined by RFC 9457.',
  examples: [METHOD_NOT_ALLOWED],
  additionalProperties: false,
  required: ['title', 'status', 'code', 'detail'],
  properties: {
    title: { type: 'string', description: 'The title of the status.' },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    code: { type: 'string', enum: Object.keys(STATUS), description: 'The kind of error. Stable.' },
    detail: { type: 'string', description: 'What is wrong and what to change, for people. May change.' },
    errors: {
      type: 'array',
      description: 'The invalid parts of the input. Absent if they are not known.',
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'JSON Pointer to the field of the body or query.' },
          detail: { type: 'string', description: 'What is wrong with the field, for people. May change.' },
        },
      },
    },
  },
};

function servicePaths(): Json {
  const publicOperation = (operationId: string, summary: string, description: string, responses: Json) => ({
    get: { operationId, tags: ['Service'], summary, description, security: [], responses },
  });
  const text = (type: string, description: string, operationId: string) => ({
    description,
    content: { [type]: { schema: { type: 'string' }, ...exampleAnswer(operationId) } },
  });
  const state = (value: string) => ({
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
  });
  const document = {
    description: 'The document.',
    headers: { ETag: { $ref: '#/components/headers/ETag' } },
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
  const shared = (name: string) => ({ $ref: `#/components/responses/${name}` });
  const own = { 304: shared('NotModified'), 406: shared('NotAcceptable') };
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
        200: document,
        ...own,
      },
    ),
    '/': publicOperation(
      'welcome',
      'Read the welcome page',
      'The page that a browser shows at the address of the service.',
      {
        200: {
          ...text('text/html', 'A page with the name, the version and links.', 'welcome'),
          headers: { ETag: { $ref: '#/components/headers/ETag' } },
        },
        304: shared('NotModified'),
        406: problemResponse('The Accept header excludes text/html.', { codes: ['not-acceptable'] }),
      },
    ),
    '/api/docs': publicOperation('docs', 'Browse this document', 'A page that loads nothing from other servers.', {
      200: {
        ...text('text/html', 'A page that loads nothing from other servers.', 'docs'),
        headers: { ETag: { $ref: '#/components/headers/ETag' } },
      },
      304: shared('NotModified'),
      406: problemResponse('The Accept header excludes text/html.', { codes: ['not-acceptable'] }),
    }),
  };
}
