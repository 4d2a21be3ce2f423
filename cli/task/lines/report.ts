import { EspalierError, type FieldError } from '../../../core/kernel/errors.ts';
import { EXIT_OF } from '../../io/exit-codes.ts';
import { Failure } from '../../io/failure.ts';
import { fieldNamed } from './format.ts';

/** The result of one line. */
export interface LineReport {
  readonly line: number;
  readonly id: string | null;
  readonly num: number | null;
  readonly title: string | null;
  /** False if the task was equal already. */
  readonly changed: boolean;
  readonly error: { readonly code: string; readonly detail: string } | null;
  /** What to do about the error. Not printed with the line, as lines have it in common. */
  readonly hints: readonly string[];
}

/** The result of a file. */
export interface LinesResult {
  /** The results of processed lines, in order. */
  readonly reports: readonly LineReport[];
  /** The last processed line; those after it are untouched. Null if all were processed. */
  readonly stoppedAfter: number | null;
  /** The reason why it stopped. */
  readonly reason: unknown;
}

export function made(line: number, task: Pick<LineReport, 'id' | 'num' | 'title'>, changed = true): LineReport {
  return { line, id: task.id, num: task.num, title: task.title, changed, error: null, hints: [] };
}

/** @throws any error but a refusal, as further lines would fail too */
export function failed(line: number, error: unknown): LineReport {
  const at = { line, id: null, num: null, title: null, changed: false, hints: [] };
  if (error instanceof Failure && error.exit !== 'failed' && error.exit !== 'interrupted') {
    return { ...at, error: { code: error.code, detail: error.message }, hints: error.hints };
  }
  if (!(error instanceof EspalierError) || EXIT_OF[error.code] === 'failed') throw error;
  const [first] = error.errors;
  const detail = first === undefined ? error.detail : problemAt(first, error);
  return { ...at, error: { code: error.code, detail } };
}

/** What is wrong with a field; for a line as a whole, the detail of the error. */
function problemAt({ pointer, detail }: FieldError, error: EspalierError): string {
  return /^\/tasks\/\d+$/.test(pointer) ? error.detail : `${fieldOf(pointer)} ${inTermsOfLines(detail)}`;
}

/** The fields of dates that a message compares are named as in lines. */
function inTermsOfLines(detail: string): string {
  return detail.replace(/\bplanned(?:Start|End)Date\b/g, fieldNamed);
}

/** The name of a field in lines: `/tasks/3/plannedEndDate` is `end`. */
function fieldOf(pointer: string): string {
  const [field = '', ...more] = pointer
    .replace(/^\/tasks\/\d+/, '')
    .slice(1)
    .split('/');
  return [fieldNamed(field), ...more].join('/');
}

export function atLine(line: number, error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  return new Failure(error.exit, `Line ${line}: ${error.message}`, error.hints);
}

/** Replaces the index in the batch by the line number. */
export function atLineOf(part: readonly { readonly line: number }[], error: unknown): unknown {
  if (!(error instanceof EspalierError)) return error;
  const index = /^\/tasks\/(\d+)/.exec(error.errors[0]?.pointer ?? '')?.[1];
  const line = index === undefined ? undefined : part[Number(index)]?.line;
  if (line === undefined) return error;
  const problems = error.errors.map((one) => problemAt(one, error));
  return new Failure(EXIT_OF[error.code], `Line ${line}: ${problems.join(', ')} (${error.code})`, [], { cause: error });
}
