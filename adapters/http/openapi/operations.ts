import type { TSchema } from 'typebox';
import { fieldOf, largestBody, operations, type Operation } from '../../schemas/index.ts';
import { BODY_LIMIT } from '../options.ts';
import { fieldsOf } from '../request/input.ts';
import { isRevalidated, responsesOf } from './responses.ts';
import { bodyOf, querySchema, reference, schemaOf, type Json } from './schema.ts';

/** The paths of the document, from the table of operations. */
export function operationPaths(): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = operationObject(operation);
  }
  return paths;
}

function operationObject(operation: Operation): Json {
  const { useCase, tag, summary, description } = operation;
  const body = bodyOf(operation);
  const parameters = parametersOf(operation);
  return {
    operationId: useCase,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            ...largestOf(operation),
            required: true,
            content: { 'application/json': { schema: reference(body.name) } },
          },
        }),
    responses: responsesOf(operation),
  };
}

/** What a body may hold at most, where that is less than the service takes. */
function largestOf(operation: Operation): Json {
  const largest = largestBody(fieldsOf(operation).body);
  return largest < BODY_LIMIT ? { description: `At most ${Math.ceil(largest / KIB)} KiB.` } : {};
}

const KIB = 1_024;

function parametersOf(operation: Operation): Json[] {
  const { path, query } = fieldsOf(operation);
  const header = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => pathParameter(name!, path[fieldOf(name!)]!)),
    ...Object.entries(query).map(([name, schema]) => queryParameter(operation, name, schema)),
    ...(operation.conditional ? [header('IfMatch')] : []),
    ...(isRevalidated(operation) ? [header('IfNoneMatch')] : []),
    ...(operation.method === 'POST' ? [header('IdempotencyKey')] : []),
    header('RequestId'),
  ];
}

/** Fields with the format of a UUID are ids. */
const ID_OR_ALIAS = { type: 'string', minLength: 2, maxLength: 63, pattern: '^[0-9A-Za-z][0-9A-Za-z-]*[0-9A-Za-z]$' };

function pathParameter(name: string, schema: TSchema): Json {
  const { description, ...rest } = schema as Json;
  const shown = fieldOf(name) === 'workspaceId' ? ID_OR_ALIAS : schemaOf(rest);
  return { name, in: 'path', required: true, description, schema: shown };
}

function queryParameter({ input }: Operation, name: string, schema: TSchema): Json {
  const { description, type } = schema as Json;
  const { required = [] } = input as { required?: readonly string[] };
  return {
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    ...(type === 'array' ? { style: 'form', explode: true } : {}),
    schema: querySchema(name, schema),
  };
}

/** The schemas of all request bodies, by name. */
export function bodySchemas(): Json {
  const found = operations.map(bodyOf).filter((body) => body !== undefined);
  return Object.fromEntries(found.map(({ name, schema }) => [name, schema]));
}
