/** Data of the export that the import changed or left out, and why. */
export interface ImportNote {
  /** The kind of thing: `attachment`, `description`, `member` ... */
  readonly what: string;
  /** How many of them. */
  readonly count: number;
  readonly why: string;
  /** A few examples: titles of cards, names of lists and people. */
  readonly where: readonly string[];
}

const MAX_PLACES = 5;

/** Collects notes; those of one kind and reason are counted together. */
export class Notes {
  readonly #notes = new Map<string, { what: string; count: number; why: string; where: string[] }>();

  add(what: string, why: string, where?: string, count = 1): void {
    if (count === 0) return;
    const key = `${what}\n${why}`;
    const note = this.#notes.get(key) ?? { what, count: 0, why, where: [] };
    this.#notes.set(key, note);
    note.count += count;
    if (where !== undefined && note.where.length < MAX_PLACES && !note.where.includes(where)) note.where.push(where);
  }

  list(): readonly ImportNote[] {
    return [...this.#notes.values()];
  }
}
