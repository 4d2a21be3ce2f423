import type { TSchema } from 'typebox';
import { fieldOf, largestBody, operations, type Operation } from '../../schemas/index.ts';
import { BODY_LIMIT } from '../options.ts';
import { requestFields } from '../request/input.ts';
import { isRevalidated } from '../response/conditional.ts';
import { exampleBody, exampleField } from './examples.ts';
import { responsesOf } from './responses.ts';
import { bodyOf, ID_OR_ALIAS, querySchema, schemaReference, schemaOf, type Json } from './schema.ts';

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
  const { useCase, tag, summary, description, exampleNeeds } = operation;
  const body = bodyOf(operation);
  const parameters = parametersOf(operation);
  return {
    operationId: useCase,
    tags: [tag],
    summary,
    ...described(description, exampleNeeds),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            ...largestOf(operation),
            required: true,
            content: { 'application/json': { schema: schemaReference(body.name), ...exampleOf(operation) } },
          },
        }),
    responses: responsesOf(operation),
  };
}

function described(...parts: readonly (string | undefined)[]): Json {
  const [about, needs] = parts;
  const example = needs === undefined ? undefined : `Example: ${needs}`;
  const text = [about, example].filter((part) => part !== undefined).join('\n\n');
  return text === '' ? {} : { description: text };
}

function exampleOf(operation: Operation): Json {
  const { path, body } = requestFields(operation);
  return exampleBody(operation, Object.keys(body), Object.keys(path));
}

/** The largest size of a body, if it is less than the limit of the service. */
function largestOf(operation: Operation): Json {
  const largest = largestBody(requestFields(operation).body);
  return largest < BODY_LIMIT ? { description: `At most ${Math.ceil(largest / KIB)} KiB.` } : {};
}

const KIB = 1_024;

function parametersOf(operation: Operation): Json[] {
  const { path, query } = requestFields(operation);
  const header = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
      pathParameter(operation, name!, path[fieldOf(name!)]!),
    ),
    ...Object.entries(query).map(([name, schema]) => queryParameter(operation, name, schema)),
    ...(operation.conditional ? [header('IfMatch')] : []),
    ...(isRevalidated(operation) ? [header('IfNoneMatch')] : []),
    ...(operation.method === 'POST' ? [header('IdempotencyKey')] : []),
    ...(operation.resumedBy === 'since' ? [header('LastEventId')] : []),
    header('RequestId'),
  ];
}

function pathParameter(operation: Operation, name: string, schema: TSchema): Json {
  const { description, ...rest } = schema as Json;
  const shown = fieldOf(name) === 'workspaceId' ? ID_OR_ALIAS : schemaOf(rest);
  const example = exampleField(operation, fieldOf(name));
  return {
    name,
    in: 'path',
    required: true,
    description,
    schema: shown,
    ...(example === undefined ? {} : { example }),
  };
}

function queryParameter(operation: Operation, name: string, schema: TSchema): Json {
  const { description, type } = schema as Json;
  const example = exampleField(operation, name);
  const { required = [] } = operation.input as { required?: readonly string[] };
  const isForList = operation.resumedBy === name;
  return {
    name,
    in: 'query',
    ...(required.includes(name) && !isForList ? { required: true } : {}),
    ...(description === undefined
      ? {}
      : {
          description: isForList
            ? `${description as string} Required for a list; a stream without it starts now.`
            : description,
        }),
    ...(type === 'array' ? { style: 'form', explode: true } : {}),
    ...(type === 'object' ? { style: 'deepObject', explode: true } : {}),
    schema: querySchema(name, schema),
    ...(example === undefined ? {} : { example }),
  };
}

/** The schemas of all request bodies, by name. */
export function bodySchemas(): Json {
  const found = operations.map(bodyOf).filter((body) => body !== undefined);
  return Object.fromEntries(found.map(({ name, schema }) => [name, schema]));
}
