import type { ChangeStream } from '../../../core/changes/watch.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { Yielder } from '../../event-loop/yielder.ts';
import type { Outlet } from '../response/reply.ts';
import { endText, eventTexts, HEARTBEAT, readyText, type StreamEnd } from './event-text.ts';

/** Heartbeats in an hour: the most that a stream has. */
const MAX_BEATS = 180;
/** By how many heartbeats the ends of streams differ that began together. */
const SPREAD = 10;
/** Characters that are written at once, about. */
const TEXT = 65_536;
/** Characters that are written in the time of one unit of a `Yielder`. */
const UNIT = 2_048;

/** One response that sends events. It reads no further while the client has not taken what was sent before. */
export class EventStream {
  readonly #changes: ChangeStream;
  readonly #outlet: Outlet;
  /** The cursor after everything that was sent. */
  #cursor: string;
  #beatsLeft: number;
  #ended: StreamEnd | null = null;

  /** @param order its number among the streams of this process, so that not all end at once */
  constructor(changes: ChangeStream, outlet: Outlet, order: number) {
    this.#changes = changes;
    this.#outlet = outlet;
    this.#cursor = changes.cursor;
    this.#beatsLeft = MAX_BEATS - (order % SPREAD);
  }

  /** The code of its last event; null: it has not sent that. */
  get ended(): StreamEnd | null {
    return this.#ended;
  }

  /** Sends events until there are no more. @throws errors that {@link endOf} has no code for */
  async send(): Promise<void> {
    await this.#outlet.write(readyText(this.#cursor));
    try {
      for (;;) {
        const slice = await this.#changes.next();
        if (slice === null) break;
        await this.#write(eventTexts(slice.items, slice.cursor), slice.cursor);
        if (this.#ended !== null) return;
      }
    } catch (error) {
      const code = endOf(error);
      if (code === null) throw error;
      this.end(code);
    }
    this.end('reconnect');
  }

  /** Sends a heartbeat, unless the client has yet to read something. Ends the stream after an hour. */
  beat(): void {
    this.#beatsLeft -= 1;
    if (this.#beatsLeft <= 0) this.end('reconnect');
    else this.#outlet.offer(HEARTBEAT);
  }

  /** Sends the last event, and drops what was read and not sent yet. */
  end(code: StreamEnd): void {
    if (this.#ended !== null) return;
    this.#ended = code;
    this.#changes.close();
    void this.#outlet.write(endText(code, this.#cursor));
    this.#outlet.end();
  }

  /** @param cursor after them */
  async #write(texts: Iterable<string>, cursor: string): Promise<void> {
    const yielder = new Yielder();
    let text = '';
    for (const each of texts) {
      text += each;
      if (text.length < TEXT) continue;
      const pause = yielder.step(text.length / UNIT);
      if (pause !== null) await pause;
      if (this.#ended !== null) return;
      await this.#outlet.write(text);
      if (this.#ended !== null) return;
      text = '';
    }
    if (this.#ended !== null) return;
    this.#cursor = cursor;
    if (text !== '') await this.#outlet.write(text);
  }
}

/** The code of the last event; null for an error that the client did not cause, after which it reconnects. */
function endOf(error: unknown): StreamEnd | null {
  if (!(error instanceof EspalierError)) return null;
  if (error.code === 'unauthenticated') return error.code;
  return error.code === 'not-found' ? 'gone' : null;
}
