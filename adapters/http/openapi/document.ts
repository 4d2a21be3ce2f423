import { packageVersion } from '../packaged.ts';
import { STATUS } from '../response/problem.ts';
import { bodySchemas, operationPaths } from './operations.ts';
import { INTRODUCTION } from './introduction.ts';
import { exampleAnswer, METHOD_NOT_ALLOWED } from './examples.ts';
import { problemResponse, sharedResponses } from './responses.ts';
import { recordSchemas, type Json } from './schema.ts';
import { headers, parameters } from './shared.ts';
import { transferPaths } from './transfers.ts';

/** The OpenAPI 3.1 document, from the schemas that validate requests. */
export function openApi(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Espalier',
      version: packageVersion(),
      summary: 'A headless work-management engine.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Where this document comes from.' }],
    security: [{ token: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: { ...operationPaths(), ...transferPaths(), ...servicePaths() },
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API token, `esp_...`; or a JSON Web Token of an issuer that the service is run with, whose user is made with the first request.',
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
  Workspaces: 'Workspaces of the caller.',
  Members: 'Who belongs to a workspace.',
  Invitations: 'How members join.',
  Pages: 'The tree of a workspace.',
  'Page access': 'Who may do what on a page, and why.',
  Boards: 'Boards with their statuses and tags.',
  Tasks: 'Tasks on boards.',
  Trash: 'What was deleted, until it is restored or purged.',
  Comments: 'Comments on tasks.',
  Me: 'The own user and its tokens.',
  Users: 'Users of the service, for its administrators.',
  Imports: 'From other systems, for service administrators.',
  Service: 'The service itself.',
};

/** RFC 9457. */
const Problem = {
  type: 'object',
  description: 'What went wrong, as RFC 9457 has it.',
  examples: [METHOD_NOT_ALLOWED],
  additionalProperties: false,
  required: ['title', 'status', 'code', 'detail'],
  properties: {
    title: { type: 'string', description: 'Of the status.' },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    code: { type: 'string', enum: Object.keys(STATUS), description: 'What went wrong. Stable.' },
    detail: { type: 'string', description: 'For people. May change.' },
    errors: {
      type: 'array',
      description: 'Where the input is at fault. Absent where that is not known.',
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'JSON Pointer to the field, of the body or the query.' },
          detail: { type: 'string', description: 'What is wrong with it. For people. May change.' },
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
    description: 'It does.',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['status'],
          properties: { status: { type: 'string', const: value, description: 'How it is.' } },
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
          properties: { openapi: { type: 'string', description: 'The version of OpenAPI that it is written in.' } },
        },
        example: { openapi: '3.1.0', info: { title: 'Espalier', version: packageVersion() }, paths: {} },
      },
    },
  };
  const shared = (name: string) => ({ $ref: `#/components/responses/${name}` });
  const own = { 304: shared('NotModified'), 406: shared('NotAcceptable') };
  return {
    '/healthz': publicOperation('healthz', 'Tell whether the process runs', 'It does not ask the store.', {
      200: state('ok'),
      500: shared('Internal'),
    }),
    '/readyz': publicOperation('readyz', 'Tell whether requests can be answered', 'It asks the store.', {
      200: state('ready'),
      500: shared('Internal'),
      503: shared('Unavailable'),
    }),
    '/metrics': {
      get: {
        operationId: 'metrics',
        tags: ['Service'],
        summary: 'Read the metrics, for Prometheus',
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
      'Everything that the service answers, in OpenAPI 3.1.',
      {
        200: document,
        ...own,
      },
    ),
    '/': publicOperation('welcome', 'See what the service is', 'What a browser shows at the address of the service.', {
      200: {
        ...text('text/html', 'A page with name, version and links.', 'welcome'),
        headers: { ETag: { $ref: '#/components/headers/ETag' } },
      },
      304: shared('NotModified'),
      406: problemResponse('The Accept header leaves out text/html.', { codes: ['not-acceptable'] }),
    }),
    '/api/docs': publicOperation('docs', 'Browse this document', 'A page that needs nothing from elsewhere.', {
      200: {
        ...text('text/html', 'A page that needs nothing from elsewhere.', 'docs'),
        headers: { ETag: { $ref: '#/components/headers/ETag' } },
      },
      304: shared('NotModified'),
      406: problemResponse('The Accept header leaves out text/html.', { codes: ['not-acceptable'] }),
    }),
  };
}
