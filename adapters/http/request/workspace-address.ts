import type { Engine } from '../../../core/engine.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Caller } from '../../../core/ports/context.ts';
import { isUsableAlias } from '../../../core/workspace/alias.ts';
import { fieldOf, type Operation } from '../../schemas/index.ts';
import { decoded } from './input.ts';
import type { RequestContext } from './request-context.ts';

/** The name of the parameter that holds the workspace, undefined when the path has none. */
export function workspaceParameter({ path }: Pick<Operation, 'path'>): string | undefined {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).find((name) => fieldOf(name) === 'workspaceId');
}

/** Whether the answer carries the cursor of the workspace, as for records that are read or created in it. */
export function hasCursor(operation: Pick<Operation, 'method' | 'path' | 'status'>): boolean {
  const { method, status } = operation;
  return (method === 'GET' || status === 201) && workspaceParameter(operation) !== undefined;
}

/**
 * The request with the id of the workspace where its path names the alias, so that bodies and answers are held to the
 * id. The alias of a workspace that the caller is not in stays as it is: the use case answers it like an unknown one.
 * Without an alias it returns the request itself, not a promise, so that most requests wait for nothing.
 */
export function requestWithWorkspaceId(
  engine: Engine,
  caller: Caller,
  context: RequestContext,
  parameter: string | undefined,
): RequestContext | Promise<RequestContext> {
  const named = parameter === undefined ? undefined : decoded(context.params[parameter] ?? '');
  return named === undefined || !isUsableAlias(named) ? context : withId(engine, caller, context, parameter!, named);
}

async function withId(
  engine: Engine,
  caller: Caller,
  context: RequestContext,
  parameter: string,
  named: string,
): Promise<RequestContext> {
  try {
    const { id } = await engine.workspaces.get({ caller, requestId: context.requestId }, { workspaceId: named });
    return { ...context, params: { ...context.params, [parameter]: id } };
  } catch (error) {
    if (error instanceof EspalierError && error.code === 'not-found') return context;
    throw error;
  }
}
