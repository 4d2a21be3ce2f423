import { setImmediate } from 'node:timers/promises';
import { Failure } from '../../io/failure.ts';
import type { Io } from '../../io/io.ts';
import { progressOf } from '../../io/progress.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { slicesOf } from '../../../core/kernel/slices.ts';
import { ExternalIds, NEW_TASK } from '../external-ids.ts';
import { draftOf, type LineDraft } from './draft.ts';
import type { TaskLine } from './format.ts';
import { atLine, atLineOf, failed, made, type LineReport, type LinesResult } from './report.ts';
import { tryCreate } from './trial.ts';

export interface CreateOptions {
  /** Overrides the boards named in lines. */
  readonly board: string | undefined;
  /** Each batch is atomic, and the first refused batch ends the import. */
  readonly atomic: boolean;
  /** Only checks the lines. */
  readonly dryRun: boolean;
}

interface NumberedDraft {
  readonly line: number;
  readonly draft: LineDraft;
}

/** The batch size of the use case. */
const BATCH = 1_000;
const CHUNK = 100;

/**
 * Creates a task per line, batch by batch. If asked to stop, it ends after a whole batch.
 *
 * @throws with `atomic`, before anything is written, for an invalid line
 */
export async function createFrom(
  workspace: WorkspaceLookup,
  lines: readonly TaskLine[],
  { board, atomic, dryRun }: CreateOptions,
  io: Pick<Io, 'stop' | 'stderr'>,
): Promise<LinesResult> {
  const reports: LineReport[] = [];
  const entries: NumberedDraft[] = [];
  const result = (stoppedAfter: number | null, reason: unknown): LinesResult => ({
    reports: reports
      .filter(({ line }) => stoppedAfter === null || line <= stoppedAfter)
      .sort((a, b) => a.line - b.line),
    stoppedAfter,
    reason,
  });
  const before = lines[0] === undefined ? 0 : lines[0].line - 1;
  for await (const one of inTurns(lines)) {
    if (io.stop.aborted) return result(before, interrupted());
    try {
      if ('error' in one) throw one.error;
      entries.push({ line: one.line, draft: await draftOf(one.record, workspace, board) });
    } catch (error) {
      if (atomic) throw atLine(one.line, error);
      reports.push(failed(one.line, error));
    }
  }
  if (dryRun) {
    const checking = progressOf(io, 'Checking tasks', entries.length);
    try {
      const externalIds = new ExternalIds(workspace);
      for (const some of slicesOf(entries, CHUNK)) {
        await setImmediate();
        if (io.stop.aborted) return result(before, interrupted());
        for (const report of await triedLines(some, workspace, externalIds)) {
          reports.push(report);
          checking.step();
        }
      }
    } finally {
      checking.end();
    }
    return result(null, null);
  }
  const size = atomic ? BATCH : CHUNK;
  const progress = progressOf(io, 'Creating tasks', entries.length);
  let last = before;
  try {
    for (let first = 0; first < entries.length; first += size) {
      if (io.stop.aborted) return result(last, interrupted());
      await createPart(workspace, entries.slice(first, first + size), atomic, (report) => {
        reports.push(report);
        last = report.line;
        progress.step();
      });
    }
  } catch (error) {
    return result(last, error);
  } finally {
    progress.end();
  }
  return result(null, null);
}

/** Iterates with a turn of the event loop between two chunks, as signals are only handled between two turns. */
async function* inTurns<T>(items: readonly T[]): AsyncIterable<T> {
  for (const [i, item] of items.entries()) {
    if (i % CHUNK === 0) await setImmediate();
    yield item;
  }
}

export function interrupted(): Failure {
  return new Failure('interrupted', 'Interrupted.');
}

/** External ids are read together, once the form of the lines is known to be valid. */
async function triedLines(
  entries: readonly NumberedDraft[],
  workspace: WorkspaceLookup,
  externalIds: ExternalIds,
): Promise<readonly LineReport[]> {
  const outcome = async ({ line, draft }: NumberedDraft, check: () => Promise<unknown>) => {
    try {
      await check();
      return made(line, { id: null, num: null, title: draft.title });
    } catch (error) {
      return failed(line, error);
    }
  };
  const reports: LineReport[] = [];
  for (const entry of entries) reports.push(await outcome(entry, () => tryCreate(workspace, entry.draft)));
  const isRight = (_: unknown, i: number) => reports[i]!.error === null;
  await externalIds.learn(entries.filter(isRight).flatMap(({ draft }) => draft.externalId ?? []));
  for (const [i, entry] of entries.entries()) {
    if (isRight(entry, i)) {
      reports[i] = await outcome(entry, () => externalIds.give(NEW_TASK, entry.draft.externalId));
    }
  }
  return reports;
}

/** Reports lines as they are done, in order. */
async function createPart(
  workspace: WorkspaceLookup,
  part: readonly NumberedDraft[],
  atomic: boolean,
  report: (report: LineReport) => void,
): Promise<void> {
  const { session, workspaceId } = workspace;
  try {
    const tasks = await session.tasks.createMany({ workspaceId, tasks: part.map(({ draft }) => draft) });
    for (const [i, task] of tasks.entries()) report(made(part[i]!.line, task));
    return;
  } catch (error) {
    if (atomic) throw atLineOf(part, error);
    const [only] = part;
    const refused = failed(only!.line, error);
    if (part.length === 1) return report(refused);
  }
  // Finds the invalid task by bisection, so that the others are still created in batches.
  const half = Math.ceil(part.length / 2);
  await createPart(workspace, part.slice(0, half), false, report);
  await createPart(workspace, part.slice(half), false, report);
}
