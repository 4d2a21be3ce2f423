import { groupBy } from '../../../core/kernel/group.ts';
import type { CommandCall } from '../../call.ts';
import { wholeNumber } from '../../call.ts';
import { Failure, usage } from '../../io/failure.ts';
import { progressOf } from '../../io/progress.ts';
import type { OptionValues } from '../../option.ts';
import { count } from '../../output/table/count.ts';
import { ExternalIds } from '../external-ids.ts';
import { createFrom, interrupted } from './create.ts';
import { editLine } from './edit.ts';
import type { LINE_OPTIONS } from './options.ts';
import type { TaskLine } from './format.ts';
import { readLines } from './read.ts';
import { TasksOfLines } from './tasks-of-lines.ts';
import { failed, type LineReport, type LinesResult } from './report.ts';

/** The most reasons that are printed below the report. */
const MAX_REASONS = 20;

type LinesCall = CommandCall<OptionValues<typeof LINE_OPTIONS>>;

/** `task create --from`. */
export async function createFromFile(
  call: LinesCall,
  options: { readonly board: string | undefined; readonly atomic: boolean },
): Promise<void> {
  const lines = await linesFor(call);
  const dryRun = call.options.dryRun === true;
  await printResult(call, await createFrom(await call.workspace(), lines, { ...options, dryRun }, call.io), 'created');
}

/** `task edit --from`, line by line. If asked to stop, it ends after a whole line. */
export async function editFromFile(call: LinesCall): Promise<void> {
  const lines = await linesFor(call);
  const workspace = await call.workspace();
  const reports: LineReport[] = [];
  const tasks = new TasksOfLines(workspace, lines);
  const trial = call.options.dryRun === true ? new ExternalIds(workspace) : null;
  const progress = progressOf(call.io, 'Changing tasks', lines.length);
  let last = lines[0] === undefined ? 0 : lines[0].line - 1;
  let stopped: Pick<LinesResult, 'stoppedAfter' | 'reason'> = { stoppedAfter: null, reason: null };
  try {
    for (const one of lines) {
      if (call.io.stop.aborted) throw interrupted();
      reports.push('error' in one ? failed(one.line, one.error) : await editLine(workspace, tasks, one, trial));
      last = one.line;
      progress.step();
    }
  } catch (error) {
    stopped = { stoppedAfter: last, reason: error };
  } finally {
    progress.end();
  }
  await printResult(call, { reports, ...stopped }, 'changed');
}

async function linesFor(call: LinesCall): Promise<readonly TaskLine[]> {
  const { from, skip } = call.options;
  const without = wholeNumber('skip', skip) ?? 0;
  if (without < 0) throw usage('--skip takes a number of lines.');
  return (await readLines(await call.read(from!), from!)).filter(({ line }) => line > without);
}

/** Prints the result of each line as JSON; for people, the refused lines and the number of others. */
async function printResult(
  call: LinesCall,
  { reports, stoppedAfter, reason }: LinesResult,
  done: 'created' | 'changed',
): Promise<void> {
  const wrong = reports.filter(({ error }) => error !== null);
  if (call.out.isJson || wrong.length > 0) {
    const printed = (call.out.isJson ? reports : wrong).map(({ hints: _, ...report }) => report);
    await call.out.list(printed, [
      { title: 'line', align: 'right', text: ({ line }) => String(line) },
      { title: 'why', text: ({ error }) => error?.detail ?? '' },
      { title: 'code', text: ({ error }) => error?.code ?? '' },
    ]);
  }
  const right = reports.filter(({ error }) => error === null);
  const same = right.filter(({ changed }) => !changed).length;
  const bad = [
    same === 0 ? '' : `, ${same.toLocaleString('en')} unchanged`,
    wrong.length === 0 ? '' : `, ${count(wrong.length, 'line')} refused`,
  ].join('');
  const good = count(right.length - same, 'task');
  call.out.note(
    call.options.dryRun ? `${good} would be ${done}${bad}; nothing was written.` : `${good} ${done}${bad}.`,
  );
  if (stoppedAfter !== null) {
    call.out.note(
      stoppedAfter === 0
        ? 'Nothing was done: run the same command again.'
        : `Done up to line ${stoppedAfter}. To continue, run the same command with --skip ${stoppedAfter}.`,
    );
    throw reason;
  }
  if (wrong.length > 0) throw new Failure('failed', 'Some lines were refused.', reasonsOf(wrong));
}

/** The reasons that several lines have in common, and those with a remedy. */
function reasonsOf(wrong: readonly LineReport[]): readonly string[] {
  const byDetail = groupBy(wrong, ({ error }) => error!.detail);
  const told = [...byDetail].filter(([, [first, ...more]]) => more.length > 0 || first!.hints.length > 0);
  const shown = told
    .slice(0, MAX_REASONS)
    .flatMap(([detail, reports]) => [`${count(reports.length, 'line')}: ${detail}`, ...reports[0]!.hints]);
  return told.length > MAX_REASONS ? [...shown, `and ${told.length - MAX_REASONS} more reasons`] : shown;
}
