import { setTimeout } from 'node:timers/promises';
import { _, type KeywordCxt, type ValidateFunction } from 'ajv';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import { formats } from './formats.ts';

/** Without optimisation a check is compiled in half the time, which holds up other work, and it runs as fast. */
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

/** Milliseconds between two checks that are compiled ahead, in which requests are answered. */
const PAUSE = 5;

/**
 * Compiles schemas before they are needed, each in a turn of the event loop of its own, so that the first requests find
 * them compiled. There is nothing to do if a build has compiled them.
 *
 * @param over ends the compiling when aborted
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
    // The length is that of the stored value.
    before: 'maxLength',
    modifying: true,
    code({ gen, data, schema, it: { parentData, parentDataProperty } }: KeywordCxt) {
      gen.assign(data, schema === 'trim' ? _`${data}.trim()` : _`${data}.toLowerCase()`);
      gen.assign(_`${parentData}[${parentDataProperty}]`, data);
    },
  });
  return ajv;
}
