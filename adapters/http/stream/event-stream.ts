import type { ChangeStream } from '../../../core/changes/watch.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { EventLoopYielder } from '../../event-loop/yielder.ts';
import type { Outlet } from '../response/reply.ts';
import { endText, eventTexts, HEARTBEAT, readyText, type StreamEnd } from './event-text.ts';

/** Heartbeats in an hour: a stream ends after this many. */
const MAX_BEATS = 180;
/** Streams that began together end within this many heartbeats of each other, not at once. */
const SPREAD = 10;
/** About the number of characters of one text. */
const TEXT = 65_536;
/** Characters that are encoded in the time of one unit of a `Yielder`. */
const UNIT = 2_048;

/** The source and the destination of a stream. */
interface StreamParts {
  readonly changes: ChangeStream;
  readonly outlet: Outlet;
  /** Called when the texts of a read have been built. */
  readonly made: () => void;
}

/** One response that sends events. It reads no further changes while the client has not read what was sent before. */
export class EventStream {
  readonly #changes: ChangeStream;
  readonly #outlet: Outlet;
  readonly #made: () => void;
  /** The cursor after everything that was sent. */
  #cursor: string;
  #beatsLeft: number;
  #ended: StreamEnd | null = null;
  /** Whether the client is still reading changes that fill more than one text. */
  #isInside = false;

  /** @param order its number among the streams of this process, so that not all end at once */
  constructor({ changes, outlet, made }: StreamParts, order: number) {
    this.#changes = changes;
    this.#outlet = outlet;
    this.#made = made;
    this.#cursor = changes.cursor;
    this.#beatsLeft = MAX_BEATS - (order % SPREAD);
  }

  /** The code of its last event; null before that is sent. */
  get ended(): StreamEnd | null {
    return this.#ended;
  }

  /** Sends events until there are no more. @throws errors for which {@link endOf} has no code */
  async send(): Promise<void> {
    await this.#outlet.write(readyText(this.#cursor));
    try {
      for (let texts = await this.#next(); texts !== null; texts = await this.#next()) await this.#write(texts);
    } catch (error) {
      const code = endOf(error);
      if (code === null) throw error;
      this.end(code);
    }
    this.end('reconnect');
  }

  /** Sends a heartbeat, unless earlier data still waits for the client. Ends the stream after an hour. */
  beat(): void {
    this.#beatsLeft -= 1;
    if (this.#beatsLeft <= 0) this.end('reconnect');
    else this.#outlet.offer(HEARTBEAT);
  }

  /**
   * Sends the last event, and drops changes that were read but not sent yet. In the middle of large events the
   * connection ends without a last event: the client reconnects, and gets them again.
   */
  end(code: StreamEnd): void {
    if (this.#ended !== null) return;
    this.#ended = code;
    this.#changes.close();
    if (this.#isInside) return this.#outlet.cut();
    void this.#outlet.write(endText(code, this.#cursor));
    this.#outlet.end();
  }

  /**
   * All texts of the next read, so that data that waits for the client is in bytes, which are limited. Null at the end.
   */
  async #next(): Promise<readonly EventText[] | null> {
    try {
      return await this.#changes.nextMade(async ({ items, cursor }) => {
        const texts = await textsOf(eventTexts(items, cursor));
        if (this.#ended === null) this.#cursor = cursor;
        return texts;
      });
    } finally {
      this.#made();
    }
  }

  async #write(texts: readonly EventText[]): Promise<void> {
    let taken = Promise.resolve();
    for (const text of texts) taken = this.#outlet.write(text);
    if (texts.length < 2) return taken;
    this.#isInside = true;
    if (!(await this.#changes.isTakenInSight(taken))) this.end('reconnect');
    this.#isInside = false;
  }
}

type EventText = string | Uint8Array;

/** Joins the pieces of a text, and encodes them if they are many. Other work runs in between. */
async function textsOf(pieces: Iterable<string>): Promise<readonly EventText[]> {
  const yielder = new EventLoopYielder();
  const texts: EventText[] = [];
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < TEXT) continue;
    texts.push(Buffer.from(text));
    const pause = yielder.step(text.length / UNIT);
    text = '';
    if (pause !== null) await pause;
  }
  if (text !== '') texts.push(text);
  return texts;
}

/** The code of the last event; null for an error that the client did not cause: it reconnects. */
function endOf(error: unknown): StreamEnd | null {
  if (!(error instanceof EspalierError)) return null;
  if (error.code === 'unauthenticated') return error.code;
  return error.code === 'not-found' ? 'gone' : null;
}
