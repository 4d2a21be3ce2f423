import type { TSchema } from 'typebox';
import { operations } from '../../../adapters/schemas/operations.ts';
import type { UseCaseName } from '../../../core/use-cases.ts';

/** Fields of the records that use cases return. */
export function fieldsOfUseCases(names: readonly UseCaseName[]): readonly string[] {
  const printed: readonly string[] = names.map((name) => PRINTED_OF[name] ?? name);
  const outputs = operations.filter(({ useCase }) => printed.includes(useCase));
  return [...new Set(outputs.flatMap(({ output }) => (output === null ? [] : fieldsIn(output))))];
}

/**
 * Use cases whose commands print records of another use case: events of a stream, created records, or records that
 * would be deleted.
 */
const PRINTED_OF: Readonly<Partial<Record<UseCaseName, UseCaseName>>> = {
  'changes.watch': 'changes.list',
  'boards.copy': 'boards.get',
  'pages.copy': 'pages.get',
  'tasks.delete': 'tasks.list',
};

function fieldsIn(schema: TSchema): readonly string[] {
  const { items = schema } = schema as { items?: TSchema };
  return Object.keys((items as { properties?: object }).properties ?? {});
}
