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
