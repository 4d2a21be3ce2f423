import { invalid } from '../../core/kernel/errors.ts';
import type { UseCaseName } from '../../core/use-cases.ts';
import type { Operation } from './operation.ts';

/** A use case whose input or output is a stream. */
export type Stream = Pick<Operation, 'useCase' | 'method' | 'path'>;

/** Whole workspaces, in and out, what a member sees of one, and events: what the service answers beside the table of operations. */
export const streams = {
  export: { useCase: 'exports.workspace', method: 'GET', path: '/api/workspace/{id}/export' },
  snapshot: { useCase: 'changes.snapshot', method: 'GET', path: '/api/workspace/{id}/snapshot' },
  import: { useCase: 'imports.workspace', method: 'POST', path: '/api/import' },
  watch: { useCase: 'changes.watch', method: 'GET', path: '/api/workspace/{id}/changes' },
} as const satisfies Record<string, Stream>;

export function isStream(useCase: string): boolean {
  return Object.values(streams).some((stream) => stream.useCase === useCase);
}

/** Use cases that are for the process that holds the store, and take no input: no service offers them. */
export const IN_PROCESS: readonly UseCaseName[] = ['doctor.check'];

type Given = Readonly<Record<string, unknown>>;

/** What a stream takes is no JSON, so no schema describes it. @throws `invalid-input` for fields that it cannot work with */
export function requireStreamInput(useCase: string, input: unknown): void {
  if (useCase === streams.import.useCase) return requireRecords(fieldsOf(input));
  requireStreamedWorkspace(input);
  if (typeof fieldsOf(input)['sink'] !== 'function') throw invalid('/sink', 'must be a function that takes one record');
}

/** The workspace that a stream is about. @throws `invalid-input` */
export function requireStreamedWorkspace(input: unknown): { readonly workspaceId: string } {
  const { workspaceId } = fieldsOf(input);
  if (workspaceId === undefined) throw invalid('/workspaceId', 'is required');
  if (typeof workspaceId !== 'string') throw invalid('/workspaceId', 'must be string');
  return { workspaceId };
}

function requireRecords({ records }: Given): void {
  const { [Symbol.asyncIterator]: steps, [Symbol.iterator]: items } = Object(records) as Iterated;
  if (typeof records !== 'object' || typeof (steps ?? items) !== 'function') {
    throw invalid('/records', 'must be an iterable of the records of an export');
  }
}

interface Iterated {
  readonly [Symbol.asyncIterator]?: unknown;
  readonly [Symbol.iterator]?: unknown;
}

function fieldsOf(input: unknown): Given {
  return { ...(input as object | null | undefined) };
}
