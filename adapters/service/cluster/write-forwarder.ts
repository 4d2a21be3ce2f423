import { connect, type Socket } from 'node:net';
import type { Engine } from '../../../core/engine.ts';
import type { WakeUps } from '../../../core/changes/wake-ups.ts';
import type { ExpandTask } from '../../../core/task/expand-answer.ts';
import type { TaskView } from '../../../core/task/view.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { hashOf } from '../../../core/kernel/hash.ts';
import { wrapEngine, type RunUseCase } from '../../../core/wrap-engine.ts';
import type { Call } from '../../../core/ports/context.ts';
import { operations, type UseCaseName } from '../../schemas/index.ts';
import { channelTo, type Ask } from './channel.ts';
import { resultOfOutcome, type ForwardedWrite, type ForwardedOutcome } from './forwarded-write.ts';
import { socketMessages } from './messages.ts';

/** The default of `silentAfter`, in milliseconds. */
const SILENT_AFTER = 2_000;

const WRITES: ReadonlySet<string> = new Set(
  operations.filter(({ method }) => method !== 'GET').map(({ useCase }) => useCase),
);

type Followers = Pick<WakeUps, 'wake' | 'hasListeners' | 'onListening'>;

export interface ForwarderOptions {
  /**
   * The callers that wait for changes in this process: while there are any, writers report the workspaces that they
   * have changed.
   */
  readonly wakeUps?: Followers;
  /** Milliseconds without an answer or a beat after which a writer gets no further writes until the next. */
  readonly silentAfter?: number;
  /** The time in milliseconds. */
  readonly now?: () => number;
}

/**
 * Forwards the writes of this process to writers: processes of the service that commit the writes of all, in groups.
 * Where there are several writers, each commits those of some workspaces. Where there is none, or it does not answer,
 * this process commits by itself. That is always safe: the store orders the writes of processes.
 */
export class WriteForwarder {
  readonly #wakeUps: Followers | undefined;
  readonly #silentAfter: number;
  readonly #now: () => number;
  /** The writers in the same order in each process; null stands for this process. */
  #writers: readonly (WriterConnection | null)[] = [];

  constructor({ wakeUps, silentAfter = SILENT_AFTER, now = () => performance.now() }: ForwarderOptions = {}) {
    this.#wakeUps = wakeUps;
    this.#silentAfter = silentAfter;
    this.#now = now;
  }

  /** An engine that forwards writes to their writers while there are any. */
  engine(own: Engine): Engine {
    const forwarding = (run: RunUseCase, name: string): RunUseCase => {
      if (!WRITES.has(name)) return run;
      return async (call, input) => {
        const writer = this.#writerFor(input);
        if (writer === null || !writer.isReady(this.#silentAfter)) return run(call, input);
        const output = await writer.write({ useCase: name as UseCaseName, call, input });
        return withComments(own, call, input, output);
      };
    };
    return wrapEngine(own, forwarding);
  }

  /**
   * Forwards to these writers from now on. Writes that were forwarded to others are still answered.
   *
   * @param paths paths of their sockets, in the same order in each process; null: this process
   */
  forwardTo(paths: readonly (string | null)[]): void {
    const before = this.#writers.filter((writer) => writer !== null);
    const writerAt = (path: string) =>
      before.find((writer) => writer.path === path) ?? new WriterConnection(path, this.#wakeUps, this.#now);
    this.#writers = paths.map((path) => (path === null ? null : writerAt(path)));
    for (const writer of before) if (!this.#writers.includes(writer)) writer.release();
  }

  /**
   * The writer for an input; null: this process. An alias may have another writer than the id of its workspace, which
   * costs time but is safe.
   */
  #writerFor(input: unknown): WriterConnection | null {
    const { workspaceId } = (input ?? {}) as { readonly workspaceId?: unknown };
    const { length } = this.#writers;
    if (length === 1) return this.#writers[0]!;
    return typeof workspaceId === 'string' ? (this.#writers[hashOf(workspaceId) % length] ?? null) : null;
  }
}

/**
 * Reads the comments that the writer has left out of its answer: there may be very many, so the process of the client
 * counts and serialises them. No comments if the task can no longer be read.
 */
async function withComments(
  own: Engine,
  { caller, requestId, beforeLargeAnswer }: Call,
  input: unknown,
  output: unknown,
): Promise<unknown> {
  const answer = output as Partial<TaskView> | null | undefined;
  // Quotas have `comments` too, which are null where they are unlimited.
  if (answer?.comments !== null || answer.checklist === undefined) return output;
  const { workspaceId, id: taskId } = answer as TaskView;
  const expand = (input as ExpandTask).expand?.filter((name) => name === 'author') ?? [];
  try {
    const call = { caller, requestId, beforeLargeAnswer };
    const { comments } = await own.tasks.get(call, { workspaceId, taskId, expand });
    return { ...answer, comments };
  } catch (error) {
    if (error instanceof EspalierError) return { ...answer, comments: [] };
    throw error;
  }
}

/** The connection to a writer. */
class WriterConnection {
  readonly path: string;
  readonly #socket: Socket;
  readonly #ask: Ask;
  readonly #now: () => number;
  #waiting = 0;
  #heard = 0;
  #isOpen = false;
  #isReleased = false;

  constructor(path: string, wakeUps: Followers | undefined, now: () => number) {
    this.path = path;
    this.#now = now;
    this.#socket = connect(path, () => (this.#isOpen = true));
    this.#ask = channelTo(socketMessages(this.#socket), {
      beat: () => void (this.#heard = now()),
      committed: (ids: readonly string[]) => wakeUps?.wake(ids),
      stopForwarding: () => this.release(),
    });
    const tellOfCommits = (isWanted: boolean) => void this.#ask('tellOfCommits', isWanted).catch(() => {});
    const stopListening = wakeUps?.onListening(tellOfCommits);
    if (wakeUps?.hasListeners === true) tellOfCommits(true);
    // The writer has ended already: the primary will elect another.
    this.#socket.once('error', () => {});
    this.#socket.once('close', () => {
      this.#isOpen = false;
      stopListening?.();
    });
  }

  /** False while it has unanswered writes and has sent nothing for more than this many milliseconds. */
  isReady(milliseconds: number): boolean {
    const isSilent = this.#waiting > 0 && this.#now() - this.#heard > milliseconds;
    return this.#isOpen && !this.#isReleased && !isSilent;
  }

  async write(write: ForwardedWrite): Promise<unknown> {
    if (this.#waiting === 0) this.#heard = this.#now();
    this.#waiting += 1;
    try {
      const outcome = await this.#ask<ForwardedOutcome>('write', write).catch(notAnswered);
      this.#heard = this.#now();
      return resultOfOutcome(outcome, write.call);
    } finally {
      this.#waiting -= 1;
      this.#endIfIdle();
    }
  }

  /** Closes the connection after the last answer. */
  release(): void {
    this.#isReleased = true;
    this.#endIfIdle();
  }

  #endIfIdle(): void {
    if (this.#isReleased && this.#waiting === 0) this.#socket.end();
  }
}

function notAnswered(cause: unknown): never {
  const detail = 'The process that writes for this one ended. It is not known whether the write was saved.';
  throw new EspalierError('store-unavailable', detail, [], { cause });
}
