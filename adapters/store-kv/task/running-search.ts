import type { SeenTask, TaskConditions, TaskQuery } from '../../../core/model/content/task-query.ts';

/** The search of a transaction that is still running, if any. */
export class RunningSearch {
  #running: { readonly query: TaskQuery; readonly found: Promise<readonly SeenTask[]> } | null = null;

  run(query: TaskQuery, search: Promise<readonly SeenTask[]>): Promise<readonly SeenTask[]> {
    const found = search.finally(() => {
      if (this.#running?.found === found) this.#running = null;
    });
    this.#running = { query, found };
    return found;
  }

  /** How many tasks match a query if it is the one that is running, and its first slice holds all; else null. */
  async total(query: TaskConditions): Promise<number | null> {
    const running = this.#running;
    if (running?.query !== query || running.query.after !== null) return null;
    const { length } = await running.found;
    return length < running.query.limit ? length : null;
  }
}
