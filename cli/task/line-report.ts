import type { TaskView } from '../../core/task/view.ts';
import { EspalierError } from '../../core/kernel/errors.ts';
import { EXIT_OF } from '../io/exit-codes.ts';
import { Failure } from '../io/failure.ts';

/** What became of one line. */
export interface LineReport {
  readonly line: number;
  readonly id: string | null;
  readonly num: number | null;
  readonly title: string | null;
  readonly error: { readonly code: string; readonly detail: string } | null;
}

export function made(line: number, { id, num, title }: TaskView): LineReport {
  return { line, id, num, title, error: null };
}

export function failed(line: number, error: unknown): LineReport {
  const at = { line, id: null, num: null, title: null };
  if (error instanceof Failure) return { ...at, error: { code: error.exit, detail: error.message } };
  if (!(error instanceof EspalierError) || EXIT_OF[error.code] === 'failed') throw error;
  const [first] = error.errors;
  const detail = first === undefined ? error.detail : `${first.pointer.replace(/^\/tasks\/\d+/, '')} ${first.detail}`;
  return { ...at, error: { code: error.code, detail } };
}

export function atLine(line: number, error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  return new Failure(error.exit, `Line ${line}: ${error.message}`, error.hints);
}

/** The engine points into the batch; people count lines. */
export function atLineOf(part: readonly { readonly line: number }[], error: unknown): unknown {
  if (!(error instanceof EspalierError)) return error;
  const index = /^\/tasks\/(\d+)/.exec(error.errors[0]?.pointer ?? '')?.[1];
  const line = index === undefined ? undefined : part[Number(index)]?.line;
  if (line === undefined) return error;
  return new EspalierError(error.code, `Line ${line}: ${error.detail}`, error.errors, { cause: error });
}
