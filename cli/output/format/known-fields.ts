import type { TSchema } from 'typebox';
import { operations } from '../../../adapters/schemas/operations.ts';
import type { UseCaseName } from '../../../core/use-cases.ts';

/** Fields of the records that use cases return. */
export function fieldsOfUseCases(names: readonly UseCaseName[]): readonly string[] {
  const outputs = operations.filter(({ useCase }) => (names as readonly string[]).includes(useCase));
  return [...new Set(outputs.flatMap(({ output }) => (output === null ? [] : fieldsIn(output))))];
}

function fieldsIn(schema: TSchema): readonly string[] {
  const { items = schema } = schema as { items?: TSchema };
  return Object.keys((items as { properties?: object }).properties ?? {});
}
