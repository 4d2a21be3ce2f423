import { nextTurn } from '../event-loop/next-turn.ts';
import type { Engine } from '../../core/engine.ts';
import { invalid } from '../../core/kernel/errors.ts';
import { isId } from '../../core/kernel/id.ts';
import { wrapEngine, type RunUseCase } from '../../core/wrap-engine.ts';
import type { TransferRecord } from '../../core/model/transfer-record.ts';
import { isUsableAlias } from '../../core/workspace/alias.ts';
import { stepsOf } from './check.ts';
import { compileAhead } from './compile.ts';
import type { JsonCopy } from './json-value.ts';
import { pathFields, type Operation } from './operation.ts';
import { operations, watchOperation } from './operations.ts';
import { IN_PROCESS, isStream, requireStreamInput, streams } from './streams.ts';

/**
 * Wraps an engine so that every input is validated before a use case sees it. The use case gets
 * a copy with names trimmed and ids in lower case; the caller's objects are never modified.
 *
 * A malformed id in a path field is treated as an id that does not exist: both answer `not-found`. In place of the id
 * of a workspace its alias is passed on: the engine finds the id.
 *
 * @throws for a use case without an operation: the service does not start
 */
export function validated(engine: Engine): Engine {
  const rows = new Map<string, CheckedOperation>([...operations, watchOperation].map((row) => [row.useCase, row]));
  const withValidation = (run: RunUseCase, name: string): RunUseCase => {
    const row = rows.get(name);
    if (row !== undefined) return checked(row, run);
    if (isStream(name)) return checkedStream(name, run);
    if (IN_PROCESS.some((one) => one === name)) return run;
    throw new Error(`There is no operation for ${name}: nothing would check what it is given.`);
  };
  return wrapEngine(engine, withValidation);
}

/** The schemas of all operations were compiled ahead in this process, or are being compiled. */
let isAhead = false;

/** Compiles the checks of all operations ahead, once in a process. A service does so as it starts. */
export async function compileChecks(over: AbortSignal): Promise<void> {
  if (isAhead) return;
  isAhead = true;
  const schemas = [...operations, watchOperation].map(({ input }) => input);
  await compileAhead(schemas, over);
  isAhead = !over.aborted;
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

type CheckedOperation = Pick<Operation, 'input' | 'path'>;

function checked({ input: schema, path }: CheckedOperation, run: RunUseCase): RunUseCase {
  const { copy, validate } = stepsOf(schema);
  // Paths may also have the type of a link, which is not an id.
  const ids = pathFields(path).filter((field) => field.endsWith('Id'));
  const isInWorkspace = ids.includes(WORKSPACE);
  const usable = (copied: JsonCopy, workspace: unknown): Record<string, unknown> => {
    const given = validate(copied);
    if (typeof workspace === 'string' && isUsableAlias(workspace)) given[WORKSPACE] = workspace;
    return given;
  };
  return (call, input) => {
    let given: Record<string, unknown>;
    try {
      const workspace = isInWorkspace ? (input as Record<string, unknown> | null)?.[WORKSPACE] : undefined;
      const copied = copy(withUsableIds(input, ids));
      if (copied.size > MANY) return nextTurn().then(() => run(call, usable(copied, workspace)));
      given = usable(copied, workspace);
    } catch (error) {
      return Promise.reject(error);
    }
    return run(call, given);
  };
}

function checkedStream(name: string, run: RunUseCase): RunUseCase {
  return async (call, input) => {
    requireStreamInput(name, input);
    const given = input as Readonly<Record<string, unknown>>;
    if (name === streams.import.useCase)
      return run(call, { records: checkedRecords(given['records'] as RecordSource) });
    const named = given[WORKSPACE];
    return run(call, typeof named === 'string' ? { ...given, [WORKSPACE]: normaliseWorkspace(named) } : given);
  };
}

type RecordSource = AsyncIterable<unknown> | Iterable<unknown>;

async function* checkedRecords(records: RecordSource): AsyncIterableIterator<TransferRecord> {
  // Only imports need it, and its schemas are compiled where it is used.
  const { requireRecord } = await import('./transfer-record.ts');
  let position = 0;
  for await (const given of records) {
    const pointer = `/records/${position++}`;
    yield requireRecord(given, (at, detail) => invalid(`${pointer}${at}`, detail));
  }
}

/** From this many values on, other work runs between copying an input and validating it. */
const MANY = 4_096;

const WORKSPACE = 'workspaceId';

/** An id in lower case, or an alias; any other text becomes the nil UUID, which no record has. */
export function normaliseWorkspace(text: string): string {
  if (isUsableAlias(text)) return text;
  return isId(text) ? text.toLowerCase() : NIL_UUID;
}

function withUsableIds(input: unknown, ids: readonly string[]): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const given = input as Readonly<Record<string, unknown>>;
  const unusable = ids.filter((id) => typeof given[id] === 'string' && !isId(given[id]));
  if (unusable.length === 0) return input;
  return { ...input, ...Object.fromEntries(unusable.map((id) => [id, NIL_UUID])) };
}
