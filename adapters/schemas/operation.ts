import type { Static, TObject, TSchema } from 'typebox';
import type { UseCaseName, UseCases } from '../../core/use-cases.ts';
import type { ErrorCode } from '../../core/kernel/errors.ts';
import type { Slice } from '../../core/kernel/record.ts';

/** One operation of the service. Whether an input field is in the path, the query or the body follows from method, path and name. */
export interface Operation {
  readonly useCase: UseCaseName;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `{parameters}`. `{id}` stands for `workspaceId`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** All fields: of the path, the query and the body. */
  readonly input: TObject;
  /** Schema of the record or list; for a paged list, of one item. Null: no content. */
  readonly output: TSchema | null;
  readonly status: 200 | 201 | 204;
  readonly paged: boolean;
  /** For a paged list: the parameter with which the next page continues. `since` follows changes. */
  readonly resumedBy: 'cursor' | 'since';
  /** Whether a paged list is also available whole, as JSON Lines. */
  readonly lines: boolean;
  /** The `Location` of the created record, from path parameters and fields of the record. */
  readonly location?: string;
  /**
   * The field of the record that is null until a job has created the record: the answer is then 202. Null: there is no
   * such field.
   */
  readonly acceptedWithout: string | null;
  /** The error codes of 409, 410, 412 and 422 that this operation can answer with. */
  readonly codes: readonly ErrorCode[];
  /** Whether the use case supports `If-Match`. */
  readonly conditional: boolean;
  /** Whether it is never refused as `forbidden`: every user may call it, and gets what they may see. */
  readonly forEverybody: boolean;
  /**
   * The secret in its answer, which is never compressed: next to text that somebody else has chosen, the length of the
   * compressed answer would reveal something about it (BREACH). `once`: it is shown only this once, so the answer is
   * not stored for a repeated request. `id`: an id with which one can join a workspace.
   */
  readonly secret: 'once' | 'id' | null;
  /** Whether the id in its path is a secret that somebody could try to guess: failed look-ups are limited. */
  readonly bySecretId: boolean;
  /**
   * An input about the workspace of `examples/acme.jsonl`: on a service that was started with `--load
   * examples/acme.jsonl` the administrator can send it as it is, or as `exampleNeeds` says.
   */
  readonly example: Readonly<Record<string, unknown>>;
  /**
   * The precondition of the example: what must exist, or who sends it, if it is not the administrator of the workspace
   * as it was loaded.
   */
  readonly exampleNeeds?: string;
}

/** The defaults of the columns that an operation may leave out. */
const DEFAULTS = {
  paged: false,
  resumedBy: 'cursor',
  lines: false,
  acceptedWithout: null,
  codes: [],
  conditional: false,
  forEverybody: false,
  secret: null,
  bySecretId: false,
} as const satisfies Partial<Operation>;

type UseCase<Name extends UseCaseName> = Name extends `${infer N}.${infer V}`
  ? N extends keyof UseCases
    ? V extends keyof UseCases[N]
      ? UseCases[N][V]
      : never
    : never
  : never;

/** The input of a use case. */
type UseCaseInput<Name extends UseCaseName> =
  UseCase<Name> extends (context: never, input: infer I) => unknown
    ? unknown extends I
      ? object
      : NonNullable<I>
    : never;

type UseCaseOutput<Name extends UseCaseName> =
  UseCase<Name> extends (...args: never) => Promise<infer O> ? (O extends Slice<infer Item> ? Item : O) : never;

/** A type without `readonly` and intersections, so that equivalent types become identical. */
type NormalForm<T> = T extends readonly (infer E)[]
  ? NormalForm<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: NormalForm<T[K]> }
    : T;

type Same<A, B> =
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- this is how two types are compared as a whole
  (<T>() => T extends NormalForm<A> ? 1 : 2) extends <T>() => T extends NormalForm<B> ? 1 : 2
    ? unknown
    : { differs: [A, B] };

type Optional = keyof typeof DEFAULTS;

type OperationRow<Name extends UseCaseName, I extends TObject, O extends TSchema | null> = Omit<
  Operation,
  'useCase' | 'input' | 'output' | 'status' | 'example' | Optional
> & { readonly [Column in Optional]?: Operation[Column] } & {
  readonly input: I & Same<Static<I>, UseCaseInput<Name>>;
  readonly output: O & (O extends TSchema ? Same<Static<O>, UseCaseOutput<Name>> : Same<void, UseCaseOutput<Name>>);
  readonly status?: 201;
  readonly example: UseCaseInput<Name>;
};

/** Declares a row of the table. It compiles only when the schemas equal the types of the use case. */
export function operation<Name extends UseCaseName, I extends TObject, O extends TSchema | null>(
  useCase: Name,
  given: OperationRow<Name, I, O>,
): Operation {
  const example = given.example as Readonly<Record<string, unknown>>;
  return { ...DEFAULTS, ...given, useCase, example, status: given.status ?? (given.output === null ? 204 : 200) };
}

/** The names of the fields that the path carries, in its order. */
export function pathFields(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => fieldOf(parameter!));
}

/** The field of a path parameter. */
export function fieldOf(parameter: string): string {
  return parameter === 'id' ? 'workspaceId' : parameter;
}

/** Fields that are in the query for any method, as they shape the answer. */
const OF_ANSWER: readonly string[] = ['expand'];

/** Whether a field outside of the path is in the query; else it is in the body. */
export function isInQuery(method: Operation['method'], field: string): boolean {
  return !hasBody(method) || OF_ANSWER.includes(field);
}

/** Whether requests have a body. */
export function hasBody(method: Operation['method']): boolean {
  return method === 'POST' || method === 'PUT';
}

/**
 * The most characters of a query without its cursor: the `Link` header repeats it, and common clients accept at most 16
 * KiB of headers.
 */
export const MAX_QUERY = 8_192;
