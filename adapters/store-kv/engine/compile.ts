/**
 * Compiles a function from source text. A record created by one object literal takes a quarter of the memory, and a
 * sixth of the time, of one created field by field in a loop.
 *
 * @param source made of names declared in this code, never of data
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the source tells the type, and only the caller knows it
export function compile<F>(parameters: readonly string[], source: string): F {
  // oxlint-disable-next-line typescript/no-implied-eval -- see above
  return new Function(...parameters, `'use strict'; return ${source};`) as F;
}

/** The source of an object with these fields, in this order. */
export function literal(fields: readonly (readonly [field: string, source: string])[]): string {
  return `{ ${fields.map(([field, source]) => `${JSON.stringify(field)}: ${source}`).join(', ')} }`;
}
