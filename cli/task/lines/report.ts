import { EspalierError } from '../../../core/kernel/errors.ts';
import { EXIT_OF } from '../../io/exit-codes.ts';
import { Failure } from '../../io/failure.ts';
import { OTHER_NAMES } from './format.ts';

/** What became of one line. */
export interface LineReport {
  readonly line: number;
  readonly id: string | null;
  readonly num: number | null;
  readonly title: string | null;
  /** False: the task was so already. */
  readonly changed: boolean;
  readonly error: { readonly code: string; readonly detail: string } | null;
}

/** What became of the lines of a file. */
export interface LinesResult {
  /** A report for each line that something became of, in their order. */
  readonly reports: readonly LineReport[];
  /** The last line up to which all is done; the lines behind it were not touched. Null when none were left. */
  readonly stoppedAfter: number | null;
  /** Why it stopped. */
  readonly reason: unknown;
}

export function made(line: number, task: Pick<LineReport, 'id' | 'num' | 'title'>, changed = true): LineReport {
  return { line, id: task.id, num: task.num, title: task.title, changed, error: null };
}

/** @throws the error where it is no refusal: the lines behind this one would meet it too */
export function failed(line: number, error: unknown): LineReport {
  const at = { line, id: null, num: null, title: null, changed: false };
  if (error instanceof Failure && error.exit !== 'failed' && error.exit !== 'interrupted') {
    return { ...at, error: { code: error.code, detail: error.message } };
  }
  if (!(error instanceof EspalierError) || EXIT_OF[error.code] === 'failed') throw error;
  const [first] = error.errors;
  const detail = first === undefined ? error.detail : `${fieldOf(first.pointer)} ${first.detail}`;
  return { ...at, error: { code: error.code, detail } };
}

/** As lines have it: `/tasks/3/plannedEndDate` is `end`. */
function fieldOf(pointer: string): string {
  const [field = '', ...more] = pointer
    .replace(/^\/tasks\/\d+/, '')
    .slice(1)
    .split('/');
  return [OTHER_NAMES[field] ?? field, ...more].join('/');
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
  const told = error.errors.map(({ pointer, detail }) => `${fieldOf(pointer)} ${detail}`);
  return new Failure(EXIT_OF[error.code], `Line ${line}: ${told.join(', ')} (${error.code})`, [], { cause: error });
}
