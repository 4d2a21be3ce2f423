import type { Operation } from '../../schemas/index.ts';
import { STATUS, type ProblemCode } from '../response/problem.ts';
import recorded from './recorded-answers.json' with { type: 'json' };
import type { Json } from './schema.ts';

/** The recorded answers of a service to the examples. A test sends all examples and compares. */
export interface RecordedAnswers {
  /** By use case, or the id of another operation: the JSON body or the text. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** By error code: one of the answers with it. */
  readonly problems: Readonly<Record<string, unknown>>;
  /** By use case and error code: the problems with status 409, 410 or 422. */
  readonly conflicts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The example of an import. */
  readonly imported: string;
}

const { answers, problems, conflicts, imported }: RecordedAnswers = recorded;

export const IMPORTED_TEXT = imported;

/** The value of a field in the example of an operation; undefined when it is not sent. */
export function exampleField({ example }: Operation, name: string): unknown {
  return example[name];
}

/** The body of the example, from the fields that a body may have. */
export function exampleBody({ example }: Operation, fields: readonly string[], path: readonly string[]): Json {
  const sent = fields.filter((name) => !path.includes(name) && Object.hasOwn(example, name));
  return { example: Object.fromEntries(sent.map((name) => [name, example[name]])) };
}

/** What a service answered to the example of an operation; nothing when it answers without a body. */
export function exampleAnswer(operationId: string): Json {
  return Object.hasOwn(answers, operationId) ? { example: answers[operationId] } : {};
}

/** Examples of problems by their codes: those of the operation itself if it has any. */
export function exampleProblems(codes: readonly ProblemCode[], useCase?: string): Json {
  const own = useCase === undefined ? {} : (conflicts[useCase] ?? {});
  const found = codes.flatMap((code) => {
    const value = own[code] ?? problems[code];
    return value === undefined ? [] : [[code, { summary: code, value }] as const];
  });
  return found.length === 0 ? {} : { examples: Object.fromEntries(found) };
}

/** The answer to a method that an address does not support: no operation has it. */
export const METHOD_NOT_ALLOWED = problems['method-not-allowed'];

/** Every code of a status, in the order of the table. */
export function codesWith(status: number): ProblemCode[] {
  return (Object.keys(STATUS) as ProblemCode[]).filter((code) => STATUS[code] === status);
}
