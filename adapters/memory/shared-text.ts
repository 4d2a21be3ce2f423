import type { Task } from '../../core/task/task.ts';

/** Texts kept at most; then it begins anew, which costs memory and nothing else. */
const CAPACITY = 100_000;

const NONE: readonly string[] = Object.freeze([]);

/** Lets equal ids in a million tasks be one string. */
export class SharedText {
  readonly #texts = new Map<string, string>();

  /** The same task, frozen, with ids that it shares with other tasks. */
  task(task: Task): Task {
    return Object.freeze({
      ...task,
      workspaceId: this.#of(task.workspaceId),
      boardId: this.#of(task.boardId),
      statusId: this.#of(task.statusId),
      createdById: this.#of(task.createdById),
      updatedAt: task.updatedAt === task.createdAt ? task.createdAt : task.updatedAt,
      tags: this.#all(task.tags),
      assignees: this.#all(task.assignees),
    });
  }

  #all(texts: readonly string[]): readonly string[] {
    return texts.length === 0 ? NONE : texts.map((text) => this.#of(text));
  }

  #of(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= CAPACITY) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}
