/**
 * Where a search has stood in vain, so that it does not go there again by another way. What could not be gone on from with
 * some calls still to be explained cannot be with those and others.
 */
export class DeadEnds {
  readonly #unexplained = new Map<string, (readonly number[])[]>();

  add(stand: string, unexplained: readonly number[]): void {
    this.#unexplained.set(stand, [...(this.#unexplained.get(stand) ?? []), unexplained]);
  }

  has(stand: string, unexplained: readonly number[]): boolean {
    const now = new Set(unexplained);
    return (this.#unexplained.get(stand) ?? []).some((before) => before.every((n) => now.has(n)));
  }
}
