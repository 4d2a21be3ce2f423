import { connect, type Socket } from 'node:net';
import type { Engine } from '../../../core/engine.ts';
import type { ExpandTask } from '../../../core/task/expand-answer.ts';
import type { TaskView } from '../../../core/task/view.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { mapVerbs } from '../../../core/kernel/map-verbs.ts';
import type { Call } from '../../../core/ports/context.ts';
import { operations, type UseCaseName } from '../../schemas/index.ts';
import { channelTo, type Ask } from './channel.ts';
import { resultOf, type ForwardedWrite, type Outcome } from './forwarded-write.ts';
import { socketMessages } from './messages.ts';

type Run = (call: Call, input: unknown) => Promise<unknown>;

/** In milliseconds. */
const SILENT_AFTER = 2_000;

const WRITES: ReadonlySet<string> = new Set(
  operations.filter(({ method }) => method !== 'GET').map(({ useCase }) => useCase),
);

/**
 * Forwards the writes of this process to another process of the service, the writer, so that the store commits the
 * writes of all in groups with one sync. If there is no writer, or it does not answer, this process writes itself. That
 * is always safe: the store allows one writing process at a time.
 */
export class WriteForwarder {
  readonly #silentAfter: number;
  readonly #now: () => number;
  #writer: Writer | null = null;
  #connecting: Socket | null = null;

  /**
   * @param silentAfter milliseconds without an answer or a beat after which a writer gets no further writes until the
   *   next
   * @param now the time in milliseconds
   */
  constructor(silentAfter = SILENT_AFTER, now: () => number = () => performance.now()) {
    this.#silentAfter = silentAfter;
    this.#now = now;
  }

  /** An engine that forwards writes to the writer while there is one. */
  engine(own: Engine): Engine {
    const forwarding = (run: Run, name: string): Run => {
      if (!WRITES.has(name)) return run;
      return async (call, input) => {
        const writer = this.#writer;
        if (writer === null || writer.isSilent(this.#silentAfter)) return run(call, input);
        const output = await writer.write({ useCase: name as UseCaseName, call, input });
        return withComments(own, call, input, output);
      };
    };
    return mapVerbs(own, forwarding) as unknown as Engine;
  }

  /** Starts forwarding to a writer. @param path path of its socket */
  forwardTo(path: string): void {
    this.stop();
    const socket = connect(path);
    this.#connecting = socket;
    socket.once('connect', () => {
      const ended = () => {
        if (this.#writer === writer) this.#writer = null;
      };
      const writer = new Writer(socket, ended, this.#now);
      this.#writer = writer;
      this.#connecting = null;
    });
    // The writer has ended already: the primary will elect another.
    socket.once('error', () => {});
  }

  /** Stops forwarding. Writes that were forwarded are still answered. */
  stop(): void {
    this.#connecting?.destroy();
    this.#connecting = null;
    this.#writer?.release();
    this.#writer = null;
  }
}

/**
 * Reads the comments that the writer has left out of its answer: they may be very many, and so are counted and written
 * where the client is. None where the task cannot be read any more.
 */
async function withComments(
  own: Engine,
  { caller, requestId, beforeLargeAnswer }: Call,
  input: unknown,
  output: unknown,
): Promise<unknown> {
  const answer = output as Partial<TaskView> | null | undefined;
  if (answer?.comments !== null) return output;
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

/** The connection to the writer. */
class Writer {
  readonly #socket: Socket;
  readonly #ask: Ask;
  readonly #now: () => number;
  #waiting = 0;
  #heard = 0;
  #isReleased = false;

  /** @param ended called when no more writes may be forwarded */
  constructor(socket: Socket, ended: () => void, now: () => number) {
    this.#socket = socket;
    this.#now = now;
    this.#ask = channelTo(socketMessages(socket), {
      beat: () => void (this.#heard = now()),
      stopForwarding: () => {
        ended();
        this.release();
      },
    });
    socket.once('close', ended);
  }

  /** Whether it has unanswered writes, and was not heard of for more than this many milliseconds. */
  isSilent(milliseconds: number): boolean {
    return this.#waiting > 0 && this.#now() - this.#heard > milliseconds;
  }

  async write(write: ForwardedWrite): Promise<unknown> {
    if (this.#waiting === 0) this.#heard = this.#now();
    this.#waiting += 1;
    try {
      const outcome = await this.#ask<Outcome>('write', write).catch(notAnswered);
      this.#heard = this.#now();
      return resultOf(outcome, write.call);
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
  const detail = 'The process that writes for this one ended. Whether this was kept is not known.';
  throw new EspalierError('store-unavailable', detail, [], { cause });
}
