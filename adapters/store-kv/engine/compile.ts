/**
 * A function from its source text, as if it were written by hand. A record that is made by one literal takes a
 * quarter of the memory, and a sixth of the time, of one that is made field by field in a loop.
 *
 * @param source made of names that this code declares, never of data
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
