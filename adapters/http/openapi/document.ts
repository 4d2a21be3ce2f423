import { packageVersion } from '../public/packaged.ts';
import { STATUS } from '../response/problem.ts';
import { bodySchemas, operationPaths } from './operations.ts';
import { INTRODUCTION } from './introduction.ts';
import { METHOD_NOT_ALLOWED } from './examples.ts';
import { sharedResponses } from './responses.ts';
import { recordSchemas, type Json } from './schema.ts';
import { servicePaths } from './service-paths.ts';
import { headers, parameters } from './shared.ts';
import { transferPaths } from './transfers.ts';

/**
 * The OpenAPI 3.1 document, from the schemas that validate requests.
 *
 * @param basePath the prefix of the paths of the service
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
