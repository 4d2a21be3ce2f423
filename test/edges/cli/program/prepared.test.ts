import { createRequire } from 'node:module';
import type { ValidateFunction } from 'ajv';
import { expect } from 'chai';
import { compiled } from '../../../../adapters/schemas/compile.ts';
import { operations, watchOperation } from '../../../../adapters/schemas/index.ts';
import { badValues } from '../../http/request/bad-values.ts';

/** What the build compiled. Seen from `dist/test/edges/cli/program`. */
const load = createRequire(new URL('../../../../bin/', import.meta.url));

const GOOD = [
  ' Text ',
  '018F6A3E-0000-7000-8000-000000000000',
  'Ada@example.org',
  '2026-03-31',
  1,
  100,
  true,
  [],
  null,
];

describe('The checks that the build compiles for the command line', () => {
  for (const { useCase, input: schema } of [...operations, watchOperation]) {
    it(`say of ${useCase} what ajv says`, () => {
      const properties = Object.entries(schema.properties as Record<string, object>);
      const values = (field: object) => [...GOOD, ...badValues(field).map(({ value }) => value)];
      const inputs = [
        {},
        { surprise: 1 },
        ...properties.flatMap(([name, field]) => values(field).map((value) => ({ [name]: value }))),
      ];
      for (const all of [false, true]) {
        const ours = load(`./checks/${useCase}${all ? '.all' : ''}.js`) as ValidateFunction;
        const ajvs = compiled(schema, all);
        for (const input of inputs) {
          const [one, other] = [structuredClone(input), structuredClone(input)];
          expect(ours(one)).to.equal(ajvs(other));
          expect(ours.errors ?? null).to.deep.equal(ajvs.errors ?? null);
          expect(one).to.deep.equal(other);
        }
      }
    });
  }
});
