import { assert, expect } from 'chai';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RECORD_SCHEMAS } from '../../../adapters/schemas/transfer-record.ts';
import { TrelloBoard } from '../../../adapters/formats/trello/shape.ts';
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

  for (const [name, schema] of [...RECORD_SCHEMAS, ['Trello', TrelloBoard] as const]) {
    it(`of what is imported are JSON Schema 2020-12: ${name}`, () => {
      assert(ajv.validateSchema(schema) === true, ajv.errorsText());
    });
  }

  it('would be told from what is none', () => {
    expect(ajv.validateSchema({ type: 'nonsense' })).to.equal(false);
  });
});
