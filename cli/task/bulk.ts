import type { CreateTask } from '../../core/task/create.ts';
import type { TaskView } from '../../core/task/view.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Call } from '../call.ts';
import { EXIT_OF } from '../exit-codes.ts';
import { Failure, usage } from '../failure.ts';
import type { Space } from '../refs/space.ts';

type Draft = Omit<CreateTask, 'workspaceId'>;

/** What became of one line. */
export interface LineReport {
  readonly line: number;
  readonly id: string | null;
  readonly num: number | null;
  readonly title: string | null;
  readonly error: { readonly code: string; readonly detail: string } | null;
}

/** As many as the batch operation takes. */
const BATCH = 1_000;
const CHUNK = 100;

/**
 * Makes a task of each line of JSON. The lines have the fields of the API; `board`, `status`, `tags` and
 * `assignees` may be names.
 *
 * @param atomic all or nothing, in batches of what the batch operation takes
 */
export async function createFrom(call: Call, space: Space, text: string, atomic: boolean): Promise<LineReport[]> {
  const lines = text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [{ line: i + 1, text: line }]));
  const boardRef = call.text('board');
  const reports: LineReport[] = [];
  const drafts: { line: number; draft: Draft }[] = [];
  for (const { line, text: json } of lines) {
    try {
      drafts.push({ line, draft: await draftOf(json, space, boardRef) });
    } catch (error) {
      if (atomic) throw atLine(line, error);
      reports.push(failed(line, error));
    }
  }
  const size = atomic ? BATCH : CHUNK;
  for (let first = 0; first < drafts.length; first += size) {
    reports.push(...(await createPart(space, drafts.slice(first, first + size), atomic)));
    progress(call, Math.min(first + size, drafts.length), drafts.length);
  }
  return reports.sort((a, b) => a.line - b.line);
}

async function createPart(
  space: Space,
  part: readonly { readonly line: number; readonly draft: Draft }[],
  atomic: boolean,
): Promise<LineReport[]> {
  const { session, workspaceId } = space;
  try {
    const tasks = await session.tasks.createMany({ workspaceId, tasks: part.map(({ draft }) => draft) });
    return tasks.map((task, i) => made(part[i]!.line, task));
  } catch (error) {
    if (atomic) throw atLineOf(part, error);
    if (part.length === 1) return [failed(part[0]!.line, error)];
  }
  // One of them is at fault: find it by halves, so that the others still come in together.
  const half = Math.ceil(part.length / 2);
  return [
    ...(await createPart(space, part.slice(0, half), false)),
    ...(await createPart(space, part.slice(half), false)),
  ];
}

async function draftOf(json: string, space: Space, boardRef: string | undefined): Promise<Draft> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw usage(`It is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw usage('It is not a JSON object.');
  const { board, status, tags, assignees, ...rest } = value as Record<string, unknown>;
  const ref = typeof rest['boardId'] === 'string' ? rest['boardId'] : typeof board === 'string' ? board : boardRef;
  if (ref === undefined) throw usage('It names no board, and there is no --board.');
  const boardId = await space.board(ref);
  const statusRef = typeof status === 'string' ? { statusId: await space.status(boardId, status) } : {};
  const names = async (list: readonly unknown[], find: (name: string) => Promise<string>) => {
    const ids: string[] = [];
    // What is no name is left to the engine, which says what is wrong with it.
    for (const name of list) ids.push(typeof name === 'string' ? await find(name) : (name as string));
    return ids;
  };
  return {
    ...(rest as unknown as Draft),
    boardId,
    ...statusRef,
    ...(Array.isArray(tags) ? { tags: await names(tags, (name) => space.tag(boardId, name)) } : {}),
    ...(Array.isArray(assignees) ? { assignees: await names(assignees, (name) => space.member(name)) } : {}),
  };
}

function made(line: number, { id, num, title }: TaskView): LineReport {
  return { line, id, num, title, error: null };
}

function failed(line: number, error: unknown): LineReport {
  const at = { line, id: null, num: null, title: null };
  if (error instanceof Failure) return { ...at, error: { code: error.exit, detail: error.message } };
  if (!(error instanceof EspalierError) || EXIT_OF[error.code] === 'failed') throw error;
  const [first] = error.errors;
  const detail = first === undefined ? error.detail : `${first.pointer.replace(/^\/tasks\/\d+/, '')} ${first.detail}`;
  return { ...at, error: { code: error.code, detail } };
}

function atLine(line: number, error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  return new Failure(error.exit, `Line ${line}: ${error.message}`, error.hints);
}

/** The engine points into the batch; people count lines. */
function atLineOf(part: readonly { readonly line: number }[], error: unknown): unknown {
  if (!(error instanceof EspalierError)) return error;
  const index = /^\/tasks\/(\d+)/.exec(error.errors[0]?.pointer ?? '')?.[1];
  const line = index === undefined ? undefined : part[Number(index)]?.line;
  if (line === undefined) return error;
  return new EspalierError(error.code, `Line ${line}: ${error.detail}`, error.errors, { cause: error });
}

function progress(call: Call, done: number, of: number): void {
  if (call.io.stderr.isTTY === true) call.io.stderr.write(`\r${done} of ${of}${done === of ? '\n' : ''}`);
}
