import { invalid } from '../../core/kernel/errors.ts';
import type { UseCaseName } from '../../core/use-cases.ts';
import type { Operation } from './operation.ts';

/** A use case whose input or output is a stream. */
export type Stream = Pick<Operation, 'useCase' | 'method' | 'path'>;

/**
 * The streams of the service, which are not in the table of operations: exports and imports of workspaces, snapshots of
 * what a member sees, and events.
 */
export const streams = {
  export: { useCase: 'exports.workspace', method: 'GET', path: '/api/workspace/{id}/export' },
  snapshot: { useCase: 'changes.snapshot', method: 'GET', path: '/api/workspace/{id}/snapshot' },
  import: { useCase: 'imports.workspace', method: 'POST', path: '/api/import' },
  watch: { useCase: 'changes.watch', method: 'GET', path: '/api/workspace/{id}/changes' },
} as const satisfies Record<string, Stream>;

export function isStream(useCase: string): boolean {
  return Object.values(streams).some((stream) => stream.useCase === useCase);
}

/** Use cases without input that only run in the process that has the store open: no service offers them. */
export const IN_PROCESS: readonly UseCaseName[] = ['doctor.check'];

type StreamInput = Readonly<Record<string, unknown>>;

/** The input of a stream is not JSON, so no schema describes it. @throws `invalid-input` for fields of another form */
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

function requireRecords({ records }: StreamInput): void {
  const { [Symbol.asyncIterator]: steps, [Symbol.iterator]: items } = Object(records) as Iterated;
  if (typeof records !== 'object' || typeof (steps ?? items) !== 'function') {
    throw invalid('/records', 'must be an iterable of the records of an export');
  }
}

interface Iterated {
  readonly [Symbol.asyncIterator]?: unknown;
  readonly [Symbol.iterator]?: unknown;
}

function fieldsOf(input: unknown): StreamInput {
  return { ...(input as object | null | undefined) };
}
