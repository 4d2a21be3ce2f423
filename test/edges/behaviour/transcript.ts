import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Session } from '../../../core/session.ts';

/** One call and what came of it, with ids, times and secrets named by when they were first seen. */
export interface Said {
  readonly useCase: string;
  readonly went: 'well' | 'wrong';
  readonly what: unknown;
}

type Run = (...args: unknown[]) => Promise<unknown> | AsyncIterableIterator<unknown>;

/** The calls of one run and their results: the same for every kind of client. */
export class Transcript {
  readonly said: Said[] = [];
  readonly #names = new Map<string, string>();

  /** The session, with everything said through it written down. */
  of(session: Session): Session {
    const nouns = Object.entries(session).map(([noun, verbs]) => [
      noun,
      Object.fromEntries(
        Object.entries(verbs as Record<string, Run>).map(([verb, run]) => [
          verb,
          (...args: unknown[]) => this.#noted(`${noun}.${verb}`, run(...args)),
        ]),
      ),
    ]);
    return Object.fromEntries(nouns) as Session;
  }

  #noted(useCase: string, result: Promise<unknown> | AsyncIterableIterator<unknown>): unknown {
    return Symbol.asyncIterator in result ? this.#noteItems(useCase, result) : this.#note(useCase, result);
  }

  async *#noteItems(useCase: string, items: AsyncIterableIterator<unknown>): AsyncIterableIterator<unknown> {
    try {
      for (;;) {
        const next = await this.#note(useCase, items.next());
        if ((next as IteratorResult<unknown>).done === true) return;
        yield (next as IteratorResult<unknown>).value;
      }
    } finally {
      await items.return?.();
    }
  }

  async #note(useCase: string, running: Promise<unknown>): Promise<unknown> {
    try {
      const result = await running;
      this.said.push({ useCase, went: 'well', what: this.#plain(result) });
      return result;
    } catch (error) {
      if (!(error instanceof EspalierError)) throw error;
      const { code, errors } = error;
      this.said.push({ useCase, went: 'wrong', what: { code, pointers: errors.map(({ pointer }) => pointer).sort() } });
      throw error;
    }
  }

  #plain(value: unknown): unknown {
    if (value === undefined) return null;
    const text = JSON.stringify(value, (key, field: unknown) => {
      // Who asks over HTTP is active with a token, and each request has an id. A cursor is opaque.
      if (key === 'lastUsedAt' || key === 'lastActivity' || key === 'requestId') return null;
      return (key === 'next' || key === 'cursor') && field !== null ? 'a cursor' : field;
    });
    const named = text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-\d[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|esp_\w+/g, (secret) => {
      const name = this.#names.get(secret) ?? `#${this.#names.size}`;
      this.#names.set(secret, name);
      return name;
    });
    return JSON.parse(named.replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"a time"'));
  }
}
