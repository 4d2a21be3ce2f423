import { setTimeout } from 'node:timers/promises';
import { _, type KeywordCxt, type ValidateFunction } from 'ajv';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import { formats } from './formats.ts';

/** Without optimising, a check is made in half the time, and checks as fast: others wait while one is made. */
const code = { optimize: false } as const;

let ajvFirst: Ajv2020 | undefined;
let ajvAll: Ajv2020 | undefined;

/**
 * Compiles a schema to a function that validates an input and normalises it in place. `npm run build` compiles
 * the schemas of all operations ahead of time for the CLI, whose bundle replaces this module.
 *
 * @param all whether it goes on after the first error
 */
export function compiled(schema: object, all: boolean): ValidateFunction {
  const ajv = all ? (ajvAll ??= ajvFor({ allErrors: true, code })) : (ajvFirst ??= ajvFor({ allErrors: false, code }));
  return ajv.compile(schema);
}

/** Milliseconds between two checks that are compiled ahead: others are answered meanwhile. */
const PAUSE = 5;

/**
 * Compiles schemas before they are asked for, each in a turn of the event loop of its own: the first requests find them
 * compiled. Done at once where a build has compiled them.
 *
 * @param over ends it
 */
export async function compileAhead(schemas: Iterable<object>, over: AbortSignal): Promise<void> {
  for (const schema of schemas) {
    for (const all of [false, true]) {
      await setTimeout(PAUSE, undefined, { ref: false });
      if (over.aborted) return;
      compiled(schema, all);
    }
  }
}

/** An ajv that knows the formats and keywords of these schemas. */
export function ajvFor(options: Options): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    // A test checks that the schemas are valid; checking at every start would cost more than a command's work.
    validateSchema: false,
    formats: { ...formats },
    ...options,
  });
  ajv.addKeyword({
    keyword: 'normalise',
    type: 'string',
    schemaType: 'string',
    // Lengths are those of what is kept.
    before: 'maxLength',
    modifying: true,
    code({ gen, data, schema, it: { parentData, parentDataProperty } }: KeywordCxt) {
      gen.assign(data, schema === 'trim' ? _`${data}.trim()` : _`${data}.toLowerCase()`);
      gen.assign(_`${parentData}[${parentDataProperty}]`, data);
    },
  });
  return ajv;
}
