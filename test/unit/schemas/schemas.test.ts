import { assert, expect } from 'chai';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { operations } from '../../../adapters/schemas/index.ts';

describe('the schemas', () => {
  const ajv = new Ajv2020({ strict: false });
  for (const { useCase, input, output } of operations) {
    it(`of ${useCase} are JSON Schema 2020-12`, () => {
      for (const schema of [input, output]) {
        assert(schema === null || ajv.validateSchema(schema) === true, ajv.errorsText());
      }
    });
  }

  it('would be told from what is none', () => {
    expect(ajv.validateSchema({ type: 'nonsense' })).to.equal(false);
  });
});
